import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { FIXTURES } from "../../../test/support/fixtures-path.ts";
import { splitBody } from "./body.ts";

/** Mails in about 15 languages with the text that their readers would call new (email_reply_trimmer's suite). */
const SUITE = join(FIXTURES, "quotes/email_reply_trimmer");
if (!existsSync(SUITE)) console.info("skipped: the email_reply_trimmer suite is not installed next to the project");

/** Deliberate differences: text below a quote is kept, since it may be an answer. */
const DIFFERENT = new Set(["embedded_email_1.txt"]);

const lines = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.replace(/\s+/g, " ").trim())
    .filter((line) => line !== "");

test.skipIf(!existsSync(SUITE))("extracts the new text of each mail of the suite", () => {
  const missed: string[] = [];
  for (const name of readdirSync(join(SUITE, "emails"))) {
    const text = readFileSync(join(SUITE, "emails", name), "utf8");
    const wanted = lines(readFileSync(join(SUITE, "trimmed", name), "utf8"));
    const { bodyText, newText } = splitBody({ text, html: null });
    if (lines(newText).join("\n") !== wanted.join("\n")) missed.push(name);
    const body = new Set(lines(bodyText));
    expect(wanted.filter((line) => !body.has(line))).toEqual([]);
  }
  expect(missed.filter((name) => !DIFFERENT.has(name))).toEqual([]);
});
