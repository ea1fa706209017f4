import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SANDBOX_ADDRESS } from "../../src/inbound/import/local-delivery.ts";
import type { Account } from "../../src/mailbox/accounts/accounts.ts";
import { asLines, type CheckOptions, checkInvariants } from "../invariants/check.ts";
import { compareWithServer } from "../invariants/server.ts";
import { type Authority, createAuthority } from "../support/certificates.ts";
import { type Dovecot, type DovecotOptions, startDovecot } from "../support/dovecot.ts";
import { eventually } from "../support/eventually.ts";
import { type HttpsReceiver, startReceiver } from "../support/https-receiver.ts";
import { mailText } from "../support/mail-text.ts";
import { type ScriptedSmtp, startScriptedSmtp } from "../support/smtp-server.ts";
import { pick } from "./campaign.ts";
import { createFolder, type Folder, live, type Served, type ServeOptions, serve } from "./served.ts";

/** The environment of one user's Postroom: a mailbox, a submission server, and a webhook receiver. */
export interface Installation {
  dovecot: Dovecot;
  smtp: ScriptedSmtp;
  receiver: HttpsReceiver;
  authority: Authority;
  folder: Folder;
  /** Starts `postroom serve` on the folder, with the receiver allowed. */
  serve(options?: ServeOptions): Promise<Served>;
  close(): Promise<void>;
}

export interface InstallationOptions {
  /** The data folder; a temporary one where absent. */
  data_dir?: string;
  dovecot?: DovecotOptions;
  /** Address of the mailbox, instead of the servers themselves. */
  imap?: { host: string; port: number; security: "none" | "tls" };
  smtp_host?: string;
  history?: number;
  /** Whether the first start stores the sample mail; true when absent. */
  sample_mail?: boolean;
}

export async function openInstallation(options: InstallationOptions = {}): Promise<Installation> {
  const data_dir = options.data_dir ?? mkdtempSync(join(tmpdir(), "postroom-faults-"));
  const authority = createAuthority();
  const [dovecot, smtp, receiver] = await Promise.all([
    startDovecot(options.dovecot),
    startScriptedSmtp(),
    startReceiver(authority.issue(["127.0.0.1", "hooks.faults.test"])),
  ]);
  const mails = Array.from({ length: options.history ?? 30 }, (_, i) => ({
    raw: mailText({ id: `old-${i}`, subject: `Old ${i}`, text: `old word${i} `.repeat(1 + (i % 40)) }),
    date: new Date("2020-01-01T00:00:00Z"),
  }));
  dovecot.loadMaildir("alice", "INBOX", mails);
  const folder = createFolder(data_dir);
  if (options.sample_mail === false) emptySandbox(folder);
  const { password } = smtp.login;
  folder.connect({
    email: "alice@mail.test",
    connection: {
      imap: options.imap ?? { host: "127.0.0.1", port: dovecot.imapPort, security: "none" },
      smtp: { host: options.smtp_host ?? "127.0.0.1", port: smtp.port, security: "none" },
      ...dovecot.logins.alice,
      password,
    },
  });
  return {
    dovecot,
    smtp,
    receiver,
    authority,
    folder,
    serve: (more = {}) =>
      serve(folder, {
        ...more,
        settings: {
          "webhooks.allow": "127.0.0.1,hooks.faults.test",
          "webhooks.ca_file": authority.ca_file,
          ...more.settings,
        },
      }),
    async close() {
      folder.close();
      await Promise.all([dovecot.stop(), smtp.stop(), receiver.stop()]);
      authority.remove();
      if (!options.data_dir) rmSync(data_dir, { recursive: true, force: true });
    },
  };
}

/** The sandbox without its sample mail, which a start needs some time to store, read and embed. */
export function emptySandbox({ platform, mailbox, owner_id }: Folder): Account {
  const { id: user_id } = platform.users.sandboxOf(owner_id);
  const account = mailbox.accounts.add({ user_id, provider: "sandbox", email: SANDBOX_ADDRESS, connection: null });
  mailbox.accounts.setProgress(account.id, { phase: "live", done: 0, total: 0 });
  return account;
}

/** Errors for a full disk or an unreachable mail server: no fault of the program. */
const HONEST = new Set([503, 507]);
/** Conditions that would make a campaign easier than it looks. */
const WRONGLY_ASKED = new Set([400, 401, 403, 422]);
const SETTLE_MS = 90_000;

interface Asked {
  key: string;
  subject: string;
  done: boolean;
}

/** The actions of a user and their correspondents during the campaign, and what must be true of the result. */
export class Workload {
  served: Served;
  readonly misses: string[] = [];
  requests = 0;
  /** Answers that correctly reported a temporary failure. */
  refused = 0;
  readonly #delivered: string[] = [];
  readonly #sends: Asked[] = [];

  constructor(
    private readonly installation: Installation,
    served: Served,
    private readonly random: () => number,
  ) {
    this.served = served;
  }

  /** Adds an endpoint for every kind of event. */
  async subscribe(origin = this.installation.receiver.origin): Promise<void> {
    const events = ["message.received", "send.completed", "send.failed", "draft.created"];
    const { status, text } = await this.served.call("POST", "/webhooks", { url: `${origin}/hook`, events });
    if (status >= 300) this.misses.push(`the webhook was refused: ${status} ${text}`);
  }

  async mail(): Promise<void> {
    const subject = `New ${this.#delivered.length}`;
    this.#delivered.push(subject);
    const text = "something new ".repeat(1 + Math.floor(this.random() * 300));
    await this.installation.dovecot.deliver("alice", mailText({ id: subject.replace(" ", "-"), subject, text }));
  }

  /** Sends, and may not learn whether it worked: `settle` repeats the request with the same key. */
  async send(): Promise<void> {
    const asked = { key: crypto.randomUUID(), subject: `Sent ${this.#sends.length}`, done: false };
    this.#sends.push(asked);
    await this.#ask(asked);
  }

  async #ask(asked: Asked): Promise<void> {
    const body = { to: ["bob@one.example"], subject: asked.subject, body: "Hello.", undo_window_s: 0 };
    const answer = await this.request("POST", "/messages/send", body, { "Idempotency-Key": asked.key });
    if (answer !== null && answer.status < 300) asked.done = true;
  }

  /** Makes a few reads and a change. */
  async checkHealth(): Promise<void> {
    const list = await this.request("GET", "/threads?limit=10");
    const threads: { id: string }[] = list?.json?.data ?? [];
    await this.request("GET", `/messages/${"x".repeat(3)}`);
    await this.request("POST", "/search", { query: "word", mode: "keyword" });
    if (threads.length === 0) return;
    const { id } = pick(this.random, threads);
    await this.request("GET", `/threads/${id}/messages`);
    await this.request("PATCH", `/threads/${id}`, { read: this.random() < 0.5, starred: this.random() < 0.5 });
  }

  /** Creates a draft with a file, whose bytes are on the disk. */
  async write(): Promise<void> {
    const made = await this.request("POST", "/drafts", { to: ["bob@one.example"], subject: "Draft", body: "..." });
    const id: string | undefined = made?.json?.draft_id ?? made?.json?.id;
    if (!id) return;
    const form = new FormData();
    const bytes = new Uint8Array(1 + Math.floor(this.random() * 300_000)).fill(65);
    form.append("file", new Blob([bytes], { type: "text/plain" }), "file.txt");
    await this.request("POST", `/drafts/${id}/attachments`, form);
  }

  /** Performs a random action. */
  async anything(): Promise<void> {
    const roll = this.random();
    if (roll < 0.35) await this.mail();
    else if (roll < 0.55) await this.send();
    else if (roll < 0.75) await this.write();
    else await this.checkHealth();
  }

  /** Makes one request. Records a fault of the program; null when there was no answer. */
  async request(method: string, path: string, body?: unknown, headers?: Record<string, string>) {
    this.requests++;
    try {
      const answer = await this.served.call(method, path, body, headers);
      if (HONEST.has(answer.status)) this.refused++;
      else if (answer.status >= 500 || WRONGLY_ASKED.has(answer.status))
        this.misses.push(`${method} ${path.split("?")[0]}: ${answer.status} ${answer.text}`);
      return answer;
    } catch (error) {
      if (this.served.exit_code !== null) this.misses.push(`the server ended with ${this.served.exit_code}`);
      else this.misses.push(`${method} ${path.split("?")[0]}: no answer (${(error as Error).message})`);
      return null;
    }
  }

  /** Waits until everything that was started has ended; a delivery that failed twice waits minutes. */
  async settle(deadlineMs = SETTLE_MS): Promise<void> {
    for (const asked of this.#sends) if (!asked.done) await this.#ask(asked);
    for (const { subject, done } of this.#sends) if (!done) this.misses.push(`${subject} is refused for good`);
    const { sql } = this.installation.folder.platform.db;
    const open = sql.query<{ what: string }, []>(
      `SELECT 'a send is open; its job: ' || coalesce((SELECT state || ', attempt ' || attempts || ', due in '
           || (run_at / 1000 - unixepoch()) || ' s' FROM jobs WHERE kind = 'dispatch' AND dedupe_key = sends.id AND state <> 'done'), 'none') AS what
         FROM sends WHERE status IN ('scheduled', 'sending') OR (status = 'sent' AND draft_id IS NOT NULL)
       UNION ALL SELECT 'a copy of what was sent is wanted' FROM sends WHERE copy = 'wanted'
       UNION ALL SELECT 'a change waits for the server' FROM pending_changes
       UNION ALL SELECT 'a draft waits for the server' FROM drafts
         WHERE hidden = 0 AND send_id IS NULL AND (placed < revision OR missing_at IS NOT NULL)
       UNION ALL SELECT 'a draft is to be removed from the server' FROM draft_remains
       UNION ALL SELECT kind || ' is running' FROM jobs WHERE state = 'running'
       UNION ALL SELECT 'a message waits to be indexed' FROM search_queue
       UNION ALL SELECT 'a folder is to be counted again' FROM folders f JOIN accounts a ON a.id = f.account_id
         WHERE a.provider <> 'sandbox' AND f.replaced_by IS NULL AND f.view_of IS NULL AND f.checked_at IS NOT NULL
           AND f.server_count <> (SELECT count(*) FROM locations l WHERE l.folder_id = f.id)
       UNION ALL SELECT 'a delivery waits' FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id WHERE d.status = 'pending' AND d.attempts < 2 AND e.status = 'active'
       UNION ALL SELECT 'an event waits' FROM webhook_endpoints e WHERE e.status = 'active' AND EXISTS (SELECT 1 FROM events v WHERE v.user_id = e.user_id AND v.position > e.position)
       LIMIT 1`,
    );
    await live(this.installation.folder, deadlineMs).catch((error: Error) =>
      this.misses.push(`sync: ${error.message}`),
    );
    await eventually(() => {
      const found = open.get();
      if (found) throw new Error(found.what);
      return true;
    }, deadlineMs).catch((error: Error) => this.misses.push(`not settled: ${error.message}`));
    await eventually(async () => {
      const differences = await this.#compare();
      if (differences.length > 0) throw new Error(differences.slice(0, 5).join("; "));
      return true;
    }, deadlineMs).catch((error: Error) => this.misses.push(error.message));
  }

  /** Waits until every event that an endpoint wants is delivered. */
  async delivered(deadlineMs = SETTLE_MS): Promise<void> {
    const left = this.installation.folder.platform.db.sql.query<{ c: number }, []>(
      "SELECT count(*) AS c FROM webhook_deliveries WHERE status = 'pending'",
    );
    await eventually(() => {
      const { c } = left.get()!;
      if (c > 0) throw new Error(`${c} deliveries still wait`);
      return true;
    }, deadlineMs).catch((error: Error) => this.misses.push(error.message));
  }

  /** Checks everything that must be true in the end. Stop the server first, so that unfinished work is detected. */
  async judge(options: Pick<CheckOptions, "deliveries_may_wait"> = {}): Promise<{ messages: number; sends: number }> {
    const { platform, owner_id } = this.installation.folder;
    const report = await checkInvariants(platform, { settled: true, ...options });
    this.misses.push(...asLines(report.findings));
    const arrived = count(
      this.installation.smtp.accepted.map(({ raw }) => /^Subject: (.*)$/m.exec(raw)?.[1]?.trim() ?? "?"),
    );
    for (const { subject, done } of this.#sends) {
      const times = arrived.get(subject) ?? 0;
      if (done && times !== 1) this.misses.push(`${subject} was accepted and arrived ${times} times`);
      if (!done && times > 1) this.misses.push(`${subject} arrived ${times} times`);
    }
    const log = platform.events.after(owner_id, 0, 1_000_000);
    const announced = count(
      log.flatMap(({ event, data }) => (event === "message.received" ? [(data as { subject: string }).subject] : [])),
    );
    for (const subject of this.#delivered) {
      if (announced.get(subject) !== 1)
        this.misses.push(`${subject} was announced ${announced.get(subject) ?? 0} times`);
    }
    for (const [subject, times] of announced) {
      if (subject.startsWith("Old ")) this.misses.push(`${subject} is history and was announced ${times} times`);
    }
    const endpoints = platform.db.sql
      .query<{ id: string; status: string }, []>("SELECT id, status FROM webhook_endpoints")
      .all();
    for (const { id, status } of endpoints) if (status !== "active") this.misses.push(`${id} is ${status}`);
    const hooks = new Set(this.installation.receiver.received.map(({ headers }) => headers["webhook-id"]));
    const rows = platform.db.sql
      .query<{ event_id: string }, []>("SELECT event_id FROM webhook_deliveries WHERE status = 'delivered'")
      .all();
    for (const { event_id } of rows) {
      if (!hooks.has(event_id)) this.misses.push(`${event_id} is noted as delivered and never arrived`);
    }
    return { messages: report.messages, sends: this.#sends.length };
  }

  async #compare(): Promise<string[]> {
    const { folder, dovecot } = this.installation;
    const account = folder.mailbox.accounts.list().find(({ provider }) => provider === "imap")!;
    const client = await dovecot.connect("alice");
    try {
      const { findings } = await compareWithServer(folder.platform, account, client, { flags: true });
      return asLines(findings);
    } finally {
      client.close();
    }
  }
}

function count(names: readonly string[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const name of names) times.set(name, (times.get(name) ?? 0) + 1);
  return times;
}
