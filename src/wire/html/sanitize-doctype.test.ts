import { expect, test } from "bun:test";
import { doctypeFor, layoutOf } from "./sanitize-doctype.ts";

test.each([
  ["<!doctype html>", "standards"],
  ["\ufeff <!-- a --><?xml version='1.0'?>\n<!DOCTYPE HTML><html>", "standards"],
  ['<!DOCTYPE html SYSTEM "about:legacy-compat">', "standards"],
  [
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">',
    "standards",
  ],
  [
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">',
    "limited",
  ],
  ["<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Frameset//EN' 'x'>", "limited"],
  ['<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.0//EN">', "standards"],
  ["<!DOCTYPE nosuch>", "quirks"],
  ['<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN" "http://www.w3.org/TR/html4/loose.dtd">', "limited"],
  ['<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN">', "standards"],
  ['<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">', "quirks"],
  ['<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.0 Transitional//EN">', "quirks"],
  ['<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2//EN">', "quirks"],
  ["<html><!doctype html>", "quirks"],
  ["<p>x", "quirks"],
  ["", "quirks"],
  [`${"<!--a-->".repeat(500)}<!--`, "quirks"],
])("%s is laid out with %s", (html, layout) => {
  expect(String(layoutOf(html))).toBe(layout);
  expect(doctypeFor(html)).toStartWith("<!doctype html");
});
