import { expect, test } from "bun:test";
import { AREAS, findingsIn } from "./language.ts";

test.each(Object.keys(AREAS))("the texts of the %s avoid the words that CONTRIBUTING.md lists", (area) => {
  const found = findingsIn(area).map(
    ({ file, line, word, write, text }) => `${file}:${line} "${word}" (write: ${write}): ${text}`,
  );
  expect(found).toEqual([]);
});
