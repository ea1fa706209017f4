import { SYSTEM_ACTOR } from "../../src/platform/audit.ts";
import { DOVECOT, type Dovecot, startDovecot } from "../dovecot.ts";
import { eventually } from "../eventually.ts";
import { asLines, checkInvariants } from "../invariants/check.ts";
import { compareWithServer } from "../invariants/server.ts";
import { mailText } from "../mail-text.ts";
import { createMailWorld, type MailWorld } from "../mail-world.ts";
import { mirrorOf, runMirror } from "../mirror-scene.ts";
import { type Campaign, type CampaignOptions, pick, shuffled } from "./campaign.ts";
import { LINE_FAULTS, type LineFault, type LineProxy, startLineProxy } from "./line-proxy.ts";

/** Steps that only come when the connection is made anew. */
const AT_LOGIN = new Set(["greeting", "CAPABILITY", "AUTHENTICATE", "LOGIN", "ID", "NAMESPACE", "ENABLE"]);
const HIT_MS = 1_500;
const SETTLE_MS = 30_000;
const MAIL_AT_FIRST = 40;
/** Turns without a fault, to see which steps the dialogue with this server has. */
const CALM_TURNS = 6;
const SHORT_TURNS = 12;
/** Dovecot as it is, and one that can only do what RFC 3501 asks for: there, moves are copies, and LOGIN is used. */
const SERVERS = [undefined, "IMAP4rev1"];

/**
 * An IMAP server whose every answer, at every step, is cut, held back, dripped, shuffled, doubled or mixed with garbage,
 * while mail comes in and changes go out. In the end both sides agree, and nothing was announced twice.
 */
export const imapLineCampaign: Campaign = async (options) => {
  if (!DOVECOT) return { skipped: "Debian's dovecot-imapd is not installed" };
  const figures = { faults: 0, steps: 0, connections: 0, messages: 0, copies_compared: 0, slowest_recovery_ms: 0 };
  const misses: string[] = [];
  for (const capability of SERVERS) {
    const dovecot = await startDovecot(capability ? { capability } : {});
    try {
      const found = await run(dovecot, options);
      misses.push(...found.misses);
      for (const [name, value] of Object.entries(found.figures)) {
        const key = name as keyof typeof figures;
        figures[key] = key === "slowest_recovery_ms" ? Math.max(figures[key], value) : figures[key] + value;
      }
    } finally {
      await dovecot.stop();
    }
  }
  return { figures, misses };
};

async function run(dovecot: Dovecot, { short, random, say }: CampaignOptions) {
  loadHistory(dovecot);
  const proxy = await startLineProxy(dovecot.imapPort, "imap", random);
  const world = await createMailWorld({
    port: proxy.port,
    login: dovecot.logins.alice,
    longest_wait_ms: 40,
    connect: { socket_timeout_ms: 600 },
  });
  const other = await dovecot.connect("alice");
  const misses: string[] = [];
  let slowest_ms = 0;
  const agree = async (after: string) => {
    const began = performance.now();
    await world.agrees(other, SETTLE_MS).catch((error: Error) => misses.push(`${after}: ${error.message}`));
    slowest_ms = Math.max(slowest_ms, performance.now() - began);
  };
  try {
    world.start();
    await eventually(() => world.account.sync.phase === "live", SETTLE_MS);
    const scene = new Commotion(dovecot, world, proxy, random);
    for (let i = 0; i < CALM_TURNS; i++) await scene.stir(i % 2 === 0 ? "UID STORE" : "UID MOVE");
    const steps = [...proxy.seen].filter((step) => step !== "LOGOUT");
    const all = shuffled(
      random,
      steps.flatMap((step) => LINE_FAULTS.map((fault) => ({ step, fault }))),
    );
    const turns = short ? all.slice(0, SHORT_TURNS) : all;
    for (const { step, fault } of turns) {
      await scene.suffer(step, fault);
      await agree(`after ${fault} at ${step}`);
      if (misses.length > 10) break;
    }
    say(`${proxy.spoiled} of ${turns.length} answers spoiled, at ${steps.join(", ")}`);
    await agree("in the end");
    misses.push(...scene.announcements());
    const compared = await compareWithServer(world.platform, world.account, other, { flags: true });
    const report = await checkInvariants(world.platform);
    misses.push(...asLines([...compared.findings, ...report.findings]));
    return {
      figures: {
        faults: proxy.spoiled,
        steps: steps.length,
        connections: proxy.connections,
        messages: report.messages,
        copies_compared: compared.copies,
        slowest_recovery_ms: Math.round(slowest_ms),
      },
      misses,
    };
  } finally {
    await world.close();
    await proxy.close();
  }
}

function loadHistory(dovecot: Dovecot): void {
  const date = new Date("2020-01-01T00:00:00Z");
  for (const folder of ["INBOX", "Archive"]) {
    const mails = Array.from({ length: MAIL_AT_FIRST / 2 }, (_, i) => ({
      raw: mailText({ id: `${folder}-${i}`, text: "word ".repeat(1 + i * 20) }),
      date,
    }));
    dovecot.loadMaildir("alice", folder, mails);
  }
}

/** Mail that comes, changes on the server, and changes here that go to it. */
class Commotion {
  readonly #mirror;
  readonly #delivered: string[] = [];

  constructor(
    private readonly dovecot: Dovecot,
    private readonly world: MailWorld,
    private readonly proxy: LineProxy,
    private readonly random: () => number,
  ) {
    this.#mirror = mirrorOf(world);
  }

  /** Spoils one answer, and waits until all that was to be changed is changed all the same. */
  async suffer(step: string, fault: LineFault): Promise<void> {
    const { proxy, world } = this;
    const before = proxy.spoiled;
    proxy.arm(step, fault);
    if (AT_LOGIN.has(step)) proxy.cut();
    await this.#deliver();
    this.#change(step);
    const began = performance.now();
    while (proxy.spoiled === before && performance.now() - began < HIT_MS) {
      world.room.syncNow(world.account.id);
      await this.#replay();
      await Bun.sleep(20);
    }
    proxy.disarm();
    await this.#mirrorAll();
  }

  /** The same without a fault. */
  async stir(step: string): Promise<void> {
    await this.#deliver();
    this.#change(step);
    await this.#mirrorAll();
  }

  async #deliver(): Promise<void> {
    const subject = `Live ${this.#delivered.length}`;
    await this.dovecot.deliver("alice", mailText({ id: subject.replace(" ", "-"), subject }));
    this.#delivered.push(subject);
  }

  #change(step: string): void {
    const { world, random } = this;
    const thread = pick(random, world.messages()).thread_id;
    const state = pick(random, ["inbox", "archived", "trash"] as const);
    const change = step === "UID STORE" ? { unread: random() < 0.5, starred: random() < 0.5 } : { state };
    const by = { user_id: world.user.id, account_id: null, actor: SYSTEM_ACTOR, request_id: null };
    world.mailbox.changes.update(by, thread, change);
  }

  /** Replays what is pending until the server has it. */
  #mirrorAll(): Promise<boolean> {
    const pending = this.world.platform.db.sql.query<{ c: number }, []>("SELECT count(*) AS c FROM pending_changes");
    return eventually(async () => {
      if (pending.get()!.c === 0) return true;
      await this.#replay();
      this.world.room.syncNow(this.world.account.id);
      return false;
    }, SETTLE_MS);
  }

  /** Each delivered message once, and nothing of the history. */
  announcements(): string[] {
    const times = new Map<string, number>();
    for (const { data } of this.world.events("message.received")) {
      times.set(data.subject, (times.get(data.subject) ?? 0) + 1);
    }
    const wrong = this.#delivered
      .filter((subject) => times.get(subject) !== 1)
      .map((subject) => `${subject} was announced ${times.get(subject) ?? 0} times`);
    for (const subject of times.keys()) {
      if (!this.#delivered.includes(subject)) wrong.push(`${subject}, which was there before, was announced`);
    }
    return wrong;
  }

  async #replay(): Promise<void> {
    await runMirror(this.world, this.#mirror).catch(() => {});
  }
}
