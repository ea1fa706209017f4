import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { ImapFlow } from "imapflow";
import { labelToKeyword } from "../../src/wire/imap/keywords.ts";
import { DOVECOT, type Dovecot, startDovecot } from "../support/dovecot.ts";
import { createMailFixture, type MailFixture } from "../support/mail-fixture.ts";
import { mailText } from "../support/mail-text.ts";
import { asLines } from "./check.ts";
import { compareServers } from "./manual.ts";
import { compareWithServer } from "./server.ts";

describe.skipIf(!DOVECOT)("the server's mail", () => {
  let dovecot: Dovecot;
  let fixture: MailFixture;
  let client: ImapFlow;
  beforeAll(async () => {
    dovecot = await startDovecot();
    const mails = ["One", "Two", "Three", "Four"].map((subject) => ({
      raw: mailText({ id: subject, subject, text: "Hello." }),
      flags: subject === "Two" ? "S" : "",
    }));
    dovecot.loadMaildir("alice", "INBOX", mails);
    dovecot.loadMaildir("alice", "Archive", [{ raw: "From: bob@one.example\r\n\r\nNo id.\r\n", flags: "SF" }]);
    fixture = await createMailFixture({ port: dovecot.imapPort, login: dovecot.logins.alice });
    client = await dovecot.connect("alice");
    fixture.start();
    await fixture.agrees(client);
    // From here on the two are only compared.
    await fixture.supervisor.stop();
  }, 60_000);
  afterAll(async () => {
    client?.close();
    await fixture?.close();
    await dovecot?.stop();
  });

  const compare = async (options = { flags: true }) =>
    asLines((await compareWithServer(fixture.platform, fixture.account, client, options)).findings);
  const message = (subject: string) => fixture.messages().find((one) => one.subject === subject)!;

  /** Returns findings while our side is changed; reverts the change afterwards. */
  async function changedHere(sql: string, ...values: (string | number)[]): Promise<string[]> {
    const { db } = fixture.platform;
    db.sql.run("BEGIN");
    try {
      expect(db.sql.query(sql).run(...values).changes).toBeGreaterThan(0);
      return await compare();
    } finally {
      db.sql.run("ROLLBACK");
    }
  }

  test("a synced mailbox is the same on both sides", async () => {
    const { copies, findings } = await compareWithServer(fixture.platform, fixture.account, client, { flags: true });
    expect([copies, asLines(findings)]).toEqual([5, []]);
  });

  test("a missing, additional or replaced message here is detected", async () => {
    const { id, locations } = message("One");
    const missing = `the server's mail: ${locations[0]} is stored here 0 times`;
    expect(await changedHere("DELETE FROM locations WHERE message_id = ?", id)).toEqual([missing]);
    expect(await changedHere("UPDATE locations SET uid = 99 WHERE message_id = ?", id)).toEqual([
      missing,
      "the server's mail: INBOX:99 is stored here but not on the server",
    ]);
    expect(
      await changedHere("UPDATE locations SET message_id = ? WHERE message_id = ?", message("Two").id, id),
    ).toContain(`the server's mail: ${locations[0]} is another message here (${message("Two").id})`);
    expect(await changedHere("UPDATE messages SET size = 1 WHERE id = ?", message("").id)).toEqual([
      expect.stringMatching(/^the server's mail: Archive:1 has \d+ bytes on the server and 1 here$/),
    ]);
  });

  test("a difference in read or starred is detected, unless the change is on its way to the server", async () => {
    const { id, locations } = message("One");
    const read = `the server's mail: ${locations[0]}: read on one side only`;
    expect(await changedHere("UPDATE messages SET unread = 0 WHERE id = ?", id)).toEqual([read]);
    expect(await changedHere("UPDATE messages SET starred = 1 WHERE id = ?", id)).toEqual([
      `the server's mail: ${locations[0]}: starred on one side only`,
    ]);
    const { db } = fixture.platform;
    db.write(() => {
      db.sql.query("UPDATE messages SET unread = 0 WHERE id = ?").run(id);
      db.sql
        .query(
          `INSERT INTO pending_changes (message_id, field, account_id, value, previous, stamp, created_at)
           VALUES (?, 'seen', ?, '1', '0', 1, 0)`,
        )
        .run(id, fixture.account.id);
    });
    expect(await compare()).toEqual([]);
    db.sql.run("DELETE FROM pending_changes");
    expect(await compare()).toEqual([read]);
    expect(await compare({ flags: false })).toEqual([]);
    fixture.mailbox.accounts.setReadOnly(fixture.account, true);
    expect(await compare()).toEqual([]);
    fixture.mailbox.accounts.setReadOnly(fixture.account, false);
    db.sql.query("UPDATE messages SET unread = 1 WHERE id = ?").run(id);
  });

  test("a label on one side only is detected, unless it is on its way to the server or kept here", async () => {
    const { id, locations } = message("One");
    const { db } = fixture.platform;
    const label = fixture.mailbox.labels.ensure(fixture.user.id, "Größe ✓");
    const add = () => db.sql.query("INSERT INTO message_labels (message_id, label_id) VALUES (?, ?)").run(id, label);
    const oneSided = `the server's mail: ${locations[0]}: the label "Größe ✓" on one side only`;
    db.sql.run("BEGIN");
    add();
    expect(await compare()).toEqual([oneSided]);
    const pending = db.sql.query(
      `INSERT INTO pending_changes (message_id, field, account_id, value, previous, stamp, created_at)
       VALUES (?, ?, ?, '1', '0', 1, 0)`,
    );
    pending.run(id, `label:${label}`, fixture.account.id);
    expect(await compare()).toEqual([]);
    db.sql.run("DELETE FROM pending_changes");
    db.sql.run("UPDATE folders SET keywords_ok = 0");
    expect(await compare()).toEqual([]);
    db.sql.run("ROLLBACK");
    const other = await dovecot.connect("alice");
    await other.mailboxOpen("INBOX");
    await other.messageFlagsAdd(locations[0]!.split(":")[1]!, [labelToKeyword("Größe ✓"), "$Forwarded"], { uid: true });
    expect(await compare()).toEqual([oneSided]);
    await other.messageFlagsRemove("1:*", [labelToKeyword("Größe ✓")], { uid: true });
    other.close();
    expect(await compare()).toEqual([]);
  });

  test("a message removed, one added and a flag changed on the server are detected", async () => {
    const other = await dovecot.connect("alice");
    await other.mailboxOpen("INBOX");
    const uid = (subject: string) => message(subject).locations[0]!.split(":")[1]!;
    await other.messageDelete(uid("Three"), { uid: true });
    await other.messageFlagsAdd(uid("Four"), ["\\Flagged"], { uid: true });
    await other.append("INBOX", mailText({ id: "Five", subject: "Five", text: "Hello." }));
    other.close();
    expect(await compare()).toEqual([
      "the server's mail: INBOX:5 is stored here 0 times",
      `the server's mail: INBOX:${uid("Three")} is stored here but not on the server`,
      `the server's mail: INBOX:${uid("Four")}: starred on one side only`,
    ]);
    // A manual check has the same result, over a separate login.
    const { findings, notCompared } = await compareServers(fixture.platform);
    expect([asLines(findings), notCompared]).toEqual([await compare(), []]);
  });

  test("a manual check names the mailboxes that cannot be compared and the reason", async () => {
    const { accounts } = fixture.mailbox;
    const add = (email: string, provider: "imap" | "gmail" | "imported", more: object = {}) => {
      const imap = { host: "127.0.0.1", port: 1, security: "none" as const };
      const connection = provider === "imported" ? null : { imap, smtp: null, username: email, password: "", ...more };
      return accounts.add({ user_id: fixture.user.id, provider, email, connection }).id;
    };
    const google = add("a@gmail.test", "gmail", { oauth: { provider: "google", granted_at: 1 } });
    const gmail = add("b@gmail.test", "gmail");
    const gone = add("c@gone.test", "imap");
    add("old@imported.invalid", "imported");
    accounts.setPaused(fixture.account, true);
    const { findings, notCompared } = await compareServers(fixture.platform);
    expect(notCompared).toEqual([
      `${fixture.account.id}: it is paused, so it need not be like its server`,
      `${google}: one signs in to it at google, not with a password`,
      `${gmail}: what gmail shows as folders is not compared`,
    ]);
    expect(asLines(findings)).toEqual([
      expect.stringMatching(new RegExp(`^the server's mail: ${gone} cannot be compared: .*ECONNREFUSED`)),
    ]);
  });
});
