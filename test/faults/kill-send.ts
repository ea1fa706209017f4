import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sweepFiles } from "../../src/app/sweep.ts";
import { ApiError } from "../../src/kernel/errors.ts";
import { createMailbox } from "../../src/mailbox/mailbox.ts";
import { createOutbound } from "../../src/outbound/outbound.ts";
import type { Sender } from "../../src/outbound/sends/schedule.ts";
import type { Send } from "../../src/outbound/sends/store.ts";
import { PartCache } from "../../src/platform/blobs/cache.ts";
import { loadConfig, withValues } from "../../src/platform/config/load.ts";
import { openPlatform, type Platform } from "../../src/platform/platform.ts";
import { asLines, checkInvariants } from "../invariants/check.ts";
import { type ScriptedSmtp, type SmtpFault, type SmtpStep, startScriptedSmtp } from "../support/smtp-server.ts";
import type { Campaign } from "./campaign.ts";
import { fastClock } from "./fast-clock.ts";

/**
 * Scheduled sends whose process is killed (-9) again and again while the mail server fails in every way: no message may
 * arrive twice, none may be lost, and the status of a send must match what the server has.
 */

const OWNER = "owner@localhost";
const SPEED = 600;
const CHILD = join(import.meta.dir, "kill-send-child.ts");

export interface SendKillReport {
  kills: number;
  sends: number;
  by_outcome: Record<string, number>;
  /** Of the sends whose outcome counts as unknown: how many the server has. */
  unknown_but_arrived: number;
  /** Deviations from the requirements; empty when everything is correct. */
  faults: string[];
}

export interface SendKillOptions {
  kills: number;
  sends: number;
  /** 0–1; determines moments and faults. */
  random: () => number;
  /** Longest life of a process, ms. */
  life_ms?: number;
}

export async function killSendCampaign({
  kills,
  sends,
  random,
  life_ms = 400,
}: SendKillOptions): Promise<SendKillReport> {
  const data_dir = mkdtempSync(join(tmpdir(), "postroom-kill-send-"));
  const epoch_ms = Date.now();
  const smtp = await startScriptedSmtp();
  try {
    const platform = open(data_dir, epoch_ms);
    const ids = schedule(platform, smtp, sends, kills * (life_ms / 2 + 250) * SPEED, random);
    platform.close();
    const injector = injectFaults(smtp, random);
    const trap = setTrap(smtp);
    for (let i = 0; i < kills; i++) {
      const child = await start(data_dir, epoch_ms);
      cancelSome(data_dir, epoch_ms, ids, random);
      // A third each: at any moment, in the middle of a conversation, and when the server has the whole message.
      if (i % 3 > 0) trap(i % 3 === 1 ? "commands" : "accepted", Math.floor(random() * 12), child);
      await Promise.race([child.exited, Bun.sleep(random() * life_ms * (i % 3 > 0 ? 3 : 1))]);
      child.kill(9);
      await child.exited;
    }
    clearInterval(injector);
    smtp.accepted.push = Array.prototype.push;
    smtp.commands.push = Array.prototype.push;
    for (const step of Object.keys(smtp.faults) as SmtpStep[]) delete smtp.faults[step];
    await finish(data_dir, epoch_ms);
    return await judge(open(data_dir, epoch_ms), ids, smtp, kills);
  } finally {
    await smtp.stop();
    rmSync(data_dir, { recursive: true, force: true });
  }
}

/** Cancels a few sends while the process dispatches; the first to claim a send wins. */
function cancelSome(data_dir: string, epoch_ms: number, ids: readonly string[], random: () => number): void {
  const platform = open(data_dir, epoch_ms);
  const { canceler } = createOutbound(platform, createMailbox(platform));
  for (let n = 0; n < 2; n++) {
    try {
      canceler.cancel(senderOf(platform), ids[Math.floor(random() * ids.length)]!);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "undo_window_elapsed") throw error;
    }
  }
  platform.close();
}

/** Sends as the owner does. */
export function senderOf(platform: Platform): Sender {
  const user = platform.users.findByEmail(OWNER)!;
  return {
    user_id: user.id,
    account_id: null,
    actor: { kind: "user", id: user.id },
    request_id: null,
    key: { id: "key_campaign", created_at: 0 },
    user,
  };
}

/**
 * Kills a process the nth time that the server receives a command, or has a whole message that it has not answered yet.
 */
function setTrap(smtp: ScriptedSmtp) {
  const armed = { list: "", left: 0, child: null as Bun.Subprocess | null };
  for (const list of ["commands", "accepted"] as const) {
    const target = smtp[list] as unknown[];
    target.push = (...items) => {
      if (armed.list === list && armed.left-- === 0) armed.child?.kill(9);
      return Array.prototype.push.apply(target, items);
    };
  }
  return (list: "commands" | "accepted", left: number, child: Bun.Subprocess) =>
    Object.assign(armed, { list, left, child });
}

function open(data_dir: string, epoch_ms: number): Platform {
  const config = withValues(loadConfig({ data_dir, env: {} }), {
    "log.level": "error",
    "limits.autopilot.sends_per_day": 1e6,
  });
  return openPlatform({ config, clock: fastClock(epoch_ms, SPEED) });
}

/** Plans the sends over the time of the campaign; half go to several recipients. */
function schedule(
  platform: Platform,
  smtp: ScriptedSmtp,
  count: number,
  spanMs: number,
  random: () => number,
): string[] {
  const user = platform.users.add({ email: OWNER, plan: "autopilot", role: "owner", timezone: "UTC" });
  const mailbox = createMailbox(platform);
  const { host, port, security, username, password } = smtp.login;
  const server = { host, port, security };
  mailbox.accounts.add({
    user_id: user.id,
    provider: "imap",
    email: "alice@mail.test",
    connection: { imap: { ...server, port: 1 }, smtp: server, username, password },
  });
  const { scheduler } = createOutbound(platform, mailbox);
  const sender = senderOf(platform);
  return Array.from({ length: count }, (_, i) => {
    const to = i % 2 ? [`r${i}@one.example`] : [`r${i}@one.example`, `s${i}@two.example`];
    const message = {
      to,
      subject: `Number ${i}`,
      body: `This is number ${i}.\n`.repeat(1 + Math.floor(random() * 2_000)),
    };
    const scheduled_at = platform.clock.now() + 10_000 + Math.floor(random() * spanMs);
    return scheduler.sendNow(sender, message, { undo_window_s: 0, scheduled_at }).id;
  });
}

const STEPS: SmtpStep[] = ["connect", "ehlo", "auth", "mail", "rcpt", "data", "content", "dot", "dot", "dot", "dot"];

/** Keeps the server failing: every stage, every kind of fault. */
function injectFaults(smtp: ScriptedSmtp, random: () => number): Timer {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  // A server that accepts a message and reports a refusal gets it again, which cannot be avoided. Silence is a
  // different case.
  Object.defineProperty(smtp, "takes_before_fault", {
    get: () => ["cut", "silent", "drip", "garbage"].includes(String(smtp.faults.dot?.[0])) && random() < 0.5,
  });
  return setInterval(() => {
    const step = pick(STEPS);
    for (const other of STEPS) smtp.faults[other] = [];
    const kinds: SmtpFault[] = ["cut", "cut", "silent", "drip", "garbage", "451 4.3.0 later"];
    if (step === "mail" || step === "dot") kinds.push("554 5.7.1 no");
    // Half of the time the server works; otherwise nothing would ever reach the dot.
    if (random() < 0.5) smtp.faults[step] = [step === "content" ? pick(["cut", "silent"]) : pick(kinds)];
  }, 8);
}

async function start(data_dir: string, epoch_ms: number): Promise<Bun.Subprocess<"ignore", "pipe", "inherit">> {
  const child = Bun.spawn([process.execPath, CHILD, data_dir, String(epoch_ms), String(SPEED)], {
    stdout: "pipe",
    stderr: "inherit",
    env: { PATH: "/usr/bin:/bin", HOME: data_dir },
  });
  const reader = child.stdout.getReader();
  await reader.read();
  reader.releaseLock();
  return child;
}

/** Lets one process work undisturbed until every send has ended. */
async function finish(data_dir: string, epoch_ms: number): Promise<void> {
  const child = await start(data_dir, epoch_ms);
  const platform = open(data_dir, epoch_ms);
  const left = platform.db.sql.query<{ c: number }, []>(
    "SELECT count(*) AS c FROM sends WHERE status IN ('scheduled', 'sending')",
  );
  const deadline = performance.now() + 180_000;
  try {
    while (left.get()!.c > 0) {
      if (performance.now() > deadline) return;
      await Bun.sleep(50);
    }
  } finally {
    platform.close();
    child.kill(9);
    await child.exited;
  }
}

async function judge(
  platform: Platform,
  ids: readonly string[],
  smtp: ScriptedSmtp,
  kills: number,
): Promise<SendKillReport> {
  const mailbox = createMailbox(platform);
  const outbound = createOutbound(platform, mailbox);
  const { sends, draftStore } = outbound;
  // As every start does: a source is on the disk before its message is stored.
  await sweepFiles(platform, mailbox, outbound, new PartCache(platform));
  const arrived = new Map<string, number>();
  for (const { raw } of smtp.accepted) {
    const id = /^Message-ID: <([^@]+)@/im.exec(raw)?.[1] ?? "?";
    arrived.set(id, (arrived.get(id) ?? 0) + 1);
  }
  const faults: string[] = [];
  const by_outcome: Record<string, number> = {};
  let unknown_but_arrived = 0;
  for (const id of ids) {
    const send = sends.get(id);
    const times = arrived.get(id) ?? 0;
    if (!send) {
      faults.push(`${id}: the row is gone`);
      continue;
    }
    const outcome = send.status === "failed" ? `failed/${send.outcome?.reason}` : send.status;
    by_outcome[outcome] = (by_outcome[outcome] ?? 0) + 1;
    if (times > 1) faults.push(`${id}: arrived ${times} times`);
    faults.push(...contradictions(send, outcome, times, draftStore.get(send.draft_id ?? "") !== null));
    if (outcome === "failed/delivery_unknown") unknown_but_arrived += times;
  }
  const completed = platform.db.sql
    .query<{ c: number }, []>("SELECT count(*) AS c FROM events WHERE type IN ('send.completed', 'send.failed')")
    .get()!.c;
  const ended = ids.length - (by_outcome.undone ?? 0);
  // The server works half of the time, and all the time in the end.
  if ((by_outcome.sent ?? 0) < ids.length / 2) faults.push(`only ${by_outcome.sent ?? 0} of ${ids.length} were sent`);
  if (completed !== ended) faults.push(`${completed} events for ${ended} sends`);
  faults.push(...asLines((await checkInvariants(platform)).findings));
  platform.close();
  return { kills, sends: ids.length, by_outcome, unknown_but_arrived, faults };
}

/** Returns statuses of sends that do not match what the server has. */
export function contradictions(send: Send, outcome: string, times: number, hasDraft: boolean): string[] {
  const faults: string[] = [];
  if (send.status === "sent") {
    if (times !== 1) faults.push(`${send.id}: sent, but arrived ${times} times`);
    if (send.message_id === null || send.draft_id !== null) faults.push(`${send.id}: sent, but not stored`);
  } else if (send.status === "failed") {
    if (times !== 0 && outcome !== "failed/delivery_unknown") faults.push(`${send.id}: ${outcome}, but it arrived`);
    if (!hasDraft) faults.push(`${send.id}: failed, and its draft is lost`);
  } else if (send.status === "undone") {
    if (times !== 0) faults.push(`${send.id}: undone, but it arrived`);
    if (!hasDraft) faults.push(`${send.id}: undone, and its draft is lost`);
  } else faults.push(`${send.id}: still ${send.status}`);
  return faults;
}

/** 1,000 sends and 100 kills; in short form 80 and 12. */
export const killSend: Campaign = async ({ short, random }) => {
  const options = short ? { kills: 12, sends: 80 } : { kills: 100, sends: 1000 };
  const { faults, by_outcome, ...figures } = await killSendCampaign({ ...options, random });
  return { figures: { ...figures, outcomes: JSON.stringify(by_outcome) }, misses: faults };
};
