import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Outbound } from "../../src/outbound/outbound.ts";
import { asLines, checkInvariants } from "../invariants/check.ts";
import { type Authority, createAuthority, OPENSSL } from "../support/certificates.ts";
import { eventually } from "../support/eventually.ts";
import { type ScriptedSmtp, startScriptedSmtp } from "../support/smtp-server.ts";
import { type Campaign, type CampaignOptions, shuffled } from "./campaign.ts";
import { contradictions } from "./kill-send.ts";
import { type Exception, type Pair, pairName, plan, unknownSteps } from "./line-plan.ts";
import { startLineProxy } from "./line-proxy.ts";
import { openSending } from "./sending.ts";

const PLAIN_STEPS = ["greeting", "EHLO", "AUTH", "MAIL", "RCPT", "DATA", "content", "dot"];
const TLS_STEPS = ["greeting", "EHLO", "STARTTLS", "tls"];
const EXCEPTIONS: readonly Exception[] = [
  { step: "QUIT", why: "the client does not wait for the answer to QUIT" },
  { step: "HELO", why: "only said where EHLO was answered with garbage" },
];
/** Steps that occur only when the connection is made again; with TLS, only those can be read. */
const AT_LOGIN = new Set(["greeting", "EHLO", "AUTH", "STARTTLS", "tls"]);
/**
 * Where the server may have the whole message, and the client cannot know. After any other fault the send is retried
 * and delivered.
 */
const MAY_STAY_UNKNOWN = new Set(["content", "dot"]);
/**
 * One answer too many shifts all that follow to the previous command: the answer to the message may belong to another
 * one, too.
 */
const OUT_OF_STEP = new Set(["garbage", "double"]);
const SETTLE_MS = 40_000;
const SHORT_TURNS = 24;

/**
 * A submission server whose every answer, at every step, is cut, held back, dripped, shuffled, doubled or mixed with
 * garbage, and a client that is cut off while it writes: no message may arrive twice, none may be lost, and the status
 * of a send matches what the server has.
 */
export const smtpLineCampaign: Campaign = async (options) => {
  const authority = OPENSSL ? createAuthority() : null;
  if (!authority) options.say("without STARTTLS: openssl is not installed");
  try {
    const plain = await round(options, null);
    const secure = authority ? await round(options, authority) : null;
    const sumOf = (figure: "planned" | "spoiled" | "never_reached" | "sends" | "unknown_but_arrived") =>
      plain[figure] + (secure?.[figure] ?? 0);
    return {
      figures: {
        planned: sumOf("planned"),
        spoiled: sumOf("spoiled"),
        never_reached: sumOf("never_reached"),
        steps: new Set([...plain.steps, ...(secure?.steps ?? [])]).size,
        with_starttls: secure ? "yes" : "no",
        sends: sumOf("sends"),
        outcomes: JSON.stringify(sum(plain.outcomes, secure?.outcomes ?? {})),
        unknown_but_arrived: sumOf("unknown_but_arrived"),
      },
      misses: [...plain.misses, ...(secure?.misses ?? [])],
    };
  } finally {
    authority?.remove();
  }
};

interface Round {
  planned: number;
  spoiled: number;
  never_reached: number;
  /** Those that were spoiled. */
  steps: Set<string>;
  sends: number;
  outcomes: Record<string, number>;
  unknown_but_arrived: number;
  misses: string[];
}

async function round({ short, random }: CampaignOptions, authority: Authority | null): Promise<Round> {
  const data_dir = mkdtempSync(join(tmpdir(), "postroom-smtp-line-"));
  const smtp = await startScriptedSmtp(authority ? { tls: pemFiles(data_dir, authority) } : {});
  const proxy = await startLineProxy(smtp.port, "smtp", random);
  const sending = openSending({ data_dir, smtp: { ...smtp.login, port: proxy.port }, ca: authority?.ca ?? null });
  const steps = authority ? TLS_STEPS : PLAIN_STEPS;
  const all = shuffled(random, plan(steps, EXCEPTIONS));
  const turns = short ? all.slice(0, authority ? SHORT_TURNS / 2 : SHORT_TURNS) : all;
  const misses: string[] = [];
  const never: string[] = [];
  const reached = new Set<string>();
  try {
    const ids: string[] = [];
    for (const pair of turns) {
      const before = proxy.spoiled;
      proxy.arm(pair.step, pair.fault);
      if (AT_LOGIN.has(pair.step)) proxy.cut();
      const id = sending.send(pairName(pair));
      ids.push(id);
      await eventually(() => sending.hasEnded(id), SETTLE_MS).catch(() =>
        misses.push(`${pairName(pair)}: the send has not ended`),
      );
      if (proxy.spoiled === before) never.push(pairName(pair));
      else reached.add(pair.step);
      proxy.disarm();
    }
    await sending.runner.idle();
    misses.push(...never.map((name) => `${name} never happened`), ...unknownSteps(proxy.seen, steps, EXCEPTIONS));
    const judged = judge(sending.outbound, ids, turns, smtp);
    const report = await checkInvariants(sending.platform, { settled: true });
    return {
      ...judged,
      planned: turns.length,
      spoiled: proxy.spoiled,
      never_reached: never.length,
      steps: reached,
      sends: ids.length,
      misses: [...misses, ...judged.misses, ...asLines(report.findings)],
    };
  } finally {
    await sending.close();
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

function judge({ sends, draftStore }: Outbound, ids: readonly string[], turns: readonly Pair[], smtp: ScriptedSmtp) {
  const arrived = new Map<string, number>();
  for (const { raw } of smtp.accepted) {
    const id = /^Message-ID: <([^@]+)@/im.exec(raw)?.[1] ?? "?";
    arrived.set(id, (arrived.get(id) ?? 0) + 1);
  }
  const outcomes: Record<string, number> = {};
  const misses: string[] = [];
  let unknown_but_arrived = 0;
  for (const [i, id] of ids.entries()) {
    const send = sends.get(id)!;
    const times = arrived.get(id) ?? 0;
    const outcome = send.status === "failed" ? `failed/${send.outcome?.reason}` : send.status;
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    if (times > 1) misses.push(`${send.subject}: arrived ${times} times`);
    const { step, fault } = turns[i]!;
    const isOpen = MAY_STAY_UNKNOWN.has(step) || OUT_OF_STEP.has(fault);
    if (outcome !== "sent" && !(isOpen && outcome === "failed/delivery_unknown"))
      misses.push(`${send.subject}: ${outcome}`);
    if (outcome === "failed/delivery_unknown") unknown_but_arrived += times;
    const hasDraft = draftStore.get(send.draft_id ?? "") !== null;
    misses.push(...contradictions(send, outcome, times, hasDraft).map((words) => `${send.subject}: ${words}`));
  }
  return { outcomes, unknown_but_arrived, misses };
}

function sum(a: Record<string, number>, b: Record<string, number>): Record<string, number> {
  const all = { ...a };
  for (const [name, count] of Object.entries(b)) all[name] = (all[name] ?? 0) + count;
  return all;
}
