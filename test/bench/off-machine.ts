import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DOVECOT, freePorts, startDovecot } from "../support/dovecot.ts";
import { judged } from "./figures.ts";
import { growFolders } from "./growth-folders.ts";
import { LIMITS } from "./limits.ts";
import type { BenchOptions, BenchResult } from "./main.ts";
import {
  formatTable,
  median,
  megabytes,
  milliseconds,
  percentile,
  processUsage,
  runScript,
  seconds,
} from "./measure.ts";
import { addMailbox, answered, OWNER, postroom, postroomCommand, type Server, serve, until } from "./postroom.ts";

const MESSAGES = 100_000;
const SEED = 1;
const PER_SECOND = 100;
const LOAD_S = 20;
/** Changes during the load, so that there is always something to copy. */
const CHANGE_EVERY_MS = 500;
/** New mail, a message at a time, as in a busy mailbox. */
const ARRIVALS = 60;
const ARRIVAL_EVERY_MS = 1_000;
const BASE_LIMIT_MS = 1_200_000;

interface Store {
  place: string;
  /** Settings of a server that copies to it. */
  env: Record<string, string>;
}

/** The continuous copy of a large mailbox: the first copy, bytes, effect on the API, restore, and promotion. */
export async function benchOffMachine(options: BenchOptions): Promise<BenchResult> {
  if (!DOVECOT) return { name: "off-machine", skipped: "Dovecot is not installed" };
  const messages = options.messages ?? MESSAGES;
  const folder = mkdtempSync(join(tmpdir(), "postroom-bench-off-"));
  const command = postroomCommand(options.executable);
  const dovecot = await startDovecot();
  const store = storeOf(folder);
  let server: Server | null = null;
  const standbys: Bun.Subprocess[] = [];
  try {
    const [filled] = await growFolders(command, folder, [messages], SEED, options.say);
    const { data } = filled!;
    const made = ["key", "create", "--user", OWNER, "--name", "off", "--scopes", "all"];
    const key = (await postroom(command, data, made)).trim();
    const start = async (env: Record<string, string>) => {
      const [port] = await freePorts(1);
      server = serve(command, data, port!, { ...LIMITS, ...env });
      const running = server;
      await until(running, () => answered(running, key, "/threads?limit=1"), 20);
      return running;
    };

    const off: number[] = [];
    const on: number[] = [];
    const measure = async (env: Record<string, string>, into: number[]) => {
      const running = await start(env);
      if (env === store.env) await copied(running, BASE_LIMIT_MS);
      into.push(...(await loadWithChanges(running, key)));
      await running.stop();
    };

    await measure({}, off);
    const began = performance.now();
    const first = await start(store.env);
    await copied(first, BASE_LIMIT_MS);
    const base_ms = performance.now() - began;
    const base_bytes = await metric(first, "postroom_continuous_copy_bytes");
    const base_memory = processUsage(first.pid)?.peak_bytes ?? null;
    options.say(`  first copy in ${seconds(base_ms)}`);
    on.push(...(await loadWithChanges(first, key)));
    await first.stop();
    for (let turn = 1; turn < options.repeat; turn++) {
      await measure({}, off);
      await measure(store.env, on);
    }
    options.say("  requests measured");

    const running = await start(store.env);
    dovecot.loadMaildir("alice", "INBOX", []);
    await addMailbox(command, data, dovecot.imapPort, dovecot.logins.alice);
    await until(running, () => (running.log().includes("mailbox complete") ? true : null), 200);
    await copied(running);
    const before = await metric(running, "postroom_continuous_copy_bytes");
    for (let n = 0; n < ARRIVALS; n++) {
      await dovecot.deliver("alice", arriving(n));
      await Bun.sleep(ARRIVAL_EVERY_MS);
    }
    await copied(running);
    const bytes_a_message = ((await metric(running, "postroom_continuous_copy_bytes")) - before) / ARRIVALS;
    const lag_s = await slowestLag(running, key);
    options.say("  new mail measured");

    const keyFile = join(folder, "master.key");
    writeFileSync(keyFile, readFileSync(join(data, "keys", "master.key")), { mode: 0o600 });
    const restored = join(folder, "restored");
    const restore_ms = await timed(() =>
      postroom(command, restored, ["restore", store.place, "--key-file", keyFile], { env: store.env }),
    );
    const db_bytes = statSync(join(restored, "postroom.db")).size;
    const verify_ms = await timed(() =>
      postroom(command, join(folder, "none"), ["restore", store.place, "--verify", "--key-file", keyFile], {
        env: store.env,
      }),
    );
    options.say(`  restored in ${seconds(restore_ms)}`);

    const standby = join(folder, "standby");
    const follow = ["standby", "--from", store.place, "--data", standby, "--key-file", keyFile];
    const child = Bun.spawn([...command, ...follow], {
      env: { ...process.env, ...store.env },
      stdio: ["ignore", "ignore", "inherit"],
    });
    standbys.push(child);
    await until(running, async () => ((await isNear(command, standby, store.env)) ? true : null), 1_000, BASE_LIMIT_MS);
    process.kill(running.pid, "SIGKILL");
    const promote_ms = await timed(() =>
      postroom(command, standby, ["promote", "--key-file", keyFile], { env: store.env }),
    );
    options.say(`  promoted in ${seconds(promote_ms)} after a kill`);
    return report({
      place: /^(s3|sftp):/.exec(store.place)?.[1] ?? "a folder",
      messages,
      db_bytes,
      base_ms,
      base_bytes,
      base_memory,
      off,
      on,
      bytes_a_message,
      lag_s,
      restore_ms,
      verify_ms,
      promote_ms,
    });
  } finally {
    for (const child of standbys) child.kill("SIGKILL");
    await (server as Server | null)?.stop();
    await dovecot.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A folder on this machine; or the store that the environment names in `POSTROOM_BACKUP_TO`, such as a bucket. */
function storeOf(folder: string): Store {
  const given = process.env.POSTROOM_BACKUP_TO;
  // The server without a copy must not inherit it.
  delete process.env.POSTROOM_BACKUP_TO;
  const place = given ?? join(folder, "store");
  if (!given) mkdirSync(place);
  return { place, env: { POSTROOM_BACKUP_TO: place, POSTROOM_BACKUP_STANDBY: "true" } };
}

/** Latencies of requests, in ms, while threads are changed. */
async function loadWithChanges(server: Server, key: string): Promise<number[]> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const page = (await answered<{ data: { id: string }[] }>(server, key, "/threads?limit=100"))!;
  let n = 0;
  const timer = setInterval(() => {
    const { id } = page.data[n++ % page.data.length]!;
    const body = JSON.stringify({ unread: n % 2 === 0 });
    void fetch(`${server.url}/v1/threads/${id}`, { method: "PATCH", headers, body }).catch(() => {});
  }, CHANGE_EVERY_MS);
  try {
    const args = [server.url, key, String(PER_SECOND), String(LOAD_S)];
    const { list, messages, failed } = await runScript<{ list: number[]; messages: number[]; failed: number }>(
      "load.ts",
      args,
    );
    if (failed > 0) throw new Error(`${failed} requests failed:\n${server.log()}`);
    return [...list, ...messages];
  } finally {
    clearInterval(timer);
  }
}

/** Waits until everything is in the store. */
async function copied(server: Server, giveUpMs?: number): Promise<void> {
  const isDone = async () => {
    const [last, lag] = await Promise.all([
      metric(server, "postroom_continuous_copy_last_timestamp_seconds"),
      metric(server, "postroom_continuous_copy_lag_seconds"),
    ]);
    return last > 0 && lag === 0 ? true : null;
  };
  await until(server, isDone, 100, giveUpMs);
}

/** The longest age of a change that was not copied yet, in seconds, during a load. */
async function slowestLag(server: Server, key: string): Promise<number> {
  let slowest = 0;
  const load = loadWithChanges(server, key);
  let ended = false;
  // A failure is thrown below.
  void load
    .catch(() => {})
    .finally(() => {
      ended = true;
    });
  while (!ended) {
    slowest = Math.max(slowest, await metric(server, "postroom_continuous_copy_lag_seconds"));
    await Bun.sleep(200);
  }
  await load;
  return slowest;
}

async function metric(server: Server, name: string): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)`, "m").exec(text)?.[1] ?? 0);
}

/** Returns whether a standby has a whole state and reads nothing older. */
async function isNear(command: string[], data: string, env: Record<string, string>): Promise<boolean> {
  const text = await postroom(command, data, ["status", "--json"], { env }).catch(() => "{}");
  const { state_at = null, progress = null } = JSON.parse(text) as { state_at?: string | null; progress?: unknown };
  return state_at !== null && progress === null;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function arriving(n: number): string {
  const text = `The report of room ${n} is ready. ${"It has a few lines for each of the rooms. ".repeat(20)}`;
  const head = ["From: Bob <bob@example.net>", "To: alice@mail.test", `Subject: Report ${n}`];
  return [...head, `Message-ID: <${crypto.randomUUID()}@example.net>`, "", text, ""].join("\r\n");
}

interface Measured {
  /** The kind of the store. */
  place: string;
  messages: number;
  db_bytes: number;
  base_ms: number;
  base_bytes: number;
  base_memory: number | null;
  /** Latencies of requests without and with the continuous copy, ms. */
  off: number[];
  on: number[];
  bytes_a_message: number;
  lag_s: number;
  restore_ms: number;
  verify_ms: number;
  promote_ms: number;
}

function report(measured: Measured): BenchResult {
  const { place, messages, db_bytes, base_ms, base_bytes, base_memory, off, on } = measured;
  const { bytes_a_message, lag_s, restore_ms, verify_ms, promote_ms } = measured;
  const [p99_off, p99_on] = [percentile(off, 0.99), percentile(on, 0.99)];
  const latencies = [
    ["without a copy", milliseconds(median(off)), milliseconds(p99_off)],
    ["with a continuous copy", milliseconds(median(on)), milliseconds(p99_on)],
  ];
  const facts = [
    `${messages} synthetic messages; database ${megabytes(db_bytes)}; copied to ${place}`,
    `first copy ${seconds(base_ms)}, ${megabytes(base_bytes)}; peak memory of the server ${megabytes(base_memory)}`,
    `new mail, one message a second: ${Math.round(bytes_a_message / 1_000)} KB a message`,
    `oldest change that was not copied: ${lag_s.toFixed(1)} s`,
    `restore ${seconds(restore_ms)}; verification without writing ${seconds(verify_ms)}`,
    `promotion after a kill ${seconds(promote_ms)}, of which 30 s are the wait for the lease`,
  ];
  const judgedFigures = judged("off-machine", [
    { key: "p99", value: p99_on / p99_off, peer: milliseconds(p99_off) },
    { key: "lag", value: lag_s },
    { key: "promotion", value: promote_ms / 1_000 },
  ]);
  const text = `${formatTable([`requests, ${PER_SECOND} a second`, "p50", "p99"], latencies)}\n\n${facts.join("\n")}`;
  const { off: _, on: __, ...figures } = measured;
  const data = { ...figures, p99_off, p99_on, p50_off: median(off), p50_on: median(on) };
  return { name: "off-machine", text, data, figures: judgedFigures };
}
