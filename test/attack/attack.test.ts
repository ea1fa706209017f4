import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { createHmac, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { attack, recovered } from "./attack.ts";
import { chosenMails, countedWords, type Mail, victimMails, wordsOf } from "./mails.ts";
import type { StoredMail } from "./old-index.ts";
import { repeatedStrings } from "./repeated-strings.ts";

/** The attack finds known weaknesses: artificial indexes with one weakness each. */
setDefaultTimeout(60_000);

const WORDS = 1_600;
const numbered = (mails: readonly Mail[], from: number): StoredMail[] =>
  mails.map((mail, i) => ({ ...mail, n: from + i, id: `msg_${from + i}` }));
const victims = numbered(victimMails(12), 1);
const chosen = numbered(chosenMails(WORDS), 13);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "postroom-attack-test-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Creates a folder whose index has these bytes of each mail. */
function index(bytesOf: (mail: StoredMail) => Uint8Array | string): void {
  const sql = new Database(join(folder, "postroom.db"), { create: true });
  sql.run("CREATE TABLE search_blocks (n INTEGER PRIMARY KEY, data)");
  for (const mail of [...victims, ...chosen])
    sql.query("INSERT INTO search_blocks VALUES (?, ?)").run(mail.n, bytesOf(mail));
  sql.close();
}

const run = () => recovered(attack(folder, { mails: chosen, counted: countedWords(WORDS) }), victims);
const token = (word: string, width: number) => createHmac("sha256", "key").update(word).digest().subarray(0, width);
const tokens = ({ text }: Mail, width: number) => wordsOf(text).map((word) => token(word, width));

describe("is read by the attack:", () => {
  test.each([4, 8, 13, 32])("an index of tokens of %d bytes in the order of the text, behind a header", (width) => {
    index((mail) => Buffer.concat([randomBytes(13), ...tokens(mail, width)]));
    expect(run().pairs).toBeGreaterThan(200);
  });

  test("one of tokens in another order, because they can be counted", () => {
    index((mail) => Buffer.concat([randomBytes(5), ...tokens(mail, 8).sort(Buffer.compare)]));
    const { pairs } = run();
    expect(pairs).toBeGreaterThan(40);
    expect(pairs).toBeLessThan(200);
  });

  test("one of tokens with blanks between them", () => {
    index((mail) =>
      tokens(mail, 9)
        .map((each) => each.toString("base64url"))
        .join(" "),
    );
    expect(run().pairs).toBeGreaterThan(200);
  });

  test.each([
    ["plain", (text: string) => Buffer.from(text)],
    ["in UTF-16", (text: string) => Buffer.from(text, "utf16le")],
    ["compressed, behind a version", (text: string) => Buffer.concat([Buffer.from([1]), gzipSync(text)])],
  ])("a text %s", (_how, encode) => {
    index(({ text }) => encode(text));
    expect(run()).toMatchObject({ pairs: expect.any(Number), where: expect.arrayContaining(["search_blocks.data"]) });
    expect(run().pairs).toBeGreaterThan(600);
  });

  test("a text in a file", () => {
    index(() => randomBytes(200));
    writeFileSync(join(folder, "cache.bin"), [...victims, ...chosen].map(({ text }) => text).join("\0"));
    expect(run().pairs).toBeGreaterThan(100);
  });
});

test("random bytes are not read", () => {
  index(({ text }) => randomBytes(text.length));
  expect(run()).toMatchObject({ pairs: 0, where: [] });
});

test("a claim counts only when it is true", () => {
  const [{ n, id }] = victims as [StoredMail];
  const claim = (word: string, message: string | null) => ({ word, message, where: "t.c" });
  const right = [claim("dear", String(n)), claim("dear", id), claim("dear", null)];
  expect(
    recovered([...right, claim("zebra", String(n)), claim("dear", "999"), claim("zebra", null)], victims).pairs,
  ).toBe(2);
});

test("an 8-byte string that occurs twice is counted at any offset", () => {
  const eight = Buffer.from("abcdefgh");
  const values = [randomBytes(50), randomBytes(70)].map((bytes) => ({
    bytes: Buffer.concat([bytes, eight, bytes.subarray(0, 5)]),
  }));
  expect(repeatedStrings(values)).toBe(1);
  expect(repeatedStrings(values.slice(1))).toBe(0);
});
