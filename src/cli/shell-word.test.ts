import { expect, test } from "bun:test";
import fc from "fast-check";
import { shellWord } from "./shell-word.ts";

test("a harmless text stays unquoted", () => {
  for (const text of ["ada@example.org", "imap.example.org:993", "a_b-c+d%e"]) expect(shellWord(text)).toBe(text);
});

test("a shell reproduces the text and runs nothing in it", () => {
  const texts = fc.array(
    fc.string({ unit: "grapheme" }).map((text) => text.replaceAll("\0", "")),
    { minLength: 1, maxLength: 20 },
  );
  fc.assert(
    fc.property(texts, (words) => {
      const line = ["$(echo x)", "; echo x", "`echo x`", "'; echo x; '", "a\nb", "", ...words].map(shellWord).join(" ");
      const { stdout } = Bun.spawnSync(["/bin/sh", "-c", `printf '%s\\0' ${line}`]);
      const got = stdout.toString().split("\0").slice(0, -1);
      expect(got).toEqual(["$(echo x)", "; echo x", "`echo x`", "'; echo x; '", "a\nb", "", ...words]);
    }),
    { numRuns: 20 },
  );
});
