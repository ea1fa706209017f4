import { expect, test } from "bun:test";
import { clarity } from "./rank.ts";

test.each([
  ["And if you can't, would you know somebody who could?", "Is that something you would take on?"],
  ["Qual prefere?", "O pintor pode ir no dia 11 ou no dia 12, de manhã."],
  ["If so, could you send me a title?", "Would you be willing to present it yourself?"],
  ["Und kannst du das mitbringen?", "Kannst du am Freitag um zehn ins Büro kommen?"],
])("“%s” is less clear out of context than “%s”", (hanging, whole) => {
  expect(clarity({ text: hanging, score: 1 })).toBeLessThan(clarity({ text: whole, score: 0.5 }));
});

test("a request with a much higher score is still preferred", () => {
  expect(clarity({ text: "Also, could you please send me the signed contract?", score: 6 })).toBeGreaterThan(
    clarity({ text: "The contract is with the lawyers, or is it?", score: 0 }),
  );
});
