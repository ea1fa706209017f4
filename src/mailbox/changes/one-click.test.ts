import { expect, test } from "bun:test";
import { oneClickUrl } from "./one-click.ts";

const POST = "List-Unsubscribe=One-Click";
const url = (list: string[], post: string[] = [POST]) =>
  oneClickUrl(
    new Map([
      ["list-unsubscribe", list],
      ["list-unsubscribe-post", post],
    ]),
  );

test("returns the https address of a message that says that one POST is enough", () => {
  expect(url(["<mailto:u@x.example>, <https://x.example/u?a=1>"])).toBe("https://x.example/u?a=1");
  expect(url([" <https://x.example/u>,<https://x.example/v>"], [" list-unsubscribe = one-click "])).toBe(
    "https://x.example/u",
  );
  expect(url(["<https://x.example/a-\r\n very-long-token>"])).toBe("https://x.example/a-very-long-token");
});

test.each([
  ["without the second header", ["<https://x.example/u>"], []],
  ["with another second header", ["<https://x.example/u>"], ["List-Unsubscribe=Two-Clicks"]],
  ["with two List-Unsubscribe headers", ["<https://x.example/u>", "<https://y.example/u>"], [POST]],
  ["with the second header twice", ["<https://x.example/u>"], [POST, POST]],
  ["without encryption", ["<http://x.example/u>"], [POST]],
  ["by mail only", ["<mailto:u@x.example>"], [POST]],
  ["with an invalid address", ["<https://>"], [POST]],
  ["without brackets", ["https://x.example/u"], [POST]],
  ["that is too long", [`<https://x.example/${"a".repeat(3_000)}>`], [POST]],
])("returns null %s", (_name, list, post) => expect(url(list, post)).toBeNull());

test("returns null without headers", () => expect(oneClickUrl(new Map())).toBeNull());
