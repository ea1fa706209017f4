import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ResponseReader } from "./response.ts";

/** Reads a response that arrives in these pieces and then, if `close`, ends. */
function read(pieces: readonly (string | Uint8Array)[], { close = false, most = 100, method = "POST" } = {}) {
  const reader = new ResponseReader(most, method);
  for (const piece of pieces) reader.push(typeof piece === "string" ? Buffer.from(piece, "latin1") : piece);
  if (close) reader.end();
  const { done, reusable, hasHead } = reader;
  if (!hasHead) return { done, reusable, status: null, headers: {}, text: "", truncated: false };
  const { status, headers, body, truncated } = reader.response;
  return { done, reusable, status, headers, text: Buffer.from(body).toString("latin1"), truncated };
}

const CHUNKED = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

describe("a response ends", () => {
  test.each([
    [
      "at its length",
      "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
      { done: true, reusable: true, text: "hello" },
    ],
    [
      "at once without a body, even with no length",
      "HTTP/1.1 204 No Content\r\n\r\n",
      { done: true, reusable: true, status: 204 },
    ],
    [
      "at once without a body, despite its length",
      "HTTP/1.1 304 x\r\nContent-Length: 9\r\n\r\n",
      { done: true, reusable: true },
    ],
    ["with its last chunk", `${CHUNKED}5\r\nhello\r\n0\r\n\r\n`, { done: true, reusable: true, text: "hello" }],
    ["with trailers", `${CHUNKED}5;a=b\r\nhello\r\n0\r\nX: y\r\n\r\n`, { done: true, reusable: true, text: "hello" }],
    ["not before its length", "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nhello", { done: false, reusable: false }],
    ["not before the last chunk", `${CHUNKED}5\r\nhello\r\n0\r\n`, { done: false, reusable: false }],
    [
      "after an interim response",
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200\r\nContent-Length: 0\r\n\r\n",
      { done: true, status: 200 },
    ],
    [
      "at its length, and the connection is not reused if more bytes follow",
      "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nhello",
      { done: true, reusable: false, text: "h" },
    ],
    [
      "with the connection, if it has the header Connection: close",
      "HTTP/1.1 200 OK\r\nConnection: Close\r\nContent-Length: 0\r\n\r\n",
      { done: true, reusable: false },
    ],
    [
      "with the connection, in HTTP/1.0",
      "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n",
      { done: true, reusable: false },
    ],
    [
      "by chunks if it has both headers, and the connection is not reused",
      "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
      { done: true, reusable: false, text: "hello" },
    ],
  ])("%s", (_, bytes, expected) => {
    expect(read([bytes])).toMatchObject(expected);
  });

  test("with the connection, if it has no length", () => {
    expect(read(["HTTP/1.1 200 OK\r\n\r\nhel", "lo"], { close: true })).toMatchObject({ done: true, text: "hello" });
    expect(() => read(["HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello"], { close: true })).toThrow(
      "closed the connection",
    );
    expect(() => read([], { close: true })).toThrow("closed the connection");
  });

  test("after its headers if the request has no response body", () => {
    const bytes = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n";
    expect(read([bytes], { method: "HEAD" })).toMatchObject({ done: true, reusable: true });
  });
});

test("header names are in lower case, and repeated headers are joined", () => {
  const { headers } = read(["HTTP/1.1 200 OK\r\nX-A:  1 \r\nx-a: 2\r\n__proto__: x\r\nContent-Length: 0\r\n\r\n"]);
  expect(Object.entries(headers)).toEqual([
    ["x-a", "1, 2"],
    ["__proto__", "x"],
    ["content-length", "0"],
  ]);
});

test.each([
  ["a greeting of another protocol", "220 mail.example ESMTP\r\n"],
  ["HTTP/2", "HTTP/2 200\r\n\r\n"],
  ["an invalid status", "HTTP/1.1 700 x\r\n\r\n"],
  ["a change of protocol", "HTTP/1.1 101 Switching\r\n\r\n"],
  ["interim responses without end", "HTTP/1.1 103 x\r\n\r\n".repeat(9)],
  ["two lengths", "HTTP/1.1 200 x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"],
  ["a negative length", "HTTP/1.1 200 x\r\nContent-Length: -1\r\n\r\n"],
  ["a folded header", "HTTP/1.1 200 x\r\nA: b\r\n c\r\n\r\n"],
  ["a header without a name", "HTTP/1.1 200 x\r\n: b\r\n\r\n"],
  ["an unrequested coding", "HTTP/1.1 200 x\r\nTransfer-Encoding: gzip\r\n\r\n"],
  ["a chunk without a size", `${CHUNKED}zz\r\n`],
  ["a chunk that is longer than declared", `${CHUNKED}2\r\nhello\r\n`],
  ["a chunk size without end", CHUNKED + "1".repeat(2_000)],
  ["headers without end", `HTTP/1.1 200 x\r\n${"A: b\r\n".repeat(4_000)}`],
  ["one header without end", `HTTP/1.1 200 x\r\nA: ${"b".repeat(20_000)}`],
  ["trailers without end", `${CHUNKED}0\r\n${"A: b\r\n".repeat(4_000)}`],
])("%s is refused", (_, bytes) => {
  expect(() => read([bytes])).toThrow("not valid HTTP/1.1");
});

test("the start of a long body is kept, and a very long one is not read to its end", () => {
  const head = (length: number) => `HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\n`;
  const long = read([head(500), "x".repeat(500)]);
  expect(long).toMatchObject({ done: true, reusable: true, truncated: true, text: "x".repeat(100) });
  const endless = read([head(10_000_000), ...Array<string>(10).fill("x".repeat(10_000))]);
  expect(endless).toMatchObject({ done: true, reusable: false, truncated: true, text: "x".repeat(100) });
  expect(read([head(100), "x".repeat(100)])).toMatchObject({ done: true, truncated: false });
});

test("the result does not depend on how the bytes are split", () => {
  const body = fc.uint8Array({ maxLength: 300 });
  const chunked = (bytes: Uint8Array, sizes: number[]) => {
    const parts: Uint8Array[] = [Buffer.from(CHUNKED)];
    for (let at = 0, i = 0; at < bytes.length; i++) {
      const part = bytes.subarray(at, at + (sizes[i % sizes.length] ?? 7));
      parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from("\r\n"));
      at += part.length;
    }
    return Buffer.concat([...parts, Buffer.from("0\r\n\r\n")]);
  };
  fc.assert(
    fc.property(
      body,
      fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 }),
      fc.boolean(),
      (bytes, chunks, cuts, byLength) => {
        const wire = byLength
          ? Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${bytes.length}\r\n\r\n`), bytes])
          : chunked(bytes, chunks);
        const pieces: Uint8Array[] = [];
        for (let at = 0, i = 0; at < wire.length; i++) {
          pieces.push(wire.subarray(at, at + cuts[i % cuts.length]!));
          at += cuts[i % cuts.length]!;
        }
        const answer = read(pieces, { most: 1_000 });
        expect(answer).toMatchObject({ done: true, reusable: true, status: 200, truncated: false });
        expect(answer.text).toBe(Buffer.from(bytes).toString("latin1"));
      },
    ),
  );
});

test("any input results in a response or an EgressFault, and memory stays bounded", () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string(), fc.constantFrom("HTTP/1.1 200 OK\r\n", "\r\n", CHUNKED, "5\r\n"))),
      (pieces) => {
        try {
          expect(read(pieces).text.length).toBeLessThanOrEqual(100);
        } catch (error) {
          expect((error as Error).name).toBe("EgressFault");
        }
      },
    ),
  );
});
