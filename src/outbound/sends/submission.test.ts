import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { eventually } from "../../../test/support/eventually.ts";
import { POSTFIX, type Postfix, startPostfix } from "../../../test/support/postfix.ts";
import { systemClock } from "../../platform/clock.ts";
import { parseMessage } from "../../wire/mime/parse.ts";
import { type ComposeInput, composeMessage } from "../../wire/smtp/compose.ts";
import { SmtpPool } from "../../wire/smtp/pool.ts";
import { readBounce } from "../bounces/bounce.ts";

describe.skipIf(!POSTFIX)("Postfix", () => {
  let postfix: Postfix;
  let pool: SmtpPool;
  beforeAll(async () => {
    postfix = await startPostfix();
    pool = new SmtpPool({ clock: systemClock, ca: postfix.dovecot.ca });
  }, 30_000);
  afterAll(async () => {
    pool?.close();
    await postfix?.stop();
  });

  const BODY = `Grüße, Bob,\n\n${"eine lange Zeile mit Wörtern ".repeat(10).trim()}\n> zitiert\n.\n..\nFrom me`;
  const bytes = new Uint8Array(300_000).map((_, i) => i * 31);
  const compose = (unique: string, to: string[], more: Partial<ComposeInput> = {}) =>
    composeMessage({
      from: { name: "Alice Ä", email: "alice@mail.test" },
      to,
      subject: "Grüße 🎉",
      body: BODY,
      message_id: `<${unique}@mail.test>`,
      now: systemClock.now(),
      ...more,
    });

  /** Returns the message in a user's inbox that contains this text, once it has arrived. */
  async function arrived(user: "alice" | "bob", text: string): Promise<Uint8Array> {
    let source: Uint8Array | undefined;
    await eventually(async () => {
      const client = await postfix.dovecot.connect(user);
      await client.mailboxOpen("INBOX");
      const uids = (await client.search({ text }, { uid: true })) || [];
      if (uids.length > 0)
        source = ((await client.fetchOne(String(uids.at(-1)), { source: true }, { uid: true })) || null)?.source;
      await client.logout();
      return source !== undefined;
    }, 15_000);
    return source!;
  }

  test.each(["starttls", "tls"] as const)(
    "a message is delivered unchanged by %s",
    async (security) => {
      const attachments = [{ name: "Übersicht.pdf", mime: "application/pdf", content: bytes }];
      const message = await compose(`one-${security}`, ["Bob <bob@mail.test>"], {
        attachments,
        bcc: ["carol@mail.test"],
      });
      const result = await pool.submit("alice", postfix.login("alice", security), message);
      expect(result).toMatchObject({ outcome: "accepted", rejected: [] });
      const parsed = await parseMessage(await arrived("bob", `one-${security}@mail.test`));
      expect(parsed).toMatchObject({ subject: "Grüße 🎉", text: BODY, messageId: message.message_id, bcc: [] });
      expect(parsed.from).toEqual({ name: "Alice Ä", email: "alice@mail.test" });
      expect(Buffer.compare(parsed.attachments[0]!.content!, bytes)).toBe(0);
    },
    20_000,
  );

  test("a refused recipient, a wrong password, an untrusted certificate and a message that is too large are reported", async () => {
    const login = postfix.login("alice", "starttls");
    const submit = async (to: string[], as = login) => pool.submit("alice", as, await compose("two", to));
    expect(await submit(["x@reject.test"])).toMatchObject({
      outcome: "refused",
      stage: "rcpt",
      code: 550,
      enhanced: "5.1.1",
    });
    expect(await submit(["x@tempfail.test"])).toMatchObject({ outcome: "refused", stage: "rcpt", code: 451 });
    const some = await submit(["x@reject.test", "y@elsewhere.example"]);
    expect(some).toMatchObject({ outcome: "accepted", rejected: [{ recipient: "x@reject.test", code: 550 }] });
    expect(await submit(["bob@mail.test"], { ...login, password: "no" })).toMatchObject({
      outcome: "refused",
      stage: "auth",
      code: 535,
    });
    const trusting = new SmtpPool({ clock: systemClock });
    expect(await trusting.submit("alice", login, await compose("two", ["bob@mail.test"]))).toMatchObject({
      outcome: "not_sent",
      reason: "tls",
    });
    const named = { ...login, host: "127.0.0.1" };
    expect(await submit(["bob@mail.test"], named)).toMatchObject({ outcome: "accepted" });
    const huge = await compose("two", ["bob@mail.test"], {
      attachments: [{ name: "a", mime: "a/b", content: new Uint8Array(28_000_000) }],
    });
    expect(await pool.submit("alice", login, huge)).toMatchObject({ outcome: "refused", stage: "size" });
  }, 30_000);

  test("a late bounce is read together with the message it is about", async () => {
    const message = await compose("three", ["gone@bounce.test"]);
    expect((await pool.submit("alice", postfix.login("alice", "tls"), message)).outcome).toBe("accepted");
    const bounce = readBounce(await parseMessage(await arrived("alice", "gone@bounce.test")));
    expect(bounce).toMatchObject({
      originalMessageId: "<three@mail.test>",
      recipients: [{ address: "gone@bounce.test", action: "failed", status: "5.1.1" }],
    });
    expect(bounce!.recipients[0]!.diagnostic).toContain("no such user here");
  }, 20_000);

  test("a non-ASCII address is accepted with SMTPUTF8", async () => {
    const message = await compose("four", ["žofie@elsewhere.example"]);
    expect((await pool.submit("alice", postfix.login("alice", "tls"), message)).outcome).toBe("accepted");
    await eventually(() => postfix.internet.accepted.some(({ to }) => to.includes("žofie@elsewhere.example")), 10_000);
  }, 20_000);
});
