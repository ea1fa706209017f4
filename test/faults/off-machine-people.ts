import type { Dovecot } from "../support/dovecot.ts";
import { mailText } from "../support/mail-text.ts";
import { between, pick } from "./campaign.ts";
import type { Acts } from "./off-machine-acts.ts";
import type { Journal, Written } from "./off-machine-journal.ts";
import type { FolderView } from "./off-machine-view.ts";
import type { Served, ServedAnswer } from "./served.ts";

/** The server that people use at the moment. */
export interface Target {
  /** Name of its process. */
  name: string;
  served: Served;
}

export interface AskedSend {
  key: string;
  subject: string;
  body: object;
  /** It cannot be asked for after this time, ms. */
  dueMs: number;
  /** Its id, once an answer said it. */
  id: string | null;
  cancelled: boolean;
}

interface KnownDraft {
  id: string;
  version: number;
  files: number;
  /** It may be gone from here on. */
  left: boolean;
}

interface KnownThread {
  id: string;
  labels: Set<string>;
  starred: boolean;
}

const LABELS = ["Work", "Home", "Later", "Größe ✓"] as const;
/** A person waits no longer for an answer. */
const ANSWER_MS = 30_000;
/** A paused server and one that is just starting: what was asked is not done. */
const NOT_NOW = new Set([502, 503]);
/** Too late, or changed by someone else meanwhile. */
const CROSSED = new Set([404, 409]);

/** People who write, sort and send mail without pause, and correspondents who send them some. */
export class People {
  readonly misses: string[] = [];
  readonly sends: AskedSend[] = [];
  readonly delivered = new Map<string, number>();
  requests = 0;
  /** Requests that a server refused because it does not act. */
  refused = 0;
  unanswered = 0;
  #target: Target | null = null;
  #running = false;
  #loops: Promise<void>[] = [];
  #drafts: KnownDraft[] = [];
  readonly #threads = new Map<string, KnownThread>();
  readonly #seen = new Set<string>();
  readonly #sent = new Set<string>();

  /** @param scheduledS latest time for which a send is scheduled, from now */
  constructor(
    private readonly dovecot: Dovecot,
    private readonly journal: Journal,
    private readonly acts: Acts,
    private readonly random: () => number,
    private readonly scheduledS: number,
  ) {}

  /** Everything is asked of this server from now on; null: nothing is asked. */
  use(target: Target | null): void {
    this.#target = target;
  }

  start(): void {
    this.#running = true;
    this.#loops = [
      this.#repeat(900, () => this.#mail()),
      this.#repeat(1_300, () => this.#send()),
      this.#repeat(350, () => this.#change()),
      this.#repeat(700, () => this.#look()),
    ];
  }

  async stop(): Promise<void> {
    this.#running = false;
    await Promise.all(this.#loops);
  }

  async #repeat(ms: number, work: () => Promise<void>): Promise<void> {
    while (this.#running) {
      await Bun.sleep(ms * (0.3 + 1.4 * this.random()));
      if (this.#running) await work();
    }
  }

  /** Forgets what a new primary does not have. */
  adopt(view: FolderView): void {
    this.#drafts = this.#drafts.filter(({ id }) => view.drafts.has(id));
    for (const id of this.#threads.keys()) if (!view.threads.has(id)) this.#threads.delete(id);
    for (const id of this.#sent) if (view.sends.get(id)?.status !== "sent") this.#sent.delete(id);
  }

  /** Repeats requests to send that got no answer, with their keys, as clients do. */
  async repeatUnanswered(): Promise<void> {
    for (const send of this.sends) if (send.id === null && send.dueMs > Date.now()) await this.#ask(send);
  }

  async #mail(): Promise<void> {
    const id = `new-${this.delivered.size}`;
    this.delivered.set(id, performance.now());
    const text = "something new ".repeat(1 + Math.floor(this.random() * 300));
    await this.dovecot.deliver("alice", mailText({ id, subject: `New ${id}`, text, date: Date.now() }));
  }

  async #send(): Promise<void> {
    if (!this.#target) return;
    const draft = this.random() < 0.25 ? this.#drafts.find(({ files, left }) => files > 0 && !left) : undefined;
    if (draft) return this.#sendDraft(draft);
    const number = this.sends.length;
    const isLater = this.random() < 0.4;
    const dueMs = Date.now() + between(this.random, 3_000, this.scheduledS * 1_000);
    const asked: AskedSend = {
      key: crypto.randomUUID(),
      subject: `Sent ${number}`,
      body: {
        to: ["bob@one.example"],
        subject: `Sent ${number}`,
        body: "Hello. ".repeat(between(this.random, 1, 400)),
        undo_window_s: isLater ? 0 : Math.floor(this.random() * 3),
        ...(isLater ? { scheduled_at: new Date(dueMs).toISOString() } : {}),
      },
      dueMs: isLater ? dueMs : Number.POSITIVE_INFINITY,
      id: null,
      cancelled: false,
    };
    this.sends.push(asked);
    await this.#ask(asked);
    if (asked.id !== null && isLater && this.random() < 0.3) await this.#cancel(asked);
  }

  async #ask(asked: AskedSend): Promise<void> {
    const answer = await this.#request("POST", "/messages/send", asked.body, { "Idempotency-Key": asked.key });
    if (!answer || answer.status >= 300) return;
    const id: string = answer.json.send_id;
    asked.id = id;
    this.#wrote(answer, `send ${id}`, ({ sends }) => sends.has(id));
  }

  async #sendDraft(draft: KnownDraft): Promise<void> {
    draft.left = true;
    const body = { confirm: true, undo_window_s: 0 };
    const key = { "Idempotency-Key": crypto.randomUUID() };
    const answer = await this.#request("POST", `/drafts/${draft.id}/send`, body, key);
    if (!answer || answer.status >= 300) return;
    const id: string = answer.json.send_id;
    this.#wrote(answer, `send ${id} of ${draft.id}`, ({ sends }) => sends.has(id));
  }

  async #cancel(send: AskedSend): Promise<void> {
    const answer = await this.#request("POST", `/sends/${send.id}/cancel`, {});
    if (!answer || answer.status >= 300) return;
    send.cancelled = true;
    const { id } = send;
    this.#wrote(answer, `canceled ${id}`, ({ sends }) => sends.get(id!)?.status === "undone");
  }

  async #change(): Promise<void> {
    const roll = this.random();
    if (roll < 0.2) await this.#write();
    else if (roll < 0.45) await this.#rewrite();
    else if (roll < 0.6) await this.#attach();
    else if (roll < 0.65) await this.#discard();
    else if (roll < 0.85) await this.#label();
    else await this.#star();
  }

  async #write(): Promise<void> {
    const subject = `Draft ${this.#drafts.length}`;
    const answer = await this.#request("POST", "/drafts", { to: ["bob@one.example"], subject, body: bodyOf(0) });
    const id: string | undefined = answer?.json?.draft_id ?? answer?.json?.id;
    if (!answer || answer.status >= 300 || !id) return;
    const draft: KnownDraft = { id, version: 0, files: 0, left: false };
    this.#drafts.push(draft);
    this.#wrote(answer, `draft ${id}`, ({ drafts }) => draft.left || drafts.has(id));
  }

  async #rewrite(): Promise<void> {
    const draft = this.#someDraft();
    if (!draft) return this.#write();
    const version = ++draft.version;
    const answer = await this.#request("PATCH", `/drafts/${draft.id}`, { body: bodyOf(version) });
    if (!answer || answer.status >= 300) return;
    this.#wrote(
      answer,
      `draft ${draft.id} at version ${version}`,
      ({ drafts }) => draft.left || versionOf(drafts.get(draft.id)?.body) >= version,
    );
  }

  async #attach(): Promise<void> {
    const draft = this.#someDraft();
    if (!draft) return this.#write();
    const form = new FormData();
    const bytes = new Uint8Array(1 + Math.floor(this.random() ** 3 * 400_000)).fill(65);
    form.append("file", new Blob([bytes], { type: "text/plain" }), "file.txt");
    const answer = await this.#request("POST", `/drafts/${draft.id}/attachments`, form);
    const file: string | undefined = answer?.json?.id;
    if (!answer || answer.status >= 300 || !file) return;
    draft.files++;
    this.#wrote(
      answer,
      `file ${file} of ${draft.id}`,
      ({ drafts }) => draft.left || drafts.get(draft.id)?.files.includes(file) === true,
    );
  }

  async #discard(): Promise<void> {
    const draft = this.#someDraft();
    if (!draft) return;
    draft.left = true;
    const answer = await this.#request("DELETE", `/drafts/${draft.id}`);
    if (!answer || answer.status >= 300) return;
    this.#wrote(answer, `the end of draft ${draft.id}`, ({ drafts }) => !drafts.has(draft.id));
  }

  async #label(): Promise<void> {
    const label = pick(this.random, LABELS);
    const thread = this.#someThread(({ labels }) => !labels.has(label));
    if (!thread) return;
    const { id } = thread;
    const answer = await this.#request("PATCH", `/threads/${id}`, { add_labels: [label] });
    // Without an answer, it may be there all the same. A second request would then say nothing about its time.
    if (!answer || answer.status < 300) thread.labels.add(label);
    if (!answer || answer.status >= 300) return;
    this.#wrote(answer, `label of ${id}`, ({ threads }) => threads.get(id)?.labels.includes(label) === true);
  }

  async #star(): Promise<void> {
    const thread = this.#someThread(({ starred }) => !starred);
    if (!thread) return;
    const { id } = thread;
    const answer = await this.#request("PATCH", `/threads/${id}`, { starred: true });
    if (!answer || answer.status < 300) thread.starred = true;
    if (!answer || answer.status >= 300) return;
    this.#wrote(answer, `star of ${id}`, ({ threads }) => threads.get(id)?.starred === true);
  }

  /** Sees new mail and what became of sends. */
  async #look(): Promise<void> {
    const list = await this.#request("GET", "/threads?limit=30");
    for (const { id, subject, labels = [], starred } of list?.json?.data ?? []) {
      const mail = /^New (new-\d+)$/.exec(subject)?.[1];
      if (!mail && !/^Old /.test(subject)) continue;
      if (!this.#threads.has(id)) this.#threads.set(id, { id, labels: new Set(labels), starred });
      if (!mail || this.#seen.has(mail)) continue;
      this.#seen.add(mail);
      const header = `<${mail}@flows.test>`;
      const asked = this.delivered.get(mail)!;
      this.#wrote({ ...list!, asked }, `mail ${mail}`, ({ messages }) => messages.has(header));
    }
    const sent = await this.#request("GET", "/sends?limit=30&status=sent");
    for (const { send_id: id } of sent?.json?.data ?? []) {
      if (this.#sent.has(id)) continue;
      this.#sent.add(id);
      // It may have been sent before it was looked at, so it says nothing about what was asked in between.
      this.#wrote({ ...sent!, asked: 0 }, `outcome of ${id}`, ({ sends }) => sends.get(id)?.status === "sent");
    }
  }

  #someDraft(): KnownDraft | undefined {
    const open = this.#drafts.filter(({ left }) => !left);
    return open.length === 0 ? undefined : pick(this.random, open.slice(-20));
  }

  #someThread(fits: (thread: KnownThread) => boolean): KnownThread | undefined {
    const some = [...this.#threads.values()].filter(fits);
    return some.length === 0 ? undefined : pick(this.random, some);
  }

  #wrote({ asked, acked, by }: Answered, what: string, holds: Written["holds"]): void {
    this.journal.add({ what, asked, acked, by, holds, isExact: /^(send|label|star|mail) /.test(what) });
  }

  /** Makes one request of the current server. Null: there was no answer, or there is no server. */
  async #request(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answered | null> {
    const target = this.#target;
    if (!target) return null;
    this.requests++;
    const asked = performance.now();
    let answer: ServedAnswer;
    try {
      answer = await withinTime(target.served.call(method, path, body, headers));
    } catch (error) {
      this.unanswered++;
      if (error instanceof TooLate && this.#target === target)
        this.misses.push(`${method} ${path.split("?")[0]}: ${target.name} did not answer for ${ANSWER_MS / 1000} s`);
      return null;
    }
    const { status } = answer;
    if (NOT_NOW.has(status)) this.refused++;
    else if (status >= 400 && !CROSSED.has(status))
      this.misses.push(`${method} ${path.split("?")[0]}: ${status} ${answer.text.slice(0, 300)}`);
    if (method !== "GET" && status < 300) {
      const what = `${method} ${path.split("?")[0]}`;
      this.acts.note({ who: target.name, via: "api", what, isChange: true });
    }
    return { ...answer, asked, acked: performance.now(), by: target.name };
  }
}

interface Answered extends ServedAnswer {
  asked: number;
  acked: number;
  by: string;
}

class TooLate extends Error {}

async function withinTime<T>(work: Promise<T>): Promise<T> {
  let timer: Timer | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TooLate()), ANSWER_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

const bodyOf = (version: number): string => `Version ${version}.\n${"word ".repeat(200)}`;
const versionOf = (body: string | undefined): number => Number(/Version (\d+)\./.exec(body ?? "")?.[1] ?? -1);
