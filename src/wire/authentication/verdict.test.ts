import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseAuthenticationResults } from "./results.ts";
import { authenticationOf, type TraceField } from "./verdict.ts";

const received = (text: string): TraceField => ({ name: "received", text });
const results = (text: string): TraceField => ({ name: "authentication-results", text });
const resultOf = (fields: TraceField[], from = "ada@shop.example") =>
  authenticationOf(fields, from)?.result ?? "unknown";

const GMAIL = [
  received("by 2002:a05:6a10:1234:0:0:0:0 with SMTP id x1; Mon, 2 Mar 2026 01:00:00 -0800 (PST)"),
  results(
    "mx.google.com; dkim=pass header.i=@shop.example header.s=k1; spf=pass (google.com: ok) smtp.mailfrom=b@shop.example; dmarc=pass (p=REJECT) header.from=shop.example",
  ),
  received("from out.shop.example (out.shop.example. [203.0.113.9]) by mx.google.com with ESMTPS id y2"),
];
const OUTSIDE = received(
  "from out.shop.example (out.shop.example [203.0.113.9]) by mx1.host.example (Postfix) with ESMTPS id 1",
);
const FORGED = results("mx1.host.example; dmarc=pass header.from=shop.example");

describe("the receiving server's result", () => {
  const cases: [string, TraceField[], string][] = [
    ["Gmail", GMAIL, "pass"],
    ["Gmail, below its hop", [GMAIL[0]!, GMAIL[2]!, GMAIL[1]!], "pass"],
    [
      "Exchange Online, without the server's name",
      [
        received("from A.eurprd04.prod.outlook.com (2603:10a6:20b::1) by B.eurprd04.prod.outlook.com with HTTPS"),
        results(
          "spf=fail (sender IP is 203.0.113.9) smtp.mailfrom=shop.example; dkim=none (message not signed) header.d=none;dmarc=fail action=quarantine header.from=shop.example;compauth=fail reason=000",
        ),
        received(
          "from out.shop.example (203.0.113.9) by C.mail.protection.outlook.com (10.1.2.3) with Microsoft SMTP Server",
        ),
      ],
      "fail",
    ],
    [
      "Fastmail, behind internal hosts",
      [
        received("from c4.internal (c4.nyi.internal [10.202.2.44]) by sloti1 (Cyrus) with LMTPA; now"),
        received(
          "from mx4.messagingengine.com (localhost [127.0.0.1]) by mx4.messagingengine.com (Authentication Milter) with ESMTP",
        ),
        results(
          "mx4.messagingengine.com; dkim=pass (2048-bit rsa key) header.d=shop.example; dmarc=pass policy.published=none header.from=shop.example; iprev=pass policy.iprev=203.0.113.9",
        ),
        received(
          "from out.shop.example (out.shop.example [203.0.113.9]) by mx4.messagingengine.com (Postfix) with ESMTPS",
        ),
      ],
      "pass",
    ],
    [
      "iCloud, in several headers",
      [
        results("dkim-verifier.icloud.com; dkim=pass header.d=shop.example"),
        results("dmarc.icloud.com; dmarc=pass header.from=shop.example"),
        received("from out.shop.example (out.shop.example [203.0.113.9]) by p1-smtpin.me.com (Postfix) with ESMTPS"),
      ],
      "pass",
    ],
    [
      "an aligned DKIM signature without DMARC",
      [
        results("gmx.net; dkim=pass header.i=@shop.example"),
        received("from o ([203.0.113.9]) by mx.gmx.net with ESMTPS"),
      ],
      "pass",
    ],
    [
      "a DKIM signature of another domain",
      [
        results("gmx.net; dkim=pass header.d=evil.example"),
        received("from o ([203.0.113.9]) by mx.gmx.net with ESMTPS"),
      ],
      "none",
    ],
    ["nothing to check", [results("mx1.host.example; none; spf=none smtp.mailfrom=shop.example"), OUTSIDE], "none"],
    ["DMARC of another domain", [results("mx1.host.example; dmarc=pass header.from=evil.example"), OUTSIDE], "none"],
    ["no header at all", [OUTSIDE], "unknown"],
    [
      "only ARC",
      [{ name: "arc-authentication-results", text: "i=1; mx1.host.example; dmarc=pass" }, OUTSIDE],
      "unknown",
    ],
  ];
  for (const [name, fields, expected] of cases)
    test(`${name}: ${expected}`, () => expect(resultOf(fields)).toBe(expected as never));
});

test("Gmail: of several headers below its hop, only the first counts, and only in its name", () => {
  const hop = GMAIL[2]!;
  const forged = results("mx.google.com; dmarc=pass header.from=shop.example");
  const failed = results("mx.google.com; dmarc=fail header.from=shop.example");
  expect(resultOf([GMAIL[0]!, hop, failed, forged])).toBe("fail");
  expect(resultOf([GMAIL[0]!, hop, results("mx.evil.example; dmarc=pass header.from=shop.example")])).toBe("unknown");
  expect(resultOf([GMAIL[0]!, hop, OUTSIDE, forged])).toBe("unknown");
});

describe("forged headers do not count", () => {
  const cases: [string, TraceField[]][] = [
    ["below the hop from outside", [OUTSIDE, FORGED]],
    ["below a forged hop of the same server", [OUTSIDE, received("from x by mx1.host.example with LMTP"), FORGED]],
    [
      "below a client that gives the server's name",
      [
        received("from mx1.host.example (unknown [203.0.113.9]) by mx1.host.example (Postfix) with ESMTP"),
        FORGED,
        OUTSIDE,
      ],
    ],
    ["of another server", [results("mx.evil.example; dmarc=pass header.from=shop.example"), OUTSIDE]],
    ["without a server's name, outside Exchange", [results("dmarc=pass header.from=shop.example"), OUTSIDE]],
    ["without any Received header", [FORGED]],
    [
      "below a forged hop of Gmail, above which the user's own server saw only a private address",
      [
        received("from proxy (proxy [10.0.0.2]) by mail.home.example (Postfix) with ESMTP id 1"),
        GMAIL[2]!,
        results("mx.google.com; dmarc=pass header.from=shop.example"),
      ],
    ],
  ];
  for (const [name, fields] of cases) test(name, () => expect(resultOf(fields)).toBe("unknown"));
});

test("comments, quoted strings and the version are read", () => {
  const parsed = parseAuthenticationResults(
    '"Mx.Example" 1 (a (b\\) ; c)); DKIM/1=Pass reason="x; y=z" header.d=a.example',
  );
  expect(parsed?.server).toBe("mx.example");
  expect(parsed?.results).toEqual([
    {
      method: "dkim",
      result: "pass",
      properties: new Map([
        ["reason", "x; y=z"],
        ["header.d", "a.example"],
      ]),
    },
  ]);
  expect(parseAuthenticationResults("mx.example 2; dkim=pass")).toBeNull();
  expect(parseAuthenticationResults("mx.example; dkim=pass (open")).toBeNull();
});

test("any text is read without an error", () => {
  const text = fc.string({ unit: fc.constantFrom(...'();="\\ .@:[]byfromdkim10'), maxLength: 400 });
  fc.assert(
    fc.property(text, text, (one, other) => {
      parseAuthenticationResults(one);
      authenticationOf([results(one), received(other), results(other)], "a@b.example");
    }),
  );
});

test("hostile values take linear time", () => {
  const timeOf = (piece: string, length: number): number => {
    const text = piece.repeat(length / piece.length);
    const fields = [results(text), received(`from ${text.slice(0, length / 4)} by x.example`), results(text)];
    let fastest = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 7; round++) {
      const start = performance.now();
      for (let again = 0; again < 5; again++) authenticationOf(fields, "a@b.example");
      fastest = Math.min(fastest, performance.now() - start);
    }
    return fastest;
  };
  for (const piece of ["(", ")", "=", "a=", ";", '"', "\\", " ", "by ", "1.", ":", "(a", "from ", "a=b ", "(a) "]) {
    // Eight times the text takes about eight times as long; quadratic work takes 64 times. Below 5 ms, noise decides.
    const short = timeOf(piece, 2_000);
    expect(timeOf(piece, 16_000)).toBeLessThan(Math.max(5, 24 * short));
  }
});

test("values longer than the limits are not read", () => {
  const hop = OUTSIDE.text;
  expect(resultOf([results(`${FORGED.text} (${"x".repeat(16_384)})`), OUTSIDE])).toBe("unknown");
  // A long hop is not skipped, because the header below it comes from outside.
  expect(resultOf([received(`${hop} (${"x".repeat(4_096)})`), FORGED, OUTSIDE])).toBe("unknown");
  expect(resultOf([received(""), FORGED, OUTSIDE])).toBe("unknown");
});
