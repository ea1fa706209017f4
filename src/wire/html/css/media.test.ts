import { expect, test } from "bun:test";
import { holdsOnScreen } from "./media.ts";

test.each([
  "",
  "all",
  "SCREEN",
  "only screen",
  "screen and (min-width: 600px)",
  "screen and (max-width:700px) and (min-width:0)",
  "print, screen",
  "not print",
  "(min-width:37.5em)",
  "(width: 700px)",
  "(width >= 600px)",
  "(400px <= width <= 800px)",
  "(prefers-color-scheme: light)",
  "(orientation:portrait)",
  "(hover)",
  "screen and (-webkit-min-device-pixel-ratio:0)",
  "/* x */ screen /* y */",
  "not screen and (max-width:400px)",
])("%s holds on a screen", (query) => {
  expect(holdsOnScreen(query)).toBe(true);
});

test.each([
  "print",
  "not screen",
  "not all",
  "speech",
  "only screen and (max-width: 699px)",
  "screen and (max-device-width:480px)",
  "screen and (min-width:701px)",
  "(width < 700px)",
  "(width: 600px)",
  "(prefers-color-scheme:dark)",
  "(prefers-reduced-motion: reduce)",
  "(prefers-reduced-motion)",
  "(-webkit-min-device-pixel-ratio:2)",
  "(min-resolution:2dppx)",
  "(nosuch:1)",
  "not (nosuch)",
  "screen and(min-width:1px)",
  "(min-width:1)",
  "(min-width)",
  "yahoo",
  "screen and (min-width:1px",
  "((min-width:1px))",
  "x".repeat(5000),
])("%s does not", (query) => {
  expect(holdsOnScreen(query)).toBe(false);
});
