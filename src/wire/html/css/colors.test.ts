import { describe, expect, test } from "bun:test";
import { contrast, over, parseColor, parseLegacyColor, toHex, WHITE } from "./colors.ts";

describe("a color", () => {
  test.each([
    ["RED", "#ff0000"],
    ["rebeccapurple", "#663399"],
    ["#Abc", "#aabbcc"],
    ["#abcd", "#aabbcc"],
    ["#a1b2c3", "#a1b2c3"],
    ["#a1b2c380", "#a1b2c3"],
    ["rgb(1, 2,3)", "#010203"],
    ["rgb(100% 0% 50%)", "#ff0080"],
    ["rgba(300,-5,9.6,.5)", "#ff000a"],
    ["hsl(120,100%,25%)", "#008000"],
    ["hsla(240deg 100% 50% / 50%)", "#0000ff"],
  ])("%s", (text, hex) => {
    expect(toHex(parseColor(text)!)).toBe(hex);
  });

  test.each([
    "inherit",
    "currentcolor",
    "var(--x)",
    "lab(1 2 3)",
    "rgb(1,2)",
    "rgb(a,b,c)",
    "#ab",
    "ffeedd",
    "",
    "url(x)",
  ])("%s is not known", (text) => {
    expect(parseColor(text)).toBeNull();
  });

  test("has its opacity", () => {
    expect(
      ["transparent", "rgb(0,0,0,.25)", "#00000000", "hsl(0 0% 0% / 40%)"].map((text) => parseColor(text)?.[3]),
    ).toEqual([0, 0.25, 0, 0.4]);
    expect(toHex(over([0, 0, 0, 0.5], WHITE))).toBe("#808080");
  });

  test("of an attribute needs no number sign", () => {
    expect(
      [" FFEEDD", "#fed", "navy", "abc", "nosuch", undefined].map(
        (text) => parseLegacyColor(text)?.slice(0, 3) ?? null,
      ),
    ).toEqual([[255, 238, 221], [255, 238, 221], [0, 0, 128], [170, 187, 204], null, null]);
  });
});

test("the contrast of two colors is that of WCAG", () => {
  const ratio = (one: string, other: string) => contrast(parseColor(one)!, parseColor(other)!).toFixed(2);
  expect(ratio("#000", "#fff")).toBe("21.00");
  expect(ratio("#fff", "#fff")).toBe("1.00");
  expect(ratio("#767676", "#fff")).toBe("4.54");
  expect(ratio("#00f", "white")).toBe("8.59");
});
