import { expect, test } from "bun:test";
import fc from "fast-check";
import { unflow } from "../mime/flowed.ts";
import { bodyKind, textToHtml } from "./body.ts";
import { flow } from "./flow.ts";

test.each([
  "<p>Hi",
  " <!DOCTYPE html><x>",
  "a <br> b",
  "see <b>this</b>",
  "<DIV class='x'>a</DIV>",
  'x <img src="cid:1">',
  "a <a href='x'>b</a>",
])("is HTML: %j", (body) => {
  expect(bodyKind(body)).toBe("html");
});

test.each([
  "",
  "Hi",
  "a < b > c",
  "use <b> for bold",
  "write to <a@b.test>",
  "</b> and <b>",
  "List<String> x",
  "<unknown>x</unknown>",
  "a <br",
])("is text: %j", (body) => {
  expect(bodyKind(body)).toBe("text");
});

test("text becomes HTML that shows exactly that text", () => {
  expect(textToHtml('a <b> & "c"')).toBe("<div>a &lt;b&gt; &amp; &quot;c&quot;</div>");
  expect(textToHtml("> q\n>> r\ns").match(/<\/?blockquote/g)?.length).toBe(4);
  expect(textToHtml("see https://x.test/a_(b)?c=1&d, ok")).toContain('<a href="https://x.test/a_(b)?c=1&amp;d">');
});

test("flow wraps softly at 76 characters and keeps quotes and the signature separate", () => {
  const lines = flow(`${"word ".repeat(40).trim()}\n> ${"quoted ".repeat(30).trim()}\n-- \nAlice  `).split("\r\n");
  expect(lines.every((line) => line.length <= 76)).toBe(true);
  expect(lines.filter((line) => line.startsWith("> ")).length).toBeGreaterThan(2);
  expect(lines.slice(-2)).toEqual(["-- ", "Alice"]);
  expect(flow(">x\n From\n>From")).toBe("> x\r\n  From\r\n> From");
});

test("flowed text reads as before", () => {
  const letters = fc.constantFrom("a", "word", " ", "  ", "-- ", "--", ">", "From ", "ü", "x".repeat(90));
  const line = fc.array(letters, { maxLength: 60 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 6 }), (lines) => {
      const plain = lines.map((one) => one.replace(/^>[> ]*/, ""));
      const expected = plain.map((one) => (/^-- +$/.test(one) ? "-- " : one.replace(/ +$/, ""))).join("\n");
      expect(unflow(flow(plain.join("\n")).replaceAll("\r\n", "\n"), false)).toBe(expected);
    }),
    { numRuns: 1000 },
  );
});
