import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { DOVECOT, type Dovecot, startDovecot } from "../../../test/support/dovecot.ts";
import { createMailFixture, type MailFixture } from "../../../test/support/mail-fixture.ts";
import { AttachmentSizes } from "../../mailbox/store/attachment-sizes.ts";
import { PartCache } from "../../platform/blobs/cache.ts";
import { BlobFiles } from "../../platform/blobs/files.ts";
import { PartFetcher } from "./part-fetcher.ts";
import { MailPort } from "./port.ts";
import { servePort } from "./worker.ts";

const bytes = (size: number) => Buffer.from(Array.from({ length: size }, (_, i) => (i * 7_919 + (i >> 5)) & 255));
const wrapped = (text: string, width: number) => text.replace(new RegExp(`.{${width}}`, "g"), "$&\r\n");
const quoted = (data: Buffer) =>
  wrapped([...data].map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, "0")}`).join(""), 75).replace(
    /(?<=.)\r\n/g,
    "=\r\n",
  );
const uuencoded = (data: Buffer) => {
  const out = ["begin 644 f.bin"];
  for (let at = 0; at < data.length; at += 45) {
    const line = data.subarray(at, at + 45);
    let text = String.fromCharCode(32 + line.length);
    for (let i = 0; i < line.length; i += 3) {
      const word = ((line[i] ?? 0) << 16) | ((line[i + 1] ?? 0) << 8) | (line[i + 2] ?? 0);
      for (const shift of [18, 12, 6, 0]) text += String.fromCharCode(32 + ((word >> shift) & 63)).replace(" ", "`");
    }
    out.push(text);
  }
  return [...out, "`", "end"].join("\r\n");
};

/** [encoding, bytes as sent, decoded length, how far the estimate may be off] */
const PARTS: [name: string, encoding: string, body: string, size: number, most: number][] = [
  ["usual.bin", "base64", wrapped(bytes(200_001).toString("base64"), 76), 200_001, 4],
  ["narrow.bin", "base64", wrapped(bytes(33_318).toString("base64"), 20), 33_318, 4],
  ["one-line.bin", "base64", bytes(120_000).toString("base64"), 120_000, 4],
  ["padded.bin", "base64", wrapped(bytes(50_000).toString("base64"), 60), 50_000, 4],
  ["quoted.bin", "quoted-printable", quoted(bytes(33_318)), 33_318, 700],
  ["uu.bin", "x-uuencode", uuencoded(bytes(60_000)), 60_000, 700],
  ["plain.csv", "7bit", "a;b;c\r\n".repeat(9_000), 63_000, 0],
  ["tiny.bin", "base64", bytes(300).toString("base64"), 300, 0],
];

const RAW =
  `From: bob@example.net\r\nSubject: files\r\nMessage-ID: <files@sizes.example>\r\nMIME-Version: 1.0\r\n` +
  `Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nSee the files.\r\n` +
  PARTS.map(
    ([name, encoding, body]) =>
      `--b\r\nContent-Type: application/octet-stream\r\nContent-Transfer-Encoding: ${encoding}\r\n` +
      `Content-Disposition: attachment; filename=${name}\r\n\r\n${body}\r\n`,
  ).join("") +
  "--b--\r\n";

describe.skipIf(!DOVECOT)("sizes of attachments of a large message", () => {
  let dovecot: Dovecot;
  let fixture: MailFixture;
  let port: MailPort;
  let stop = () => {};

  beforeAll(async () => {
    dovecot = await startDovecot();
    dovecot.loadMaildir("alice", "INBOX", [{ raw: Buffer.from(RAW, "latin1") }]);
  });
  afterAll(() => dovecot?.stop());
  beforeEach(async () => {
    fixture = await createMailFixture({ port: dovecot.imapPort, login: dovecot.logins.alice, longest_wait_ms: 5_000 });
    fixture.start();
    await fixture.agrees(await dovecot.connect("alice"));
    open();
  });

  const open = () => {
    const { platform, mailbox } = fixture;
    const parts = new PartCache(platform);
    parts.start();
    port = new MailPort({ platform, parts, sizes: new AttachmentSizes(platform) });
    const { port1, port2 } = new MessageChannel();
    const content = new PartFetcher({
      platform,
      accounts: mailbox.accounts,
      locations: mailbox.locations,
      files: new BlobFiles(platform),
      connectionQueue: (account_id) => fixture.supervisor.connectionQueue(account_id),
    });
    const end = servePort(port2, platform.log, {
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
  };
  const close = async () => {
    stop();
    await fixture.close();
  };
  const scope = () => ({ user_id: fixture.user.id, account_id: null });
  const id = () => fixture.messages()[0]!.id;
  const listed = () => fixture.mailbox.messageQueries.get(scope(), id()).attachments;
  const ref = (n: number) => fixture.mailbox.messageQueries.attachment(scope(), id(), listed()[n]!.id).ref;
  const readAll = async (content: { read(): ReadableStream<Uint8Array> }) =>
    (await new Response(content.read()).arrayBuffer()).byteLength;

  test("are marked as close estimates until the bytes were read, then are exact, even after a restart", async () => {
    try {
      const before = listed();
      expect(before.map(({ name, size_estimated }) => [name, size_estimated])).toEqual(
        PARTS.map(([name]) => [name, name === "tiny.bin" ? undefined : true]),
      );
      for (const [n, [name, , , exact, most]] of PARTS.entries()) {
        expect([name, Math.abs(before[n]!.size - exact) <= most]).toEqual([name, true]);
      }
      for (const [n, [name, , , exact]] of PARTS.entries()) {
        const content = await port.attachment(ref(n));
        expect([name, content.size, await readAll(content)]).toEqual([name, exact, exact]);
        expect(listed()[n]).toMatchObject({ name, size: exact });
        expect(listed()[n]).not.toHaveProperty("size_estimated");
        if (n < PARTS.length - 2) expect(listed()[n + 1]).toHaveProperty("size_estimated", true);
      }
      stop();
      await fixture.reboot();
      open();
      expect(listed().map(({ size }) => size)).toEqual(PARTS.map(([, , , exact]) => exact));
    } finally {
      await close();
    }
  });

  test("are exact once the message's source was read, for example by an export", async () => {
    try {
      await readAll(await port.raw(fixture.mailbox.messageQueries.raw(scope(), id())));
      while (listed().some(({ size_estimated }) => size_estimated))
        await new Promise((resolve) => setImmediate(resolve));
      expect(listed().map(({ size }) => size)).toEqual(PARTS.map(([, , , exact]) => exact));
    } finally {
      await close();
    }
  });

  test("of attachments stored by an older version are noted when they are read", async () => {
    try {
      await readAll(await port.attachment(ref(1)));
      fixture.platform.db.sql.query("UPDATE attachments SET size = 78302, size_estimated = 1").run();
      const before = listed()[1]!;
      expect([before.size, before.size_estimated]).toEqual([78_302, true]);
      expect((await port.attachment(ref(1))).size).toBe(33_318);
      expect(listed()[1]).toMatchObject({ size: 33_318 });
      expect(listed()[1]).not.toHaveProperty("size_estimated");
    } finally {
      await close();
    }
  });
});
