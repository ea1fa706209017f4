import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { ImapFlow } from "imapflow";
import { createDispatcher } from "../../src/app/sending.ts";
import { PRIORITY } from "../../src/inbound/sync/connection-queue.ts";
import type { Provider } from "../../src/mailbox/accounts/tables.ts";
import { createOutbound, type Outbound } from "../../src/outbound/outbound.ts";
import { COPY_JOB, FIND_JOB, SETTLE_JOB } from "../../src/outbound/sends/dispatch.ts";
import { SentCopies } from "../../src/outbound/sends/sent-copy.ts";
import { DISPATCH_JOB, SendStore } from "../../src/outbound/sends/store.ts";
import { BlobFiles } from "../../src/platform/blobs/files.ts";
import type { AttemptOutcome } from "../../src/platform/jobs/queue.ts";
import { JobRunner } from "../../src/platform/jobs/runner.ts";
import { SYSTEM_ACTOR } from "../../src/platform/ledger/audit.ts";
import { DOVECOT, type Dovecot, startDovecot } from "../support/dovecot.ts";
import { eventually } from "../support/eventually.ts";
import { createMailFixture, type MailFixture } from "../support/mail-fixture.ts";
import { ACCEPTED, type Submit } from "../support/send-fixture.ts";

/** What sends need from a real IMAP server: the copy in Sent, and the answer to "did it arrive?". */
describe.skipIf(!DOVECOT)("the Sent folder", () => {
  let dovecot: Dovecot;
  let other: ImapFlow;
  let fixture: MailFixture;
  let outbound: Outbound;
  let runner: JobRunner;
  let prepare: (client: ImapFlow) => void = () => {};

  beforeAll(async () => {
    dovecot = await startDovecot();
  });
  afterAll(() => dovecot?.stop());
  beforeEach(async () => {
    prepare = () => {};
    other = await dovecot.connect("alice");
    for (const { path } of await other.list()) {
      dovecot.doveadm("expunge", "-u", "alice@mail.test", "mailbox", path, "all");
    }
  });
  afterEach(async () => {
    await runner.stop();
    await fixture.close();
    other.close();
  });

  async function open(submit: Submit, provider: Provider = "imap"): Promise<void> {
    const server = { host: "127.0.0.1", port: dovecot.imapPort, security: "none" as const };
    fixture = await createMailFixture({
      port: dovecot.imapPort,
      login: dovecot.logins.alice,
      account: { provider, connection: { imap: server, smtp: server, ...dovecot.logins.alice } },
      longest_wait_ms: 100,
      config: { "mail.poll_seconds": 3600 },
    });
    const { platform, mailbox } = fixture;
    outbound = createOutbound(platform, mailbox);
    const dispatcher = createDispatcher(platform, mailbox, outbound, { submit });
    const handlers = { [DISPATCH_JOB]: dispatcher.handler, [SETTLE_JOB]: dispatcher.settleHandler };
    runner = new JobRunner(platform.jobs, platform.clock, platform.log, handlers);
    runner.start();
    fixture.start();
    await eventually(() => fixture.account.sync.phase === "live", 10_000);
  }

  const copies = () =>
    new SentCopies({
      platform: fixture.platform,
      accounts: fixture.mailbox.accounts,
      folders: fixture.mailbox.folders,
      sends: new SendStore(fixture.platform),
      files: new BlobFiles(fixture.platform),
      withMailbox: (id, task) =>
        fixture.supervisor.withMailbox(id, PRIORITY.mirror, (client) => {
          prepare(client);
          return task(client);
        }),
      syncNow: (id) => fixture.supervisor.syncNow(id),
    });

  /** Runs one of the worker's jobs once. */
  function run(kind: typeof COPY_JOB | typeof FIND_JOB, send_id: string, attempt = 1): Promise<AttemptOutcome> {
    const handler = kind === COPY_JOB ? copies().copyHandler : copies().findHandler;
    const { id: user_id } = fixture.user;
    return handler.run({ id: "job_1", kind, dedupe_key: send_id, user_id, payload: { send_id }, attempt });
  }

  function send(): string {
    const { user } = fixture;
    const actor = { user_id: user.id, account_id: null, actor: SYSTEM_ACTOR, request_id: null };
    const sender = { ...actor, key: { id: "key_1", created_at: 0 }, user };
    const message = { to: ["bob@example.net"], subject: "Lunch", body: "At one?" };
    return outbound.scheduler.sendNow(sender, message, { undo_window_s: 0 }).id;
  }

  const sent = (id: string) => eventually(() => outbound.sends.get(id)!.status === "sent");

  async function inSent(): Promise<{ flags: Set<string>; source: string }[]> {
    const client = await dovecot.connect("alice");
    const box = await client.mailboxOpen("Sent", { readOnly: true });
    const found = box.exists === 0 ? [] : await client.fetchAll("1:*", { flags: true, source: true });
    client.close();
    return found.map(({ flags, source }) => ({ flags: flags!, source: source!.toString() }));
  }

  const takes: Submit = async () => ACCEPTED;
  const cutOff: Submit = async (_account, _login, message) => {
    await message.beforeEnd!();
    return { outcome: "unknown", detail: "cut" };
  };

  test("contains one copy, read, after any failure; then it is the server's message here, too", async () => {
    await open(takes);
    const id = send();
    await sent(id);
    let cut = true;
    prepare = (client) => {
      if (!cut) return;
      const append = client.append.bind(client);
      client.append = async (...args) => {
        cut = false;
        client.append = append;
        await append(...args);
        client.close();
        throw new Error("the connection broke");
      };
    };
    expect((await run(COPY_JOB, id)).outcome).toBe("retry");
    expect((await run(COPY_JOB, id, 2)).outcome).toBe("done");
    expect((await run(COPY_JOB, id)).outcome).toBe("done");
    const found = await inSent();
    expect(found).toHaveLength(1);
    expect(found[0]!.flags.has("\\Seen")).toBe(true);
    await eventually(() => {
      fixture.supervisor.syncNow(fixture.account.id);
      const stored = fixture.messages();
      return stored.length === 1 && stored[0]!.locations.length === 1 && stored[0]!.locations[0]!.startsWith("Sent:");
    });
  }, 30_000);

  test("gets no second copy from a provider that files sent mail automatically", async () => {
    await open(takes, "gmail");
    const id = send();
    await sent(id);
    expect((await run(COPY_JOB, id)).outcome).toBe("done");
    expect([await inSent(), outbound.sends.get(id)!.copy]).toEqual([[], "placed"]);
  }, 30_000);

  test("without a response, but with the provider's copy, the message counts as sent", async () => {
    await open(cutOff);
    const id = send();
    await eventually(() => fixture.platform.jobs.nextDue([FIND_JOB]) !== null);
    expect(outbound.sends.get(id)!.status).toBe("sending");
    await other.append("Sent", `Message-ID: <${id}@mail.test>\r\nSubject: Lunch\r\n\r\nAt one?\r\n`, ["\\Seen"]);
    expect((await run(FIND_JOB, id)).outcome).toBe("done");
    await sent(id);
    expect(fixture.events("send.completed")).toHaveLength(1);
    expect((await run(COPY_JOB, id)).outcome).toBe("done");
    expect(await inSent()).toHaveLength(1);
  }, 30_000);

  test("without a response and without a copy, the copy is searched for again", async () => {
    await open(cutOff);
    const id = send();
    await eventually(() => fixture.platform.jobs.nextDue([FIND_JOB]) !== null);
    const { handed_over_at } = outbound.sends.get(id)!;
    expect(await run(FIND_JOB, id)).toMatchObject({ outcome: "retry", run_at: handed_over_at! + 20_000 });
    expect(outbound.sends.get(id)!.status).toBe("sending");
  }, 30_000);
});
