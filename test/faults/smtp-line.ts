import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDispatcher } from "../../src/app.ts";
import { createMailbox } from "../../src/mailbox/mailbox.ts";
import { FIND_JOB, SETTLE_JOB, STORE_JOB } from "../../src/outbound/dispatch.ts";
import { createOutbound, type Outbound } from "../../src/outbound/outbound.ts";
import { DISPATCH_JOB } from "../../src/outbound/sends-store.ts";
import { loadConfig, withValues } from "../../src/platform/config/load.ts";
import { type JobHandler, JobRunner } from "../../src/platform/jobs/runner.ts";
import { openPlatform, type Platform } from "../../src/platform/platform.ts";
import { SmtpPool } from "../../src/wire/smtp/pool.ts";
import { type Authority, createAuthority, OPENSSL } from "../certificates.ts";
import { eventually } from "../eventually.ts";
import { asLines, checkInvariants } from "../invariants/check.ts";
import { type ScriptedSmtp, startScriptedSmtp } from "../smtp-server.ts";
import { type Campaign, type CampaignOptions, shuffled } from "./campaign.ts";
import { fastClock } from "./fast-clock.ts";
import { contradictions, senderOf } from "./kill-send.ts";
import { LINE_FAULTS, type LineProxy, startLineProxy } from "./line-proxy.ts";

/** A minute of waiting for the next try is 50 ms. */
const SPEED = 1_200;
const PLAIN_STEPS = ["greeting", "EHLO", "AUTH", "MAIL", "RCPT", "DATA", "dot", "RSET"];
const TLS_STEPS = ["greeting", "EHLO", "STARTTLS", "tls"];
const SETTLE_MS = 40_000;
const SHORT_TURNS = 24;

/**
 * A submission server whose every answer, at every step, is cut, held back, dripped, shuffled, doubled or mixed with
 * garbage: no message may arrive twice, none may be lost, and what a send says of itself is what the server knows.
 */
export const smtpLineCampaign: Campaign = async (options) => {
  const authority = OPENSSL ? createAuthority() : null;
  try {
    const plain = await round(options, null);
    const secure = authority ? await round(options, authority) : null;
    return {
      figures: {
        faults: plain.faults + (secure?.faults ?? 0),
        sends: plain.sends + (secure?.sends ?? 0),
        outcomes: JSON.stringify(sum(plain.outcomes, secure?.outcomes ?? {})),
        unknown_but_arrived: plain.unknown_but_arrived + (secure?.unknown_but_arrived ?? 0),
      },
      misses: [...plain.misses, ...(secure?.misses ?? [])],
    };
  } finally {
    authority?.remove();
  }
};

interface Round {
  faults: number;
  sends: number;
  outcomes: Record<string, number>;
  unknown_but_arrived: number;
  misses: string[];
}

async function round({ short, random }: CampaignOptions, authority: Authority | null): Promise<Round> {
  const data_dir = mkdtempSync(join(tmpdir(), "postroom-smtp-line-"));
  const smtp = await startScriptedSmtp(authority ? { tls: pemFiles(data_dir, authority) } : {});
  const proxy = await startLineProxy(smtp.port, "smtp", random);
  const scene = openSending(data_dir, smtp, proxy, authority);
  const steps = authority ? TLS_STEPS : PLAIN_STEPS;
  const all = shuffled(
    random,
    steps.flatMap((step) => LINE_FAULTS.map((fault) => ({ step, fault }))),
  );
  const turns = short ? all.slice(0, authority ? SHORT_TURNS / 2 : SHORT_TURNS) : all;
  const misses: string[] = [];
  try {
    const ids: string[] = [];
    for (const { step, fault } of turns) {
      proxy.arm(step, fault);
      if (step === "greeting" || step === "EHLO" || step === "AUTH" || authority) proxy.cut();
      const id = scene.send(`${step}, ${fault}`);
      ids.push(id);
      await eventually(() => scene.hasEnded(id), SETTLE_MS).catch(() =>
        misses.push(`${fault} at ${step}: the send has not ended`),
      );
      proxy.disarm();
    }
    await scene.runner.idle();
    const judged = judge(scene.outbound, ids, smtp);
    const report = await checkInvariants(scene.platform, { settled: true });
    return {
      ...judged,
      faults: proxy.spoiled,
      sends: ids.length,
      misses: [...misses, ...judged.misses, ...asLines(report.findings)],
    };
  } finally {
    await scene.close();
    await proxy.close();
    await smtp.stop();
    rmSync(data_dir, { recursive: true, force: true });
  }
}

function pemFiles(dir: string, authority: Authority): { cert: string; key: string } {
  const { cert, key } = authority.issue(["127.0.0.1"]);
  const files = { cert: join(dir, "smtp.crt"), key: join(dir, "smtp.key") };
  writeFileSync(files.cert, cert);
  writeFileSync(files.key, key);
  return files;
}

interface Sending {
  platform: Platform;
  outbound: Outbound;
  runner: JobRunner;
  send(subject: string): string;
  hasEnded(send_id: string): boolean;
  close(): Promise<void>;
}

function openSending(data_dir: string, smtp: ScriptedSmtp, proxy: LineProxy, authority: Authority | null): Sending {
  const clock = fastClock(Date.now(), SPEED);
  const config = withValues(loadConfig({ data_dir, env: {} }), { "log.level": "error" });
  const platform = openPlatform({ config, clock });
  const user = platform.users.add({ email: "owner@localhost", plan: "autopilot", role: "owner", timezone: "UTC" });
  const mailbox = createMailbox(platform);
  const { security, username, password } = smtp.login;
  const server = { host: "127.0.0.1", port: proxy.port, security };
  mailbox.accounts.add({
    user_id: user.id,
    provider: "imap",
    email: "alice@mail.test",
    connection: { imap: { ...server, port: 1 }, smtp: server, username, password },
  });
  const outbound = createOutbound(platform, mailbox);
  const real = { now: () => Date.now(), after: fastClock(0, 1).after };
  const timeouts = { connect_ms: 400, envelope_ms: 400, content_ms: 400 };
  const pool = new SmtpPool({ clock: real, timeouts, ca: authority?.ca ?? null });
  const dispatcher = createDispatcher(platform, mailbox, outbound, pool);
  /** There is no IMAP server to look at: what may have arrived stays unknown. */
  const nothingThere: JobHandler = {
    concurrency: 1,
    run: async ({ payload, user_id }) => {
      const { send_id } = payload as { send_id: string };
      platform.jobs.enqueue({ kind: SETTLE_JOB, user_id: user_id!, payload: { send_id, found: false } });
      return { outcome: "done" };
    },
  };
  const runner = new JobRunner(platform.jobs, clock, platform.log, {
    [DISPATCH_JOB]: dispatcher.handler,
    [SETTLE_JOB]: dispatcher.settleHandler,
    [STORE_JOB]: dispatcher.storeHandler,
    [FIND_JOB]: nothingThere,
  });
  runner.start();
  return {
    platform,
    outbound,
    runner,
    send: (subject) =>
      outbound.scheduler.sendNow(
        senderOf(platform),
        { to: ["r@one.example", "s@two.example"], subject, body: "word ".repeat(400) },
        { undo_window_s: 0 },
      ).id,
    hasEnded(id) {
      const send = outbound.sends.get(id)!;
      return send.status === "failed" || (send.status === "sent" && send.message_id !== null);
    },
    async close() {
      await runner.stop();
      pool.close();
      platform.close();
    },
  };
}

function judge({ sends, draft_store }: Outbound, ids: readonly string[], smtp: ScriptedSmtp) {
  const arrived = new Map<string, number>();
  for (const { raw } of smtp.accepted) {
    const id = /^Message-ID: <([^@]+)@/im.exec(raw)?.[1] ?? "?";
    arrived.set(id, (arrived.get(id) ?? 0) + 1);
  }
  const outcomes: Record<string, number> = {};
  const misses: string[] = [];
  let unknown_but_arrived = 0;
  for (const id of ids) {
    const send = sends.get(id)!;
    const times = arrived.get(id) ?? 0;
    const outcome = send.status === "failed" ? `failed/${send.outcome?.reason}` : send.status;
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    if (times > 1) misses.push(`${send.subject}: arrived ${times} times`);
    if (outcome === "failed/delivery_unknown") unknown_but_arrived += times;
    const has_draft = draft_store.get(send.draft_id ?? "") !== null;
    misses.push(...contradictions(send, outcome, times, has_draft).map((words) => `${send.subject}: ${words}`));
  }
  return { outcomes, unknown_but_arrived, misses };
}

function sum(a: Record<string, number>, b: Record<string, number>): Record<string, number> {
  const all = { ...a };
  for (const [name, count] of Object.entries(b)) all[name] = (all[name] ?? 0) + count;
  return all;
}
