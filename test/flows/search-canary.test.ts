import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mailPipeline } from "../../src/app/mail.ts";
import { type Read, readContents } from "../../src/inbound/message/parsed-message.ts";
import { toIncoming } from "../../src/inbound/message/pipeline.ts";
import { SCOPES } from "../../src/kernel/scopes.ts";
import { createMailbox } from "../../src/mailbox/mailbox.ts";
import { BlobFiles } from "../../src/platform/blobs/files.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { openPlatform, type Platform } from "../../src/platform/platform.ts";
import { eventually } from "../support/eventually.ts";
import { readIndex } from "../support/index-content.ts";

/**
 * Search with everything on: workers, model, vectors. New mail is found by words, by meaning and by attachments within
 * seconds; no word of it is anywhere on disk, in clear or as a hash that needs no key.
 */

const WORDS = {
  subject: "marzipanfrachter",
  body: "xylophonist",
  sender: "quetzalbird",
  fileName: "grommetledger",
  file_text: "zymurgyinvoice",
  query: "swordfishsonata",
};

const letter = (email: string) =>
  [
    `From: Zinaida ${WORDS.sender} <zinaida@${WORDS.sender}.example>`,
    `To: <${email}>`,
    `Subject: The ${WORDS.subject} leaves at dawn`,
    "Message-ID: <canary.1@correspondent.example>",
    "MIME-Version: 1.0",
    'Content-Type: multipart/mixed; boundary="b"',
    "",
    "--b",
    "Content-Type: text/plain; charset=utf-8",
    "",
    `Please bring the ${WORDS.body} to the harbour, and do not be late for the ship.`,
    "--b",
    `Content-Type: text/csv; name="${WORDS.fileName}.csv"`,
    `Content-Disposition: attachment; filename="${WORDS.fileName}.csv"`,
    "",
    `item,total\n${WORDS.file_text},42`,
    "--b--",
    "",
  ].join("\r\n");

describe("search and the disk", () => {
  const data = mkdtempSync(join(tmpdir(), "postroom-search-"));
  let log = "";
  let server: Bun.Subprocess<"ignore", "inherit", "pipe">;
  let platform: Platform;
  let url = "";
  let key = "";
  let user_id = "";
  let arrivedAt = 0;

  beforeAll(async () => {
    const main = join(import.meta.dir, "../../src/main.ts");
    server = Bun.spawn([process.execPath, main, "serve", "--data", data, "--port", "0"], {
      env: { ...process.env, POSTROOM_LOG_LEVEL: "debug" },
      stdin: "ignore",
      stdout: "inherit",
      stderr: "pipe",
    });
    void (async () => {
      const decoder = new TextDecoder();
      for await (const chunk of server.stderr) log += decoder.decode(chunk, { stream: true });
    })();
    await eventually(() => log.includes("sandbox mailbox ready"), 50_000);
    url = `http://127.0.0.1:${/listening.* port=(\d+)/.exec(log)![1]}`;
    platform = openPlatform({ config: loadConfig({ data_dir: data, env: {} }), clock: systemClock });
    user_id = platform.users.sandboxOf(platform.users.list()[0]!.id).id;
    key = platform.keys.create({ user_id, name: "test", scopes: [...SCOPES], test: true }).secret;
    deliver(user_id, await readContents({ source: Buffer.from(letter("alex@sandbox.example")) }));
  }, 60_000);
  afterAll(async () => {
    server?.kill("SIGKILL");
    await server?.exited;
    rmSync(data, { recursive: true, force: true });
  });

  /** Mail arrives in the sandbox. */
  function deliver(user_id: string, { contents }: Read): void {
    const mailbox = createMailbox(platform);
    const [account] = mailbox.accounts.list(user_id);
    const folder = mailbox.folders.list(account!).find(({ role }) => role === "inbox")!;
    const source = Buffer.from(letter(account!.email));
    const flags = { seen: false, flagged: false, answered: false, draft: false, important: false };
    const at = { folderId: folder.id, uid: 90_001, internalDate: platform.clock.now(), size: source.length };
    const incoming = toIncoming(contents, { ...at, flags, labels: [], flagsHash: 0, serverThreadId: null });
    platform.db.write(() => {
      mailPipeline(platform, mailbox).take(account!, folder, [incoming]);
      const { id } = platform.db.sql
        .query<{ id: string }, [string]>("SELECT id FROM messages WHERE user_id = ? ORDER BY n DESC LIMIT 1")
        .get(user_id)!;
      new BlobFiles(platform).storeRaw({ user_id, message_id: id }, source);
    });
    arrivedAt = performance.now();
  }

  async function search(query: string, mode: string) {
    const answer = await fetch(`${url}/v1/search`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ query, mode, limit: 3 }),
    });
    expect(answer.status).toBe(200);
    // biome-ignore lint/suspicious/noExplicitAny: a test reads answers of every shape
    return (await answer.json()) as any;
  }
  const subjects = async (query: string, mode: string): Promise<string[]> =>
    (await search(query, mode)).data.map((row: { subject: string }) => row.subject);

  test("new mail is found by its words at once, and by its meaning and attachments soon after", async () => {
    const subject = `The ${WORDS.subject} leaves at dawn`;
    for (const word of [WORDS.subject, WORDS.body, WORDS.sender, WORDS.fileName, "xylo*"]) {
      expect([word, await subjects(word, "keyword")]).toEqual([word, [subject]]);
    }
    await eventually(
      async () => (await subjects("departure of the ship from the port", "semantic")).includes(subject),
      20_000,
    );
    await eventually(async () => (await subjects(WORDS.file_text, "keyword")).includes(subject), 20_000);
    expect(performance.now() - arrivedAt).toBeLessThan(30_000);
    await subjects(WORDS.query, "hybrid");
    await eventually(async () => !(await search("ship", "semantic")).partial, 60_000);
  }, 90_000);

  test("no word of a message, an attachment or a query is on disk or in the log", async () => {
    const words = Object.values(WORDS);
    const needles = words.flatMap((word) => [word, word.toUpperCase(), ...hashes(word)]);
    const encoded = [...needles.map((text) => Buffer.from(text)), ...words.map((word) => Buffer.from(word, "utf16le"))];
    const raw = words.flatMap((word) =>
      ["md5", "sha1", "sha256"].map((name) => createHash(name).update(word).digest()),
    );
    const look = () => {
      const found: string[] = [];
      for (const path of files(data)) {
        const bytes = readFileSync(path);
        const low = Buffer.from(bytes.toString("latin1").toLowerCase(), "latin1");
        for (const needle of [...encoded, ...raw]) {
          if (bytes.includes(needle) || low.includes(needle)) found.push(`${path.slice(data.length)}: ${needle}`);
        }
      }
      return found;
    };
    // Checked while it runs, with the WAL and the snapshots, and after it has stopped and written everything.
    expect(look()).toEqual([]);
    // Words that were pending are in a segment now.
    await createMailbox(platform).fullText.maintain(user_id, { rest: async () => {}, flush: true });
    expect(readIndex(platform, user_id).some(({ terms }) => terms.has(WORDS.file_text))).toBe(true);
    platform.close();
    server.kill("SIGTERM");
    await server.exited;
    expect(files(data).some((path) => path.includes("/vectors/") || path.endsWith("postroom.db"))).toBe(true);
    expect(look()).toEqual([]);
    for (const word of words) expect(log.toLowerCase()).not.toContain(word);
  }, 60_000);
});

/** Returns the forms of a word that need no key. */
function hashes(word: string): string[] {
  return ["md5", "sha1", "sha256", "sha512"].flatMap((name) => {
    const digest = createHash(name).update(word).digest();
    return [digest.toString("hex"), digest.toString("base64"), digest.toString("hex").slice(0, 16)];
  });
}

/** Files of the folder, without the libraries and the model, which are ours and not the user's. */
function files(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("/cache/native"))
    .map((entry) => join(entry.parentPath, entry.name));
}
