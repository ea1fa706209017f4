import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openWebhooks } from "../../src/app/webhooks.ts";
import { createMailbox } from "../../src/mailbox/mailbox.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { openPlatform, type Platform } from "../../src/platform/platform.ts";
import { asLines, checkInvariants } from "../invariants/check.ts";
import { type Authority, createAuthority, OPENSSL } from "../support/certificates.ts";
import { type HttpsReceiver, startReceiver } from "../support/https-receiver.ts";
import type { Campaign } from "./campaign.ts";

/**
 * Fifty events a second, and the process that makes and delivers them is killed (-9) again and again: each event must
 * be in the log exactly once, and arrive at each endpoint at least once. One of the two endpoints often fails.
 */

const SPEED = 30;
const PER_SECOND = 50;
const CHILD = join(import.meta.dir, "kill-webhooks-child.ts");
/** The schedule has ten attempts. */
const MAX_DAYS = 11;
const DAY_DEADLINE_MS = 20_000;
const PATHS = ["/well", "/ill"] as const;

export interface WebhookKillReport {
  kills: number;
  events: number;
  /** Requests beyond the first of an event at an endpoint that answered them all with 200. */
  repeated: number;
  /** Deviations from the requirements; empty when everything is correct. */
  faults: string[];
}

export interface WebhookKillOptions {
  kills: number;
  /** 0–1; determines the moments. */
  random: () => number;
  /** Longest life of a process, ms. */
  life_ms?: number;
}

export async function killWebhooksCampaign(options: WebhookKillOptions): Promise<WebhookKillReport> {
  const { kills, random, life_ms = 800 } = options;
  const data_dir = mkdtempSync(join(tmpdir(), "postroom-kill-webhooks-"));
  const authority = createAuthority();
  const receiver = await startReceiver(authority.issue(["127.0.0.1"]));
  const epoch_ms = Date.now();
  const start = (everyMs: number, aheadMs = 0) => {
    // Later by this much from the start: the clock of a process never jumps.
    const began = epoch_ms - aheadMs / (SPEED - 1);
    return startChild([data_dir, authority.ca_file, String(began), String(SPEED), String(everyMs)]);
  };
  try {
    const platform = open(data_dir, authority);
    prepare(platform, receiver);
    platform.close();
    const trap = { left: -1, child: null as Bun.Subprocess | null };
    receiver.behave = ({ path }) => {
      // At the moment when the receiver has the event and the sender does not know it yet.
      if (trap.left-- === 0) trap.child?.kill(9);
      if (path === "/ill" && random() < 0.1) return random() < 0.5 ? { status: 500 } : "reset";
      return { status: 200 };
    };
    for (let i = 0; i < kills; i++) {
      const child = await start(1_000 / PER_SECOND);
      // Every other kill at a moment of the conversation, the rest at any moment.
      Object.assign(trap, { child, left: i % 2 === 0 ? Math.floor(random() * 40) : -1 });
      await Promise.race([child.exited, Bun.sleep(random() * life_ms * (i % 2 === 0 ? 3 : 1))]);
      trap.child = null;
      child.kill(9);
      await child.exited;
    }
    receiver.behave = () => ({ status: 200 });
    await finish(open(data_dir, authority), (aheadMs) => start(0, aheadMs));
    return await judge(open(data_dir, authority), receiver, kills);
  } finally {
    await receiver.stop();
    authority.remove();
    rmSync(data_dir, { recursive: true, force: true });
  }
}

function open(data_dir: string, { ca_file }: Authority): Platform {
  const flags = { "webhooks.allow": "127.0.0.1", "webhooks.ca_file": ca_file, "log.level": "error" };
  return openPlatform({ config: loadConfig({ data_dir, env: {}, flags }), clock: systemClock });
}

function prepare(platform: Platform, receiver: HttpsReceiver): void {
  platform.db.sql.run("CREATE TABLE changes_made (n INTEGER NOT NULL)");
  platform.db.sql.run("INSERT INTO changes_made VALUES (0)");
  const user = platform.users.add({ email: "owner@localhost", plan: "autopilot", role: "owner", timezone: "UTC" });
  const made = platform.keys.create({ user_id: user.id, name: "x", scopes: ["webhooks:manage"], test: false });
  const key = { kind: "key" as const, ...made.key, readsContext: true };
  const webhooks = openWebhooks(platform, createMailbox(platform));
  const actor = { kind: "key", id: key.id } as const;
  const caller = { user_id: user.id, user, key, account_id: null, actor, isTest: false, request_id: "req_x" };
  for (const path of PATHS) {
    webhooks.service.create(caller, { url: receiver.origin + path, events: ["draft.created"] });
  }
  webhooks.close();
}

async function startChild(args: string[]): Promise<Bun.Subprocess<"ignore", "pipe", "inherit">> {
  const child = Bun.spawn([process.execPath, CHILD, ...args], {
    stdout: "pipe",
    stderr: "inherit",
    env: { PATH: "/usr/bin:/bin", HOME: tmpdir() },
  });
  const reader = child.stdout.getReader();
  await reader.read();
  reader.releaseLock();
  return child;
}

/**
 * Lets processes work undisturbed until everything is delivered: each a day later than the one before, because a day is
 * the longest wait.
 */
async function finish(platform: Platform, start: (aheadMs: number) => Promise<Bun.Subprocess>): Promise<void> {
  const left = platform.db.sql.query<{ c: number }, []>(
    `SELECT (SELECT count(*) FROM webhook_deliveries WHERE status = 'pending')
          + (SELECT count(*) FROM webhook_endpoints e WHERE status = 'active' AND EXISTS
              (SELECT 1 FROM events v WHERE v.user_id = e.user_id AND v.position > e.position)) AS c`,
  );
  for (let day = 0; day < MAX_DAYS && left.get()!.c > 0; day++) {
    const child = await start(day * 86_400_000);
    const deadline = performance.now() + DAY_DEADLINE_MS;
    while (left.get()!.c > 0 && performance.now() < deadline) await Bun.sleep(50);
    child.kill(9);
    await child.exited;
  }
  platform.close();
}

async function judge(platform: Platform, receiver: HttpsReceiver, kills: number): Promise<WebhookKillReport> {
  const { n: made } = platform.db.sql.query<{ n: number }, []>("SELECT n FROM changes_made").get()!;
  const [user] = platform.users.list();
  const log = platform.events.after(user!.id, 0, 1_000_000);
  const notDelivered = platform.db.sql
    .query<{ c: number }, []>("SELECT count(*) AS c FROM webhook_deliveries WHERE status <> 'delivered'")
    .get()!.c;
  const faults = asLines((await checkInvariants(platform)).findings);
  platform.close();
  if (made === 0) faults.push("no change was made, so nothing was delivered");
  if (notDelivered > 0) faults.push(`${notDelivered} deliveries are not noted as delivered`);
  const numbers = log.map(({ data }) => (data as { draft_id: string }).draft_id);
  if (new Set(numbers).size !== numbers.length) faults.push("a change is in the log more than once");
  if (numbers.length !== made) faults.push(`${made} changes were made, and ${numbers.length} are in the log`);
  let repeated = 0;
  for (const path of PATHS) {
    const requests = receiver.received.filter((request) => request.path === path);
    const arrived = Map.groupBy(requests, ({ headers }) => headers["webhook-id"]!);
    for (const { id } of log) if (!arrived.has(id)) faults.push(`${id} never arrived at ${path}`);
    const ids = new Set(log.map(({ id }) => id));
    for (const [id, times] of arrived) {
      if (!ids.has(id)) faults.push(`${id} arrived at ${path} and is not in the log`);
      if (new Set(times.map(({ body }) => body)).size !== 1) faults.push(`${id} arrived with different bodies`);
      if (path === "/well") repeated += times.length - 1;
    }
  }
  return { kills, events: log.length, repeated, faults };
}

/** A hundred kills; in short form eight. */
export const killWebhooks: Campaign = async ({ short, random }) => {
  if (!OPENSSL) return { skipped: "openssl is not installed" };
  const { faults, ...figures } = await killWebhooksCampaign({ kills: short ? 8 : 100, random });
  return { figures, misses: faults };
};
