import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { DOVECOT, type Dovecot, startDovecot } from "../../../test/support/dovecot.ts";
import { createMailFixture, type MailFixture } from "../../../test/support/mail-fixture.ts";

const MB = 1024 * 1024;
const lines = (text: string) => text.replace(/.{76}/g, "$&\r\n");
const base64 = (bytes: Uint8Array) => lines(Buffer.from(bytes).toString("base64"));
/** Quoted-printable, soft line breaks included. */
const quoted = (text: string) =>
  Buffer.from(text)
    .toString("latin1")
    .replace(/[^\n -<>-~]/g, (c) => `=${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`)
    .replace(/[^\n]{70}(?=[^\n])/g, (line) => {
      const at = line.lastIndexOf("=") > 67 ? line.lastIndexOf("=") : 70;
      return `${line.slice(0, at)}=\r\n${line.slice(at)}`;
    })
    .replace(/(?<!\r)\n/g, "\r\n");

function mail(id: string, type: string, encoding: string, body: string): string {
  return (
    `From: bob@example.net\r\nTo: alice@mail.test\r\nSubject: ${id}\r\nMessage-ID: <${id}@long.example>\r\n` +
    `Date: Mon, 02 Mar 2026 09:00:00 +0000\r\nMIME-Version: 1.0\r\nContent-Type: ${type}\r\n` +
    `Content-Transfer-Encoding: ${encoding}\r\n\r\n${body}\r\n`
  );
}

const TEXT = "Dear Ada, the café opens at nine – bring the signed lease.";
const hidden = `<div style="display:none;max-height:0">${"preheader filler &zwnj; ".repeat(60_000)}</div>\n`;
const comment = `<!-- ${"filler ".repeat(220_000)} -->\n`;
const sheets = `<style>\n${".a{color:red}\n".repeat(100_000)}</style>\n`;
const widthless = `<p>${"\u200c\u00a0 ".repeat(200_000)}</p>\n`;
const html = (filler: string) => `<html><body>\n${filler}<p>${TEXT}</p>\n</body></html>`;
const prose = Array.from({ length: 60_000 }, (_, i) => `Line ${i} of a very long report on leases.`).join("\r\n");
const wide = Buffer.from(`\ufeff${html(`<!-- ${"filler ".repeat(200_000)} -->`)}`, "utf16le");

/** [mail, whether part of it is left out]. All are about 3 MB. */
const MAILS: Record<string, [raw: string, truncated: boolean]> = {
  "html-base64": [
    mail("html-base64", "text/html; charset=utf-8", "base64", base64(Buffer.from(html(hidden + sheets)))),
    false,
  ],
  "html-qp": [mail("html-qp", "text/html; charset=utf-8", "quoted-printable", quoted(html(comment + hidden))), false],
  "html-8bit": [
    mail(
      "html-8bit",
      "text/html; charset=utf-8",
      "8bit",
      Buffer.from(html(hidden + widthless + sheets)).toString("latin1"),
    ),
    false,
  ],
  "html-latin1": [
    mail(
      "html-latin1",
      "text/html; charset=windows-1252",
      "quoted-printable",
      html(comment + sheets)
        .replace("é", "=E9")
        .replace("–", "=96")
        .replaceAll('=""', '=3D""'),
    ),
    false,
  ],
  "html-utf16": [mail("html-utf16", "text/html; charset=utf-16", "base64", base64(wide)), false],
  "html-picture": [
    mail(
      "html-picture",
      "text/html; charset=utf-8",
      "base64",
      base64(Buffer.from(html(`<img alt="plan" src="data:image/png;base64,${"iVBORw0K".repeat(300_000)}">`))),
    ),
    false,
  ],
  "plain-filler": [
    mail(
      "plain-filler",
      "text/plain; charset=utf-8",
      "base64",
      base64(Buffer.from(`${"\u200b \n".repeat(500_000)}${TEXT}`)),
    ),
    false,
  ],
  "plain-long": [mail("plain-long", "text/plain; charset=us-ascii", "7bit", `${prose}\r\n${TEXT}`), true],
  "html-long": [
    mail("html-long", "text/html; charset=us-ascii", "7bit", `<p>${prose.replaceAll("\r\n", "</p>\r\n<p>")}</p>`),
    true,
  ],
};

describe.skipIf(!DOVECOT)("text of long messages on a real server", () => {
  let dovecot: Dovecot;
  let fixture: MailFixture;

  beforeAll(async () => {
    dovecot = await startDovecot();
    dovecot.loadMaildir(
      "alice",
      "INBOX",
      Object.values(MAILS).map(([raw]) => ({ raw: Buffer.from(raw, "latin1") })),
    );
    fixture = await createMailFixture({ port: dovecot.imapPort, login: dovecot.logins.alice, longest_wait_ms: 5_000 });
    fixture.start();
    await fixture.agrees(await dovecot.connect("alice"), 60_000);
  }, 90_000);
  afterAll(async () => {
    await fixture?.close();
    await dovecot?.stop();
  });

  const stored = (subject: string) => {
    const { id } = fixture.messages().find((message) => message.subject === subject)!;
    const scope = { user_id: fixture.user.id, account_id: null };
    return { ...fixture.mailbox.messageQueries.get(scope, id), html: fixture.mailbox.messageQueries.html(scope, id) };
  };

  test.each(Object.entries(MAILS))("%s", (subject, [raw, truncated]) => {
    expect(raw.length).toBeGreaterThan(2.3 * MB);
    const { text, body_text, new_text, truncated: said, html } = stored(subject);
    expect([said, html.truncated]).toEqual([truncated, truncated]);
    if (truncated) {
      expect(text).toStartWith("Line 0 of a very long report");
      expect(text.length).toBeGreaterThan(0.9 * MB);
    } else for (const part of [text, body_text, new_text]) expect(part).toContain(TEXT);
    // The stored size is limited, however much was skipped.
    expect((html.html ?? "").length).toBeLessThan(5 * MB);
  });

  test("the truncation marks survive a restart", async () => {
    await fixture.reboot();
    fixture.start();
    await fixture.agrees(await dovecot.connect("alice"), 60_000);
    for (const [subject, [, truncated]] of Object.entries(MAILS))
      expect([subject, stored(subject).truncated]).toEqual([subject, truncated]);
  }, 90_000);
});

describe.skipIf(!DOVECOT)("limits on the text read of a message", () => {
  test("end the search for text, and the message is marked as truncated", async () => {
    const dovecot = await startDovecot();
    const parts = Array.from(
      { length: 120 },
      (_, i) => `--b\r\nContent-Type: text/plain\r\n\r\npart ${i} ${"x".repeat(1_500)}\r\n`,
    );
    const deep = (level: number): string =>
      level === 0
        ? "Content-Type: text/plain\r\n\r\ndeepest\r\n"
        : `Content-Type: multipart/mixed; boundary=n${level}\r\n\r\n--n${level}\r\n${deep(level - 1)}--n${level}--\r\n`;
    const head = "From: a@example.net\r\nMIME-Version: 1.0\r\n";
    const many = `${head}Subject: many\r\nMessage-ID: <many@x.example>\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${parts.join("")}--b--\r\n`;
    const far = mail("far", "text/html", "base64", base64(Buffer.from(html(comment.repeat(3)))));
    const nested = `${head}Subject: nested\r\nMessage-ID: <nested@x.example>\r\n${deep(60)}`;
    const short = mail("short", "text/plain", "7bit", "All of it.");
    dovecot.loadMaildir(
      "alice",
      "INBOX",
      [many, far, nested, short].map((raw) => ({ raw: Buffer.from(raw, "latin1") })),
    );
    const config = { "mail.text_read_bytes": 2 * MB };
    const fixture = await createMailFixture({
      port: dovecot.imapPort,
      login: dovecot.logins.alice,
      longest_wait_ms: 5_000,
      config,
    });
    fixture.start();
    await fixture.agrees(await dovecot.connect("alice"), 60_000);
    const scope = { user_id: fixture.user.id, account_id: null };
    const said = fixture
      .messages()
      .map(({ id, subject }) => [subject, fixture.mailbox.messageQueries.get(scope, id).truncated]);
    await fixture.close();
    await dovecot.stop();
    expect(Object.fromEntries(said)).toEqual({ many: true, far: true, nested: true, short: false });
  }, 90_000);
});
