import { expect, test } from "bun:test";
import fc from "fast-check";
import { AddressFault, needsSmtpUtf8, parseRecipient, parseRecipients, sameAddress } from "./addresses.ts";

const GOOD: [string, string, string][] = [
  ["a@b.org", "", "a@b.org"],
  ["  <a@B.ORG>  ", "", "a@b.org"],
  ["Ann B. <Ann.B+tag@b.org>", "Ann B.", "Ann.B+tag@b.org"],
  ['"Doe, \\"J\\" \\\\" <j@b.org>', 'Doe, "J" \\', "j@b.org"],
  ["Doe, John <j@b.org>", "Doe, John", "j@b.org"],
  ["a@b.org (Ann)", "Ann", "a@b.org"],
  ["a@b.org <a@b.org>", "", "a@b.org"],
  ['"odd @ local"@b.org', "", '"odd @ local"@b.org'],
  ["a@[192.0.2.1]", "", "a@[192.0.2.1]"],
  ["a@[IPv6:2001:db8::1]", "", "a@[ipv6:2001:db8::1]"],
  ["root@nas", "", "root@nas"],
  ["用户@例え.jp", "", "用户@xn--r8jz45g.jp"],
  ["o'brien/x=y@b.org", "", "o'brien/x=y@b.org"],
];

test.each(GOOD)("%s", (text, name, email) => {
  expect(parseRecipient(text)).toEqual({ name, email });
});

test.each([
  "",
  "a",
  "@b.org",
  "a@",
  "a b@c.org",
  "a..b@c.org",
  ".a@c.org",
  "a@b..org",
  "a@-b.org",
  "a@b_c.org",
  "a@1.2.3.4",
  "a@b.org.",
  "a@b.org, c@d.org",
  "x@y.org, a@b.org <c@d.org>",
  "a@b@c.org",
  "<a@b.org> <c@d.org>",
  "<<a@b.org>>",
  "A <a@b.org",
  "a@b.org>\r\nRCPT TO:<x@y.org>",
  "a\u0000@b.org",
  "a@b.org\n",
  "a@[300.1.1.1]",
  `${"a".repeat(65)}@b.org`,
  `a@${"b.".repeat(130)}org`,
  "a\u202e@b.org\u00fc",
  "a@b%2eorg",
])("not an address: %j", (text) => {
  expect(parseRecipient(text)).toBeNull();
});

test("the first invalid recipient of a field is named", () => {
  expect(parseRecipients("to", ["a@b.org", "B <c@d.org>"]).map(({ email }) => email)).toEqual(["a@b.org", "c@d.org"]);
  try {
    parseRecipients("cc", ["a@b.org", "nope", "nope"]);
    expect.unreachable();
  } catch (error) {
    expect((error as AddressFault).param).toBe("cc[1]");
  }
  expect(new AddressFault("to", -1, "x").param).toBe("to");
});

test("a parsed address can be parsed again, and never contains anything that SMTP would read differently", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 40 }),
    fc.emailAddress(),
    fc.tuple(fc.string(), fc.emailAddress()).map(([name, email]) => `${name} <${email}>`),
  );
  fc.assert(
    fc.property(text, (value) => {
      const address = parseRecipient(value);
      if (!address) return;
      expect(address.email).not.toMatch(/[\r\n\u0000]/);
      expect(parseRecipient(`<${address.email}>`)?.email).toBe(address.email);
    }),
    { numRuns: 2000 },
  );
});

test("recognizes the same mailbox and the need for SMTPUTF8", () => {
  expect(sameAddress("A@b.ORG", " a@B.org ")).toBe(true);
  expect(sameAddress("a@bücher.org", "a@xn--bcher-kva.org")).toBe(true);
  expect(sameAddress("a@b.org", "a@c.org")).toBe(false);
  expect(needsSmtpUtf8(["a@b.org", "ž@b.org"])).toBe(true);
  expect(needsSmtpUtf8(["a@b.org"])).toBe(false);
});
