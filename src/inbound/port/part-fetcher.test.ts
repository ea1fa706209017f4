import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { DOVECOT, type Dovecot, startDovecot } from "../../../test/support/dovecot.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { type Proxy as CuttingProxy, startProxy } from "../../../test/support/imap-proxy.ts";
import { createMailFixture, type MailFixture } from "../../../test/support/mail-fixture.ts";
import type { Content } from "../../mailbox/store/content-source.ts";
import { PartCache } from "../../platform/blobs/cache.ts";
import { BlobFiles } from "../../platform/blobs/files.ts";
import { PartFetcher } from "./part-fetcher.ts";
import { MailPort } from "./port.ts";
import { servePort } from "./worker.ts";

function noise(size: number): Buffer {
  const bytes = Buffer.alloc(size);
  let x = 1;
  for (let i = 0; i < size; i++) {
    x = (x * 1_103_515_245 + 12_345) & 0x7fffffff;
    bytes[i] = x >> 16;
  }
  return bytes;
}

const BIG = noise(6 * 1024 * 1024 + 77);
const LATIN = Buffer.from(`Prénom;Größe\r\n${"Zoë;17\r\n".repeat(30_000)}`, "latin1");
const SMALL = noise(5_000);

const base64 = (bytes: Buffer) => bytes.toString("base64").replace(/.{76}/g, "$&\r\n");

function part(name: string, mime: string, encoding: string, body: string): string {
  return `--b\r\nContent-Type: ${mime}; name="${name}"\r\nContent-Transfer-Encoding: ${encoding}\r\nContent-Disposition: attachment; filename="${name}"\r\n\r\n${body}\r\n`;
}

function mail(subject: string, ...parts: string[]): Buffer {
  const head =
    `From: bob@example.net\r\nTo: alice@mail.test\r\nSubject: ${subject}\r\nMessage-ID: <${subject}@content.example>\r\n` +
    `Date: Mon, 02 Mar 2026 09:00:00 +0000\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n`;
  const text = "--b\r\nContent-Type: text/plain\r\n\r\nSee the files.\r\n";
  return Buffer.from(`${head}${text}${parts.join("")}--b--\r\n`, "latin1");
}

const MAILS = {
  big: mail("big", part("big.bin", "application/octet-stream", "base64", base64(BIG))),
  latin: mail("latin", part("list.csv", "text/csv; charset=iso-8859-1", "8bit", LATIN.toString("latin1"))),
  small: mail("small", part("small.bin", "application/octet-stream", "base64", base64(SMALL))),
};

async function bytesOf(content: Content, start?: number, end?: number): Promise<Buffer> {
  return Buffer.from(await new Response(content.read(start, end)).arrayBuffer());
}

describe.skipIf(!DOVECOT)("content from a mail server", () => {
  let dovecot: Dovecot;
  let proxy: CuttingProxy;
  let fixture: MailFixture;
  let parts: PartCache;
  let port: MailPort;
  let files: BlobFiles;
  let stop: () => void;

  beforeAll(async () => {
    dovecot = await startDovecot();
    const other = await dovecot.connect("alice");
    for (const raw of Object.values(MAILS)) await other.append("INBOX", raw);
  });
  afterAll(() => dovecot?.stop());

  beforeEach(async () => {
    proxy = await startProxy(dovecot.imapPort);
    fixture = await createMailFixture({
      port: proxy.port,
      login: dovecot.logins.alice,
      longest_wait_ms: 5_000,
      config: { "mail.poll_seconds": 3600 },
    });
    fixture.start();
    await fixture.agrees(await dovecot.connect("alice"));
    parts = new PartCache(fixture.platform);
    parts.start();
    port = new MailPort({ platform: fixture.platform, parts });
    const { port1, port2 } = new MessageChannel();
    files = new BlobFiles(fixture.platform);
    const content = new PartFetcher({
      platform: fixture.platform,
      accounts: fixture.mailbox.accounts,
      locations: fixture.mailbox.locations,
      files,
      connectionQueue: (account_id) => fixture.supervisor.connectionQueue(account_id),
    });
    const end = servePort(port2, fixture.platform.log, {
      content: (request, tell, signal) => content.fetch(request, tell, signal),
      syncNow: (account_id) => fixture.supervisor.syncNow(account_id),
      accountsChanged: () => fixture.supervisor.reconcile(),
      stop: () => {},
    });
    port1.start();
    port2.start();
    port.connect(port1);
    stop = () => {
      end();
      port.disconnect();
      port1.close();
      port2.close();
    };
  });
  afterEach(async () => {
    stop();
    await fixture.close();
    await proxy.close();
  });

  const scope = () => ({ user_id: fixture.user.id, account_id: null });
  const messageId = (subject: string) => fixture.messages().find((message) => message.subject === subject)!.id;
  const fileOf = (subject: string) => {
    const id = messageId(subject);
    const { attachments } = fixture.mailbox.messageQueries.get(scope(), id);
    return fixture.mailbox.messageQueries.attachment(scope(), id, attachments[0]!.id).ref;
  };
  const rawOf = (subject: string) => fixture.mailbox.messageQueries.raw(scope(), messageId(subject));
  const onDisk = () =>
    readdirSync(fixture.platform.config.data_dir, { recursive: true })
      .map((entry) => join(fixture.platform.config.data_dir, String(entry)))
      .filter((path) => path.includes("/cache/parts/") && statSync(path).isFile());
  const stopServer = () => {
    proxy.accept(false);
    proxy.cut();
  };

  test("a large attachment is returned byte for byte, in full and in part, and remains when the server is gone", async () => {
    const content = await port.attachment(fileOf("big"));
    expect(content.size).toBe(BIG.length);
    expect((await bytesOf(content)).equals(BIG)).toBe(true);
    stopServer();
    const again = await port.attachment(fileOf("big"));
    expect(again.size).toBe(BIG.length);
    expect((await bytesOf(again, 3_000_000, 3_100_000)).equals(BIG.subarray(3_000_000, 3_100_000))).toBe(true);
    expect((await bytesOf(again, BIG.length - 10)).equals(BIG.subarray(-10))).toBe(true);
  });

  test("a text file is not converted to another character set", async () => {
    expect((await bytesOf(await port.attachment(fileOf("latin")))).equals(LATIN)).toBe(true);
  });

  test("an attachment of a small message is cut from its source", async () => {
    const ref = fileOf("small");
    expect(ref.part).toBeNull();
    expect((await bytesOf(await port.attachment(ref))).equals(SMALL)).toBe(true);
  });

  test("a source that is dropped between finding and reading it returns the same bytes, from the cache or the server", async () => {
    const name = { user_id: fixture.user.id, message_id: messageId("small"), part: "raw" };
    const find = files.find.bind(files);
    for (const giveUp of [() => files.demote(name), () => rmSync(files.path("blobs", name))]) {
      parts.removeMessage(name.user_id, name.message_id);
      files.storeRaw(name, MAILS.small);
      files.find = async (asked) => {
        const found = await find(asked);
        if (found?.root === "blobs") giveUp();
        return found;
      };
      expect((await bytesOf(await port.attachment(fileOf("small")))).equals(SMALL)).toBe(true);
      expect((await find(name))?.root).not.toBe("blobs");
    }
  });

  test("a message's source is the server's, and its size is known before it arrives", async () => {
    const content = await port.raw(rawOf("big"));
    expect(content.size).toBe(MAILS.big.length);
    // Still downloading: the file has its temporary name and is read while it grows.
    expect(onDisk().some((path) => path.endsWith(".part"))).toBe(true);
    expect((await bytesOf(content)).equals(MAILS.big)).toBe(true);
    await eventually(() => onDisk().length === 1 && parts.bytes > MAILS.big.length);
  });

  test("concurrent requests for the same part share one download", async () => {
    const before = proxy.bytesDown;
    const ref = fileOf("big");
    const all = await Promise.all(Array.from({ length: 8 }, () => port.attachment(ref)));
    for (const content of all) expect((await bytesOf(content)).equals(BIG)).toBe(true);
    expect(proxy.bytesDown - before).toBeLessThan(1.5 * MAILS.big.length);
  });

  test("a download resumes over a new connection after the old one breaks", async () => {
    proxy.cutAfter = () => 2_500_000;
    proxy.cut();
    const content = port.attachment(fileOf("big"));
    expect((await bytesOf(await content)).equals(BIG)).toBe(true);
  });

  test("a server that is down results in provider_unavailable, quickly", async () => {
    stopServer();
    const began = performance.now();
    await expect(port.attachment(fileOf("big"))).rejects.toMatchObject({ code: "provider_unavailable" });
    await expect(port.raw(rawOf("small"))).rejects.toMatchObject({ code: "provider_unavailable" });
    expect(performance.now() - began).toBeLessThan(5_000);
    proxy.accept(true);
    expect((await bytesOf(await port.raw(rawOf("small")))).equals(MAILS.small)).toBe(true);
  });

  test("a message that the server no longer has is not_found unless another copy exists", async () => {
    const client = await dovecot.connect("alice");
    await client.append("INBOX", Buffer.from(MAILS.small.toString("latin1").replaceAll("small", "gone"), "latin1"));
    await fixture.agrees(client);
    const gone = rawOf("gone");
    await client.mailboxOpen("INBOX");
    const [uid] = (await client.search({ header: { subject: "gone" } }, { uid: true })) || [];
    await client.messageCopy(String(uid), "Archive", { uid: true });
    await fixture.agrees(client);
    // From here on nothing is synced: the locations are outdated, as they are briefly after every move.
    const queue = fixture.supervisor.connectionQueue(fixture.account.id)!;
    const locations = fixture.platform.db.sql
      .query("SELECT folder_id, uid FROM locations WHERE message_id = ?")
      .all(gone.message_id);
    expect(locations).toHaveLength(2);
    await client.mailboxOpen("INBOX");
    await queue.run(0, async () => {
      await client.messageDelete(String(uid), { uid: true });
    });
    expect((await bytesOf(await port.raw(gone))).toString("latin1")).toContain("Subject: gone");
    await client.mailboxOpen("Archive");
    await client.messageDelete("1:*");
    parts.removeMessage(fixture.user.id, gone.message_id);
    await expect(port.raw(gone)).rejects.toMatchObject({ code: "not_found" });
    await fixture.agrees(client);
  });

  test("when a reader leaves, the download ends and leaves no file", async () => {
    const content = await port.raw(rawOf("big"));
    const reader = content.read().getReader();
    await reader.read();
    await reader.cancel();
    await eventually(() => onDisk().length === 0);
    expect((await bytesOf(await port.raw(rawOf("big")))).equals(MAILS.big)).toBe(true);
  });

  test("a client that gives up waiting is answered immediately", async () => {
    const abort = new AbortController();
    const waiting = port.attachment(fileOf("big"), abort.signal);
    abort.abort();
    await expect(waiting).rejects.toMatchObject({ code: "provider_unavailable" });
    await eventually(() => onDisk().length === 0);
  });

  test("the sandbox's mail needs no server", async () => {
    const sandbox = fixture.mailbox.accounts.add({
      user_id: fixture.user.id,
      provider: "sandbox",
      email: "alex@sandbox.example",
      connection: null,
    });
    stopServer();
    const of = { user_id: fixture.user.id, account_id: sandbox.id, message_id: "msg_sandbox" };
    parts.files.storeRaw(of, MAILS.small);
    expect((await bytesOf(await port.raw({ ...of, size: 0 }))).equals(MAILS.small)).toBe(true);
    const ref = { ...of, attachment_id: "att_sandbox", index: 0, part: null, encoding: null, size: 1 };
    expect((await bytesOf(await port.attachment(ref))).equals(SMALL)).toBe(true);
    await expect(port.raw({ ...of, message_id: "msg_other", size: 0 })).rejects.toMatchObject({ code: "not_found" });
  });
});
