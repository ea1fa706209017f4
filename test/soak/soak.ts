import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median, percentile, processUsage } from "../bench/measure.ts";
import { type Campaign, type CampaignOptions, pick } from "../faults/campaign.ts";
import { createFolder, type Folder, live, type Served, serve } from "../faults/served.ts";
import { asLines, checkInvariants } from "../invariants/check.ts";
import { createAuthority, OPENSSL } from "../support/certificates.ts";
import { DOVECOT, type Dovecot, startDovecot, type TestUser } from "../support/dovecot.ts";
import { startReceiver } from "../support/https-receiver.ts";
import { processorTimes } from "../support/machine-load.ts";
import { mailText } from "../support/mail-text.ts";
import { startScriptedSmtp } from "../support/smtp-server.ts";
import { Arrivals } from "./arrivals.ts";
import { drained } from "./drained.ts";
import { mean, round } from "./figures.ts";
import { lagsOf, samplesBetween, since } from "./machine.ts";
import { heldSlope, memoryByTenth, memoryMisses, type Sample, slopeFigures } from "./memory.ts";
import { linearSlope } from "./slope.ts";
import { searchedWord, writtenWord } from "./words.ts";

/** Every second. */
const MAILS = 20;
const REQUESTS = 200;
const SEARCHES = 5;
const SENDS = 1;
const CHANGES = 5;

/** Words of a mail. */
const LENGTH = 60;
/** Threads restart after this many mails. */
const THREAD_SPAN = 300;

const SAMPLE_EVERY_MS = 5_000;
/** Warm-up in which the program reaches its size: caches, compiled code, the embedding model. */
const SETTLED_SHARE = 1 / 3;
const MAX_NEW_DESCRIPTORS = 12;
/** A shorter run has not settled: its slopes are reported, but prove nothing. */
const MIN_MINUTES = 10;
/** From this length on, memory is judged as after an hour. */
const FULL_MINUTES = 60;
/** The last third's p99 against that of the first third. */
const MAX_SLOWER = 2;
const SLOWER_ALLOWANCE_MS = 25;
/** If fewer than this share of a third's requests have latencies, they do not represent that third. */
const MIN_UNDISTURBED = 0.5;
/** This process pauses for this long now and then; measurements during a pause are its own. */
const STALL_MS = 50;
/** Share of the processors' time: above it, five seconds show how busy the host is, and nothing about the server. */
const MAX_STOLEN = 0.01;
/** With Maildir, Dovecot lists the folder for each message, and soon needs more of the machine than the server. */
const STORE = "mail_location = mdbox:~/mdbox";
const TURN_MS = 4;

export interface SoakOptions {
  minutes: number;
  /** The executable to measure; null: the source. */
  executable: string | null;
}

/** Start and duration of all requests, as columns: a million objects would keep the garbage collector busy. */
interface Latencies {
  atMs: number[];
  ms: number[];
  searched: boolean[];
}

/** Five mailboxes, twenty new mails and two hundred requests a second, searches, sends and webhooks. */
export const soakFor =
  ({ minutes, executable }: SoakOptions): Campaign =>
  async (options) => {
    if (!DOVECOT || !OPENSSL) return { skipped: "Debian's dovecot-imapd or openssl is not installed" };
    const data_dir = mkdtempSync(join(tmpdir(), "postroom-soak-"));
    const authority = createAuthority();
    const [one, two, smtp, receiver] = await Promise.all([
      startDovecot({ extraConfig: STORE }),
      startDovecot({ extraConfig: STORE }),
      startScriptedSmtp(),
      startReceiver(authority.issue(["127.0.0.1"])),
    ]);
    const folder = createFolder(data_dir);
    const mailboxes: [Dovecot, TestUser][] = [
      [one, "alice"],
      [one, "bob"],
      [one, "carol"],
      [two, "alice"],
      [two, "bob"],
    ];
    const { port, security, username, password } = smtp.login;
    for (const [index, [dovecot, user]] of mailboxes.entries()) {
      const login = index === 0 ? { username, password } : dovecot.logins[user];
      folder.connect({
        email: `${user}${index}@mail.test`,
        connection: {
          imap: { host: "127.0.0.1", port: dovecot.imapPort, security: "none" },
          smtp: { host: "127.0.0.1", port, security },
          ...login,
        },
      });
    }
    const settings = { "webhooks.allow": "127.0.0.1", "webhooks.ca_file": authority.ca_file };
    const served = await serve(folder, { settings, executable });
    try {
      await live(folder);
      const events = ["message.received", "send.completed", "send.failed"];
      await served.call("POST", "/webhooks", { url: `${receiver.origin}/hook`, events });
      const arrivals = new Arrivals();
      receiver.behave = (request) => {
        arrivals.hook(request);
        // Tens of thousands of them are not kept.
        receiver.received.length = 0;
        return { status: 200 };
      };
      const lags = await lagsOf(served);
      const load = new Load(served, folder, mailboxes, options);
      await load.run(minutes * 60_000);
      options.say("the load is over; what was begun comes to its end");
      const misses = [...load.misses()];
      const lagged = since(lags, await lagsOf(served));
      misses.push(...(await drained(folder, load.delivered)));
      misses.push(...arrivals.misses(load.delivered, load.sends, smtp.accepted));
      const exit_code = await served.stop();
      if (exit_code !== 0) misses.push(`the server ended with ${exit_code}: ${served.log().slice(-500)}`);
      const report = await checkInvariants(folder.platform, { settled: true });
      misses.push(...asLines(report.findings));
      const { hooks, repeated } = arrivals;
      const came = { webhooks: hooks, webhooks_repeated: repeated, messages: report.messages };
      return { figures: { ...load.figures(), ...lagged, ...came }, misses };
    } finally {
      await served.stop();
      folder.close();
      await Promise.all([one.stop(), two.stop(), smtp.stop(), receiver.stop()]);
      authority.remove();
      rmSync(data_dir, { recursive: true, force: true });
    }
  };

class Load {
  delivered = 0;
  sends = 0;
  requests = 0;
  readonly errors: string[] = [];
  readonly #samples: Sample[] = [];
  readonly #latencies: Latencies = { atMs: [], ms: [], searched: [] };
  readonly #stalls: { atMs: number; ms: number }[] = [];
  #processors = processorTimes();
  #forMs = 0;
  #threads: string[] = [];
  #began = 0;

  constructor(
    private readonly served: Served,
    private readonly folder: Folder,
    private readonly mailboxes: readonly [Dovecot, TestUser][],
    private readonly options: CampaignOptions,
  ) {}

  /** Open loop: requests start when they are due, whether or not earlier ones were answered. */
  async run(forMs: number): Promise<void> {
    this.#began = performance.now();
    this.#forMs = forMs;
    const rates = [
      { everyMs: 1_000 / MAILS, act: () => this.#mail() },
      { everyMs: 1_000 / REQUESTS, act: () => this.#read() },
      { everyMs: 1_000 / SEARCHES, act: () => this.#search() },
      { everyMs: 1_000 / CHANGES, act: () => this.#change() },
      { everyMs: 1_000 / SENDS, act: () => this.#send() },
      { everyMs: SAMPLE_EVERY_MS, act: () => this.#sample() },
    ].map((rate) => ({ ...rate, due: 0 }));
    await this.#list();
    const open = new Set<Promise<void>>();
    for (let now = 0; now < forMs; now = performance.now() - this.#began) {
      for (const rate of rates) {
        for (; rate.due <= now; rate.due += rate.everyMs) {
          const work = rate.act().catch((error: Error) => void this.errors.push(error.message));
          open.add(work);
          void work.then(() => open.delete(work));
        }
      }
      const sleptAt = performance.now();
      await Bun.sleep(TURN_MS);
      const ms = performance.now() - sleptAt - TURN_MS;
      if (ms > STALL_MS) this.#stalls.push({ atMs: sleptAt - this.#began, ms });
    }
    await Promise.all(open);
    await this.#sample();
  }

  figures(): Record<string, number> {
    const settled = this.#settled();
    const all = this.#latencies.ms;
    const p99 = (third: number, searched?: boolean) => round(percentile(this.#third(third, searched), 0.99));
    const p99Undisturbed = (third: number) => round(percentile(this.#undisturbed(third), 0.99));
    const [first, last] = this.#descriptors();
    return {
      minutes: round(this.#forMs / 60_000),
      requests: this.requests,
      mails: this.delivered,
      sends: this.sends,
      errors: this.errors.length,
      p50_ms: round(percentile(all, 0.5)),
      p99_ms: round(percentile(all, 0.99)),
      p99_first_third_ms: p99(0),
      p99_last_third_ms: p99(2),
      searches_p99_first_third_ms: p99(0, true),
      searches_p99_last_third_ms: p99(2, true),
      others_p99_first_third_ms: p99(0, false),
      others_p99_last_third_ms: p99(2, false),
      undisturbed_p99_first_third_ms: p99Undisturbed(0),
      undisturbed_p99_last_third_ms: p99Undisturbed(2),
      undisturbed_share_first_third: Math.round(100 * this.#undisturbedShare(0)) / 100,
      undisturbed_share_last_third: Math.round(100 * this.#undisturbedShare(2)) / 100,
      stolen_percent: round(100 * this.#stolen),
      client_stalls_first_third_ms: this.#stalled(0),
      client_stalls_last_third_ms: this.#stalled(2),
      cores_first_third: this.#cores(0),
      cores_last_third: this.#cores(2),
      memory_mb: Math.round(settled.at(-1)?.rss_mb ?? 0),
      ...slopeFigures(settled),
      ...memoryByTenth(this.#samples),
      own_memory_mb: Math.round(settled.at(-1)?.own_mb ?? 0),
      own_memory_slope_mb_per_hour: round(this.#slope(({ own_mb }) => own_mb)),
      held_memory_slope_mb_per_hour: round(heldSlope(settled)),
      descriptors_first: first,
      descriptors_last: last,
      descriptor_slope_per_hour: round(this.#slope(({ descriptors }) => descriptors)),
    };
  }

  misses(): string[] {
    const figures = this.figures();
    const misses = this.errors.slice(0, 10);
    if (figures.minutes! < MIN_MINUTES) return misses;
    misses.push(...memoryMisses(this.#settled(), figures.minutes! >= FULL_MINUTES));
    const { descriptors_first, descriptors_last } = figures;
    if (descriptors_last! > descriptors_first! + MAX_NEW_DESCRIPTORS) {
      misses.push(`${descriptors_first} descriptors became ${descriptors_last}`);
    }
    return [...misses, ...this.#latencyMisses()];
  }

  /** If the host took nearly nothing, every request counts; the server's own bursts are disturbed most easily. */
  #latencyMisses(): string[] {
    const isQuiet = this.#stolen <= MAX_STOLEN;
    const share = isQuiet ? 1 : Math.min(this.#undisturbedShare(0), this.#undisturbedShare(2));
    if (!(share >= MIN_UNDISTURBED))
      return [`the host gave others the processors: ${share} of a third was undisturbed`];
    const of = (index: number) => percentile(isQuiet ? this.#third(index) : this.#undisturbed(index), 0.99);
    const [first, last] = [of(0), of(2)];
    return last <= first * MAX_SLOWER + SLOWER_ALLOWANCE_MS
      ? []
      : [`the p99 went from ${round(first)} to ${round(last)} ms`];
  }

  /** Returns the share of the processors' time that others got. */
  get #stolen(): number {
    return mean(this.#samples.map(({ stolen }) => stolen));
  }

  #settled(): Sample[] {
    return this.#samples.slice(Math.floor(this.#samples.length * SETTLED_SHARE));
  }

  #slope(of: (sample: Sample) => number): number {
    return linearSlope(this.#settled().map((sample) => [sample.at_h, of(sample)]));
  }

  /** Compares the middle of the first and of the last third after warm-up, because connections open and close. */
  #descriptors(): [first: number, last: number] {
    const settled = this.#settled().map(({ descriptors }) => descriptors);
    const third = Math.ceil(settled.length / 3);
    return [median(settled.slice(0, third)), median(settled.slice(-third))];
  }

  /** Returns the latencies of a third of the time. @param wanted whether the requests were searches; absent: all */
  #third(index: number, wanted?: boolean): number[] {
    const { atMs, ms, searched } = this.#latencies;
    return ms.filter((_, i) => this.#isIn(index, atMs[i]!) && (wanted === undefined || searched[i] === wanted));
  }

  /** Returns the latencies of those requests of a third during which the host let this machine have its processors. */
  #undisturbed(index: number): number[] {
    const { atMs, ms } = this.#latencies;
    // A sample reports the time stolen since the previous one.
    const isOurs = samplesBetween(this.#samples, ({ stolen }) => stolen <= MAX_STOLEN);
    return ms.filter((took, i) => this.#isIn(index, atMs[i]!) && isOurs(atMs[i]!, atMs[i]! + took));
  }

  #undisturbedShare(index: number): number {
    return this.#undisturbed(index).length / this.#third(index).length;
  }

  /** Returns how long this process paused. */
  #stalled(index: number): number {
    const stalls = this.#stalls.filter(({ atMs }) => this.#isIn(index, atMs));
    return Math.round(stalls.reduce((sum, { ms }) => sum + ms, 0));
  }

  #isIn(index: number, atMs: number): boolean {
    return atMs >= (this.#forMs * index) / 3 && atMs <= (this.#forMs * (index + 1)) / 3;
  }

  /** Returns how many of the machine's cores the server kept busy on average. */
  #cores(index: number): number {
    const samples = this.#samples.filter(({ at_h }) => this.#isIn(index, at_h * 3_600_000));
    return Math.round(100 * linearSlope(samples.map(({ at_h, cpu_h }) => [at_h, cpu_h]))) / 100;
  }

  async #mail(): Promise<void> {
    const n = this.delivered++;
    const [dovecot, user] = this.mailboxes[n % this.mailboxes.length]!;
    // A third answers earlier mail, so that threads grow, to twenty messages at most.
    const parent = n % 3 === 0 && n % THREAD_SPAN >= MAILS ? { in_reply_to: `soak-${n - 15}` } : {};
    const text = Array.from({ length: LENGTH }, () => writtenWord(this.options.random())).join(" ");
    await dovecot.deliver(user, mailText({ id: `soak-${n}`, subject: `Soak ${n % 200}`, text, ...parent }));
  }

  async #list(): Promise<void> {
    const answer = await this.#ask("GET", "/threads?limit=25");
    this.#threads = (answer?.json?.data ?? []).map(({ id }: { id: string }) => id);
  }

  async #read(): Promise<void> {
    const roll = this.options.random();
    if (roll < 0.5 || this.#threads.length === 0) await this.#list();
    else if (roll < 0.9) await this.#ask("GET", `/threads/${pick(this.options.random, this.#threads)}/messages`);
    else
      await this.#ask("GET", pick(this.options.random, ["/usage", "/accounts", "/contacts", "/threads?unread=true"]));
  }

  async #search(): Promise<void> {
    const mode = this.options.random() < 0.8 ? "keyword" : "hybrid";
    await this.#ask("POST", "/search", { query: searchedWord(this.options.random()), mode });
  }

  async #change(): Promise<void> {
    if (this.#threads.length === 0) return;
    const change =
      this.options.random() < 0.5 ? { read: this.options.random() < 0.5 } : { starred: this.options.random() < 0.5 };
    await this.#ask("PATCH", `/threads/${pick(this.options.random, this.#threads)}`, change);
  }

  async #send(): Promise<void> {
    this.sends++;
    const body = { to: ["somebody@one.example"], subject: `Soak ${this.sends}`, body: "Hello.", undo_window_s: 0 };
    await this.#ask("POST", "/messages/send", body, { "Idempotency-Key": crypto.randomUUID() });
  }

  async #ask(method: string, path: string, body?: unknown, headers?: Record<string, string>) {
    this.requests++;
    const began = performance.now();
    const answer = await this.served.call(method, path, body, headers);
    this.#latencies.atMs.push(began - this.#began);
    this.#latencies.ms.push(performance.now() - began);
    this.#latencies.searched.push(path === "/search");
    // A thread may be merged into another between the list and the request; its id remains valid.
    if (answer.status >= 400) this.errors.push(`${method} ${path.split("?")[0]}: ${answer.status} ${answer.text}`);
    return answer;
  }

  async #sample(): Promise<void> {
    const usage = processUsage(this.served.pid);
    if (!usage) return;
    const descriptors = readdirSync(`/proc/${this.served.pid}/fd`).length;
    const at_h = (performance.now() - this.#began) / 3_600_000;
    const cpu_h = usage.cpu_ms / 3_600_000;
    const before = this.#processors;
    this.#processors = processorTimes();
    const stolen = (this.#processors.stolen - before.stolen) / Math.max(1, this.#processors.all - before.all);
    const sizes = { rss_mb: usage.rss_bytes / 1e6, own_mb: usage.own_bytes / 1e6 };
    this.#samples.push({ at_h, ...sizes, descriptors, cpu_h, stolen });
    if (this.#samples.length % 12 !== 0) return;
    const stored = this.folder.platform.db.sql.query<{ c: number }, []>("SELECT count(*) AS c FROM messages").get()!.c;
    const memory = `${Math.round(usage.rss_bytes / 1e6)} MB, ${descriptors} descriptors`;
    this.options.say(`${Math.round(at_h * 60)} min: ${memory}, ${stored} messages, ${this.errors.length} errors`);
  }
}
