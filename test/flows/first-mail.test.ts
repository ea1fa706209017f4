import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { spamAssassin } from "../support/corpus.ts";
import { DOVECOT, type Dovecot, startDovecot } from "../support/dovecot.ts";

/**
 * The shortest complete path: the executable alone in an empty folder, a mailbox on a real IMAP server, the first sync,
 * the API with a key, and nothing readable on disk.
 */

const ROOT = resolve(import.meta.dir, "../..");
const MESSAGES = 60;

const LETTER = [
  "From: Zinaida Quetzalbird <zinaida@correspondent.example>",
  "To: Alice <alice@mail.test>",
  "Subject: Marzipanfrachter at dawn",
  "Message-ID: <first-mail.canary.1@correspondent.example>",
  "Date: Mon, 02 Mar 2026 08:00:00 +0000",
  "MIME-Version: 1.0",
  'Content-Type: multipart/mixed; boundary="b"',
  "",
  "--b",
  "Content-Type: text/plain; charset=utf-8",
  "",
  "Bring the xylophonist. The password is swordfishsonata.",
  "--b",
  'Content-Type: text/csv; name="grommetledger.csv"',
  'Content-Disposition: attachment; filename="grommetledger.csv"',
  "",
  "a,b",
  "1,2",
  "--b--",
  "",
].join("\r\n");

/** Words that must not occur anywhere in the data folder. */
const CANARIES = [
  ...[
    "Quetzalbird",
    "zinaida@correspondent",
    "Marzipanfrachter",
    "first-mail.canary",
    "xylophonist",
    "swordfishsonata",
  ],
  ...["grommetledger", "alice@mail.test", "alice-pw"],
];

if (!DOVECOT) console.info("skipped: first mail through the executable (Debian's dovecot-imapd is not installed)");

describe.skipIf(!DOVECOT)("the executable and a real mailbox", () => {
  const folder = mkdtempSync(join(tmpdir(), "postroom-first-mail-"));
  const executable = join(folder, "bin", "postroom");
  const home = join(folder, "empty");
  let dovecot: Dovecot;
  let server: Bun.Subprocess<"ignore", "pipe", "pipe">;
  let api = "";
  let key = "";
  const env = { HOME: home, PATH: "/usr/bin:/bin" };

  async function postroom(args: string[], input = ""): Promise<string> {
    const child = Bun.spawn([executable, ...args], {
      cwd: home,
      env,
      stdin: Buffer.from(input),
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    if ((await child.exited) !== 0) throw new Error(`postroom ${args.join(" ")}: ${err}${out}`);
    return out.trim();
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test reads answers of every shape
  async function get(path: string): Promise<any> {
    const answer = await fetch(`${api}${path}`, { headers: { Authorization: `Bearer ${key}` } });
    expect(answer.status).toBe(200);
    return answer.json();
  }

  async function until<T>(look: () => Promise<T | null>, withinMs = 20_000): Promise<T> {
    const end = performance.now() + withinMs;
    for (;;) {
      const found = await look();
      if (found !== null) return found;
      if (performance.now() > end) throw new Error("waited too long");
      await Bun.sleep(50);
    }
  }

  beforeAll(async () => {
    mkdirSync(home);
    const build = Bun.spawnSync([join(ROOT, "dev"), "build", "--outfile", executable], { cwd: ROOT });
    if (build.exitCode !== 0) throw new Error(build.stderr.toString());
    dovecot = await startDovecot();
    dovecot.loadMaildir("alice", "INBOX", [...spamAssassin(MESSAGES - 1).map(({ raw }) => ({ raw })), { raw: LETTER }]);
    server = Bun.spawn([executable, "serve", "--port", "0"], {
      cwd: home,
      env,
      stdout: "pipe",
      stderr: "pipe",
      stdin: "ignore",
    });
    const port = await firstMatch(server.stderr, /listening.* port=(\d+)/);
    api = `http://127.0.0.1:${port}/v1`;
  }, 240_000);

  afterAll(async () => {
    server?.kill();
    await server?.exited;
    await dovecot?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test("an account that cannot log in is refused with the reason", async () => {
    const add = accountAdd(`127.0.0.1:${dovecot.imapPort}`);
    expect(postroom(add, "wrong\n")).rejects.toThrow(/refused the username or password/);
  }, 20_000);

  test("a connected mailbox appears completely behind the API", async () => {
    await postroom(accountAdd(`127.0.0.1:${dovecot.imapPort}`), "alice-pw\n");
    key = await postroom(["key", "create", "--user", "owner@localhost", "--name", "test", "--scopes", "all"]);
    expect(key).toMatch(/^service_live_[0-9A-Za-z]{43}$/);
    const account = await until(async () => {
      const { data } = await get("/accounts");
      return data[0]?.sync.phase === "live" ? data[0] : null;
    });
    expect(account).toMatchObject({ provider: "imap", email: "alice@mail.test", status: "active" });
    expect(account.sync).toEqual({ phase: "live", done: MESSAGES, total: MESSAGES });

    let messages = 0;
    let cursor = "";
    do {
      const page = await get(`/threads?limit=25${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
      for (const thread of page.data) messages += thread.message_count;
      cursor = page.has_more ? page.next_cursor : "";
    } while (cursor !== "");
    expect(messages).toBe(MESSAGES);
  }, 60_000);

  test("and its completeness is verified, UID by UID", async () => {
    const { data } = await get("/accounts");
    const words = `${MESSAGES} of ${MESSAGES} messages are here, verified just now.`;
    expect(await postroom(["account", "check", data[0].id])).toEndWith(words);
    const found = await get(`/accounts/${data[0].id}/completeness`);
    expect(found).toMatchObject({ complete: true, total: { server: MESSAGES, here: MESSAGES, missing: 0, extra: 0 } });
  }, 60_000);

  test("a message is returned as it was sent", async () => {
    const page = await get("/threads?limit=100");
    const thread = page.data.find((item: { subject: string }) => item.subject === "Marzipanfrachter at dawn");
    expect(thread).toMatchObject({
      from: { name: "Zinaida Quetzalbird", email: "zinaida@correspondent.example" },
      unread: true,
    });
    const { data } = await get(`/threads/${thread.id}/messages`);
    expect(data[0].body_text).toBe("Bring the xylophonist. The password is swordfishsonata.");
    expect(data[0].attachments[0]).toMatchObject({ name: "grommetledger.csv", mime: "text/csv" });
    const single = await get(`/messages/${data[0].id}`);
    expect(single.headers.message_id).toBe("<first-mail.canary.1@correspondent.example>");
    const file = await fetch(`${api}/messages/${data[0].id}/attachments/${data[0].attachments[0].id}`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    expect(await file.text()).toContain("1,2");
  }, 20_000);

  test("new mail is in the API within two seconds of its delivery", async () => {
    await dovecot.deliver(
      "alice",
      "From: bob@mail.test\r\nTo: alice@mail.test\r\nSubject: fresh\r\nMessage-ID: <fresh@mail.test>\r\n\r\nhello\r\n",
    );
    await until(async () => ((await get("/threads?limit=1")).data[0].subject === "fresh" ? true : null), 2_000);
  }, 10_000);

  test("a change through the API reaches the mail server", async () => {
    const thread = (await get("/threads?limit=1")).data[0];
    const answer = await fetch(`${api}/threads/${thread.id}`, {
      method: "PATCH",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body: JSON.stringify({ read: true, state: "archived" }),
    });
    expect(await answer.json()).toEqual({ id: thread.id, state: "archived", labels: [], unread: false });
    const other = await dovecot.connect("alice");
    await until(async () => {
      const { messages, unseen } = (await other.status("Archive", { messages: true, unseen: true })) || {};
      return messages === 1 && unseen === 0 ? true : null;
    });
  }, 30_000);

  test("nothing that people wrote or named, no password and no key is readable in the data folder", async () => {
    server.kill();
    await server.exited;
    const words = [...CANARIES, key, key.slice("service_live_".length)];
    for (const path of files(join(home, "data"))) {
      const bytes = readFileSync(path);
      for (const word of words) {
        if (bytes.includes(word) || bytes.includes(Buffer.from(word, "utf16le")))
          throw new Error(`${word} occurs in ${path}`);
      }
    }
  });

  function accountAdd(imap: string): string[] {
    return [
      ...["account", "add", "--user", "owner@localhost", "--email", "alice@mail.test", "--imap", imap],
      ...["--imap-security", "none", "--username", "alice@mail.test", "--password-stdin"],
    ];
  }
});

function* files(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) yield join(entry.parentPath, entry.name);
  }
}

/** Reads a stream until a line matches; returns the first group, and keeps draining the stream. */
async function firstMatch(stream: ReadableStream<Uint8Array>, pattern: RegExp): Promise<string> {
  const reader = stream.getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`ended before ${pattern}: ${text}`);
    text += Buffer.from(value).toString();
    const found = pattern.exec(text)?.[1];
    if (!found) continue;
    void (async () => {
      while (!(await reader.read()).done);
    })();
    return found;
  }
}
