import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Dovecot, startDovecot } from "../support/dovecot.ts";
import { eventually } from "../support/eventually.ts";
import { mailText } from "../support/mail-text.ts";
import { type ScriptedSmtp, startScriptedSmtp } from "../support/smtp-server.ts";
import { emptySandbox } from "./installation.ts";
import { Acts, type Front, startFront } from "./off-machine-acts.ts";
import { Arrivals } from "./off-machine-arrivals.ts";
import { type Cut, Journal, reachable } from "./off-machine-journal.ts";
import { type Home, Machine } from "./off-machine-machines.ts";
import { People } from "./off-machine-people.ts";
import { type Outage, type StoreLine, startFaultyStore } from "./off-machine-store.ts";
import { compareAdded, compareAll, type FolderView, viewFolder } from "./off-machine-view.ts";
import { createFolder, live } from "./served.ts";

/** How long things may take. On a busy machine, they take longer. */
export interface Deadlines {
  /** How old the newest state in the store may be while it is reachable, ms. */
  promiseMs: number;
  /** The start of a server, a restore, and the return of a server whose store is back. */
  workMs: number;
  /** The end of a promotion, and a new primary that acts: both wait for the lease of the other. */
  takeOverMs: number;
}

/** How fast a home lives. */
export interface Pace {
  /** Longest traffic before a fault, ms. */
  trafficMs: number;
  /** How long a standby follows before it must be able to take over, ms. It reads the store every few seconds. */
  followMs: number;
  /** How long an old primary is watched, ms. */
  oldMs: number;
  /** Time with a store after a partition, before the copy is compared, ms. */
  afterMs: number;
  /** Latest time for which a send is scheduled, from now, s. */
  scheduledS: number;
  /** Share of the messages whose acceptance by the mail server is lost. Postroom then looks for them for a while. */
  unanswered: number;
}

export interface WorldOptions {
  random: () => number;
  say: (line: string) => void;
  deadlines: Deadlines;
  pace: Pace;
  /** Share of disturbed requests to the store. */
  disturbed: number;
  /** Whether the primary acts only with the lease, so that a standby can take over. */
  standby: boolean;
  /** Prefix of what is said. */
  name: string;
}

export const FIGURES = {
  kills: 0,
  partitions: 0,
  handovers: 0,
  restores: 0,
  past_restores: 0,
  promotions: 0,
  /** Old primaries that were started again, or that lived on. */
  old_primaries: 0,
  /** Confirmed writes that had to be in a copy, over all comparisons, and that were missing within the promise. */
  compared: 0,
  lost: 0,
  worst_loss_ms: 0,
  slowest_restore_ms: 0,
  slowest_take_over_ms: 0,
};
export type WorldFigures = typeof FIGURES;

/** What a restored folder is compared with. */
interface Source {
  /** The data folder of a primary that does not run any more. */
  ended?: string;
  /** Nothing was asked of it for longer than the promise. */
  isQuiet?: boolean;
}

/** How far back states are restored. */
const PAST_MS = 120_000;
const HISTORY = 20;
const MOST_SENDS = 20_000;
const BUCKET = "postroom-home";

/** One home: mail servers, a store, machines, and people; and what was found wrong. */
export class World {
  readonly misses: string[] = [];
  readonly figures: WorldFigures = { ...FIGURES };
  standby: Machine | null = null;
  /** What happens at the moment, for messages. */
  doing = "the start";
  rounds = 0;
  #machines = 0;
  /** Times without a primary. */
  readonly #ended: Outage[] = [];
  readonly #lines = new Map<string, StoreLine>();
  /** When the first copy was there. */
  #begunAt = 0;

  private constructor(
    readonly options: WorldOptions,
    readonly home: Home,
    readonly dovecot: Dovecot,
    readonly smtp: ScriptedSmtp,
    readonly arrivals: Arrivals,
    readonly journal: Journal,
    readonly people: People,
    private readonly fronts: readonly Front[],
    public primary: Machine,
  ) {
    this.#lines.set(primary.name, primary.line);
  }

  static async open(options: WorldOptions): Promise<World> {
    const { random } = options;
    const base = mkdtempSync(join(tmpdir(), "postroom-off-machine-"));
    const [dovecot, smtp, store] = await Promise.all([
      startDovecot(),
      startScriptedSmtp(),
      startFaultyStore(BUCKET, random),
    ]);
    const acts = new Acts();
    const fronts = [
      await startFront(dovecot.imapPort, "imap", acts),
      await startFront(smtp.port, "smtp", acts),
    ] as const;
    const home: Home = { base, store, acts, key: "", keyFile: join(base, "key"), standby: options.standby };
    const primary = await Machine.add(home, "m0");
    const mails = Array.from({ length: HISTORY }, (_, i) => ({
      raw: mailText({ id: `old-${i}`, subject: `Old ${i}`, text: `old word${i} `.repeat(1 + (i % 40)) }),
      date: new Date("2020-01-01T00:00:00Z"),
    }));
    dovecot.loadMaildir("alice", "INBOX", mails);
    const folder = createFolder(primary.data_dir);
    home.key = folder.key;
    emptySandbox(folder);
    folder.connect({
      email: "alice@mail.test",
      connection: {
        imap: { host: "127.0.0.1", port: fronts[0].port, security: "none" },
        smtp: { host: "127.0.0.1", port: fronts[1].port, security: "none" },
        ...dovecot.logins.alice,
        password: smtp.login.password,
      },
    });
    folder.close();
    copyFileSync(join(primary.data_dir, "keys", "master.key"), home.keyFile);
    // The answer to some messages is lost.
    smtp.takes_before_fault = true;
    smtp.faults.dot = Array.from({ length: MOST_SENDS }, () => (random() < options.pace.unanswered ? "cut" : null));
    const journal = new Journal();
    const people = new People(dovecot, journal, acts, random, options.pace.scheduledS);
    const arrivals = new Arrivals(smtp);
    return new World(options, home, dovecot, smtp, arrivals, journal, people, fronts, primary);
  }

  /**
   * Starts the first primary. It first acts without a lease until there is a copy: a primary that finds an empty store
   * waits for the time of a lease.
   */
  async begin(): Promise<void> {
    const { deadlines, disturbed } = this.options;
    await this.primary.serve({ standby: false });
    await live(this.primary, deadlines.workMs);
    await this.untilActing(this.primary);
    this.employ(this.primary);
    this.people.start();
    await eventually(async () => {
      const check = await this.machine();
      const { code, err } = await check.restore(deadlines.workMs);
      await check.remove();
      if (code !== 0) throw new Error(`there is no first copy: ${err}`);
      return true;
    }, deadlines.workMs);
    this.#begunAt = performance.now();
    this.home.store.disturbed = disturbed;
    if (!this.home.standby) return;
    this.unemploy();
    await this.primary.stop();
    await this.primary.serve();
    await this.untilActing(this.primary);
    this.employ(this.primary);
  }

  miss(what: string): void {
    this.misses.push(`${this.options.name}, ${this.doing}: ${what}`);
    this.options.say(`${this.options.name}, ${this.doing}: ${what}`);
  }

  async machine(): Promise<Machine> {
    const machine = await Machine.add(this.home, `m${++this.#machines}`);
    this.#lines.set(machine.name, machine.line);
    return machine;
  }

  /** Compares up to now, or up to another moment. */
  cut(at = performance.now()): Cut {
    const line = (process: string) => this.#lines.get(process.split("#")[0]!);
    const outagesOf = (process: string) => [...this.#ended, ...(line(process)?.outages ?? [])];
    return { at, outagesOf, promiseMs: this.options.deadlines.promiseMs, adopt: false };
  }

  /** No machine acts from now on, so nothing reaches the store either. */
  unemploy(): void {
    this.people.use(null);
    this.#ended.push({ from: performance.now(), to: Number.POSITIVE_INFINITY });
  }

  /** People use this machine from now on. */
  employ(machine: Machine): void {
    this.primary = machine;
    const last = this.#ended.at(-1);
    if (last) last.to = Math.min(last.to, performance.now());
    this.people.use({ name: machine.process, served: machine.served! });
  }

  /** Waits until a server accepts changes. @returns how long it took, ms */
  async untilActing(machine: Machine, deadlineMs = this.options.deadlines.takeOverMs): Promise<number> {
    const began = performance.now();
    await eventually(async () => {
      const status = await acts(machine);
      if (status !== "acts") throw new Error(`${machine.process} does not act (${status}): ${machine.served?.log()}`);
      return true;
    }, deadlineMs);
    return performance.now() - began;
  }

  /** Compares a folder with what was confirmed and with what arrived. Null when it cannot be read. */
  async judge(machine: Machine, cut: Cut): Promise<FolderView | null> {
    let read: Awaited<ReturnType<typeof viewFolder>>;
    try {
      read = await viewFolder(machine.data_dir);
    } catch (error) {
      this.miss(`the folder of ${machine.name} cannot be read: ${(error as Error).message}`);
      return null;
    }
    for (const finding of read.findings) this.miss(`the folder of ${machine.name}: ${finding}`);
    const { misses, required, lost, worstMs } = this.journal.judge(read.view, cut);
    for (const miss of misses) this.miss(miss);
    this.figures.compared += required;
    this.figures.worst_loss_ms = Math.max(this.figures.worst_loss_ms, worstMs);
    if (!cut.adopt) return read.view;
    this.figures.lost += lost;
    // Without standbys, sends do not wait for the store.
    const isExcused = (at: number) =>
      !this.home.standby && reachable(at, cut.at, cut.outagesOf(this.primary.process)) <= cut.promiseMs;
    for (const one of this.arrivals.unknownTo(read.view, isExcused)) this.miss(one);
    return read.view;
  }

  /** Restores elsewhere and compares. @param source what else it is compared with */
  async restoreElsewhere(cut: Cut, source: Source = {}): Promise<[Machine, FolderView] | null> {
    const machine = await this.machine();
    const at = cut.isPast ? ["--at", new Date(performance.timeOrigin + cut.at).toISOString()] : [];
    const { code, err, ms } = await machine.restore(this.options.deadlines.workMs, ...at);
    this.figures.restores++;
    this.figures.slowest_restore_ms = Math.max(this.figures.slowest_restore_ms, ms);
    if (code !== 0) {
      this.miss(`the restore (${at.join(" ")}) ended with ${code}: ${err.slice(-600)}`);
      this.explain();
      await machine.remove();
      return null;
    }
    const { ended, isQuiet } = source;
    if (ended) {
      for (const difference of compareAdded(machine.data_dir, ended)) this.miss(difference);
      if (isQuiet) for (const difference of compareAll(machine.data_dir, ended)) this.miss(difference);
    }
    const view = await this.judge(machine, cut);
    if (view) return [machine, view];
    await machine.remove();
    return null;
  }

  /** Restores a state of the last minutes and compares it with what was confirmed until then. */
  async restorePast(): Promise<void> {
    const { random, deadlines } = this.options;
    const now = performance.now();
    const begin = Math.max(this.#begunAt + deadlines.promiseMs, now - PAST_MS);
    if (begin > now) return;
    const at = begin + random() * (now - begin);
    const copy = await this.restoreElsewhere({ ...this.cut(at), isPast: true }, { ended: this.primary.data_dir });
    await copy?.[0].remove();
    this.figures.past_restores++;
  }

  /** Reports what must never happen, whenever it did. */
  look(): void {
    for (const overlap of this.home.acts.takeOverlaps()) this.miss(overlap);
    // A client that asked two servers has two messages if the second one could not know of the first.
    const by = this.home.standby ? (["id", "subject"] as const) : (["id"] as const);
    for (const repeated of this.arrivals.takeRepeated(...by)) this.miss(repeated);
    for (const miss of this.people.misses.splice(0)) this.miss(miss);
  }

  /** Says what happened last in the store and at the mail servers. */
  explain(): void {
    const { store, acts } = this.home;
    for (const line of [...store.lately().slice(-40), ...acts.lately()]) this.options.say(`  ${line}`);
    this.options.say(`  ${this.primary.served?.log().slice(-1_500) ?? ""}`);
  }

  async close(): Promise<void> {
    this.people.use(null);
    await this.people.stop();
    await this.primary.remove();
    await this.standby?.remove();
    await Promise.all(this.fronts.map((front) => front.close()));
    await Promise.all([this.dovecot.stop(), this.smtp.stop(), this.home.store.close()]);
    rmSync(this.home.base, { recursive: true, force: true });
  }
}

/** Asks a server for a change that has no effect. A server that must not act refuses it before it looks at it. */
export async function acts(machine: Machine): Promise<"acts" | "paused" | "away" | "ended" | string> {
  const { served } = machine;
  if (!served || served.exit_code !== null) return "ended";
  const answer = await served.call("DELETE", "/drafts/drf_none").catch(() => null);
  if (!answer) return "away";
  if (answer.status === 503) return "paused";
  return answer.status === 404 ? "acts" : `${answer.status} ${answer.text}`;
}
