import { expect, test } from "bun:test";
import fc from "fast-check";
import { lastToken } from "./last-token.ts";

const token = (value: string, more = {}) => ({
  minus: "",
  operator: null,
  grouped: false,
  quoted: false,
  value,
  ...more,
});

test.each([
  ["fr", token("fr")],
  ["invoice fr", token("fr")],
  ["from:mar", token("mar", { operator: "from" })],
  ["FROM:Mar", token("Mar", { operator: "from" })],
  ["from:", token("", { operator: "from" })],
  ["-from:mar", token("mar", { operator: "from", minus: "-" })],
  ["invoice -fr", token("fr", { minus: "-" })],
  ["check-up", token("check-up")],
  ['from:"noor b', token("noor b", { operator: "from", quoted: true })],
  ["from:“noor b", token("noor b", { operator: "from", quoted: true })],
  ['"as prom', token("as prom", { quoted: true })],
  ['"as promised" fr', token("fr")],
  ['label:"To do" in:in', token("in", { operator: "in" })],
  ["from:(noor OR pri", token("pri", { operator: "from", grouped: true })],
  ["from:{noor pri", token("pri", { operator: "from", grouped: true })],
  ["from:(noor to:ad", token("ad", { operator: "to" })],
  ["from:(noor) pri", token("pri")],
  ["subject:((a b) inv", token("inv", { operator: "subject", grouped: true })],
  ["(invoice OR fr", token("fr")],
  ["nope:fr", token("nope:fr")],
  ["see https://x.exa", token("https://x.exa")],
])("%s is completed at its last token", (query, expected) => {
  expect(lastToken(query)).toEqual(expected);
});

test.each(["", " ", "invoice ", "from:mar ", '"as promised"', "from:(noor)", "(", "from:(", "a)"])(
  "%j has no token to complete",
  (query) => {
    expect(lastToken(query)).toBeNull();
  },
);

test("any text is split without an error, and the value is its end", () => {
  const piece = fc.constantFrom("from:", "label:", "-", '"', "“", "(", "}", " ", "a", "noor", ":", "\\", "é", "🙂");
  fc.assert(
    fc.property(
      fc.array(fc.oneof(piece, fc.string({ unit: "grapheme", maxLength: 3 })), { maxLength: 12 }),
      (parts) => {
        const query = parts.join("");
        const found = lastToken(query);
        if (found) expect(query.endsWith(found.value)).toBe(true);
      },
    ),
  );
});
