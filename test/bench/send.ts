import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import { freePorts, type TestUser } from "../support/dovecot.ts";
import { POSTFIX, type Postfix, startPostfix } from "../support/postfix.ts";
import { startDelayProxy } from "./delay-proxy.ts";
import { judged } from "./figures.ts";
import { LIMITS } from "./limits.ts";
import type { BenchOptions, BenchResult } from "./main.ts";
import { formatTable, median, percentile } from "./measure.ts";
import { OWNER, postroom, postroomCommand, type Server, serve, until } from "./postroom.ts";

const MESSAGES = 150;
/** Each round of ours follows one of nodemailer alone, so that both have the same conditions. */
const ROUNDS_PER_REPEAT = 2;
/** One-way delay to a server on the internet, ms. */
const FAR_MS = 10;
const SCHEDULED = 500;
/** Requests before those that count, so that the server is warmed up. */
const WARM_UP = 100;
const PER_SECOND = 50;
/** Time to schedule a whole round before the first is due. */
const LEAD_MS = 6_000;
/** Number of connections, the same as Postroom uses for one mailbox. */
const CONNECTIONS = 2;
const SETTINGS = {
  ...LIMITS,
  POSTROOM_LIMITS_AUTOPILOT_SENDS_PER_DAY: "1000000",
  POSTROOM_LIMITS_NEW_KEY_SENDS_PER_DAY: "1000000",
};
const BODY = "Some lines of text, as people write them.\n\n".repeat(40);

/** Sending: how long an answer to a send takes, and what dispatch adds to the submission to the server. */
export async function benchSend(options: BenchOptions): Promise<BenchResult> {
  if (!POSTFIX) return { name: "send", skipped: "Postfix and Dovecot are not installed, or this is not root" };
  const data = mkdtempSync(join(tmpdir(), "postroom-bench-send-"));
  const command = postroomCommand(options.executable);
  const postfix = await startPostfix();
  const far = await startDelayProxy(postfix.login("alice", "starttls").port, FAR_MS);
  let server: Server | null = null;
  try {
    const env = { ...SETTINGS, POSTROOM_MAIL_CA_FILE: join(postfix.dovecot.base, "tls", "cert.pem") };
    const key = await connect(command, data, postfix, far.port, env);
    const [port] = await freePorts(1);
    server = serve(command, data, port!, env);
    const api = new Api(server.url, key);
    await until(server, () => api.up());
    await until(server, () => (server!.log().includes("mailbox complete") ? true : null));
    const scheduled = await scheduleLatencies(api);
    options.say(`  ${SCHEDULED} sends scheduled`);
    const count = options.messages ?? MESSAGES;
    const accounts = await api.accounts();
    const compare = async (user: TestUser, port: number, rounds: number): Promise<Compared> => {
      const id = accounts.get(postfix.login(user, "starttls").username)!;
      const raw: number[] = [];
      const ours: number[] = [];
      for (let turn = 0; turn < rounds; turn++) {
        raw.push(await rawRound(postfix, user, port, count));
        ours.push(await dispatchRound(api, server!, data, id, count));
        options.say(
          `  ${count} each to port ${port}: nodemailer ${ms(raw.at(-1)!)}, dispatch ${ms(ours.at(-1)!)} a message`,
        );
      }
      return { raw, ours };
    };
    const nearPort = postfix.login("alice", "starttls").port;
    const near_by = await compare("alice", nearPort, ROUNDS_PER_REPEAT * options.repeat);
    const far_away = await compare("bob", far.port, options.repeat);
    return report(scheduled, near_by, far_away, count);
  } finally {
    far.close();
    await server?.stop();
    await postfix.stop();
    rmSync(data, { recursive: true, force: true });
  }
}

/** Creates the owner, a key, alice's mailbox, and bob's, whose server is distant. @returns the key */
async function connect(
  command: string[],
  data: string,
  postfix: Postfix,
  farPort: number,
  env: Record<string, string>,
): Promise<string> {
  await postroom(command, data, ["user", "add", OWNER]);
  const imap = ["--imap", `127.0.0.1:${postfix.dovecot.imapPort}`, "--imap-security", "none"];
  for (const user of ["alice", "bob"] as const) {
    const { host, port, username, password } = postfix.login(user, "starttls");
    const smtp = ["--smtp", `${host}:${user === "bob" ? farPort : port}`, "--smtp-security", "starttls"];
    const mailbox = ["--user", OWNER, "--email", username, "--username", username, "--password-stdin"];
    await postroom(command, data, ["account", "add", ...mailbox, ...imap, ...smtp], { input: `${password}\n`, env });
  }
  const made = await postroom(command, data, ["key", "create", "--user", OWNER, "--name", "bench", "--scopes", "all"]);
  return made.trim();
}

/** ms a message, round by round. */
interface Compared {
  raw: number[];
  ours: number[];
}

class Api {
  constructor(
    private readonly url: string,
    private readonly key: string,
  ) {}

  up(): Promise<true | null> {
    const headers = { authorization: `Bearer ${this.key}` };
    return fetch(`${this.url}/v1/accounts`, { headers }).then(
      ({ ok }) => ok || null,
      () => null,
    );
  }

  /** Ids by address. */
  async accounts(): Promise<Map<string, string>> {
    const answer = await fetch(`${this.url}/v1/accounts`, { headers: { authorization: `Bearer ${this.key}` } });
    const { data } = (await answer.json()) as { data: { id: string; email: string }[] };
    return new Map(data.map(({ id, email }) => [email, id]));
  }

  async post(path: string, body: object): Promise<void> {
    const headers: Record<string, string> = {
      authorization: `Bearer ${this.key}`,
      "idempotency-key": crypto.randomUUID(),
      "content-type": "application/json",
    };
    const answer = await fetch(`${this.url}/v1${path}`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  }
}

const message = (i: number) => ({ to: [`r${i}@discard.test`], subject: `Number ${i}`, body: BODY });

/**
 * Sends at a fixed rate, regardless of answers. The sends are for tomorrow, so they do not disturb what follows.
 * @returns ms
 */
async function scheduleLatencies(api: Api): Promise<number[]> {
  const latencies: number[] = [];
  const scheduled_at = new Date(Date.now() + 86_400_000).toISOString();
  const timed = async (i: number) => {
    const began = performance.now();
    await api.post("/messages/send", { ...message(i), scheduled_at });
    latencies.push(performance.now() - began);
  };
  const began = performance.now();
  const all: Promise<unknown>[] = [];
  for (let i = 0; i < WARM_UP + SCHEDULED; i++) {
    await Bun.sleep(Math.max(0, began + (i * 1_000) / PER_SECOND - performance.now()));
    all.push(timed(i));
  }
  await Promise.all(all);
  return latencies.slice(WARM_UP);
}

/** Sends the same messages by nodemailer alone, over as many connections. @returns ms a message */
async function rawRound(postfix: Postfix, user: TestUser, port: number, count: number): Promise<number> {
  const { host, username, password } = postfix.login(user, "starttls");
  const transport = createTransport({
    host,
    port,
    secure: false,
    requireTLS: true,
    auth: { user: username, pass: password },
    tls: { ca: postfix.dovecot.ca },
    pool: true,
    maxConnections: CONNECTIONS,
    maxMessages: 50,
  });
  const began = performance.now();
  await Promise.all(
    Array.from({ length: count }, (_, i) => {
      const { to, subject, body: text } = message(i);
      return transport.sendMail({ from: username, to, subject, text });
    }),
  );
  const took = performance.now() - began;
  transport.close();
  return took / count;
}

/** Measures from the moment when all are due to the last one that is stored as sent. @returns ms a message */
async function dispatchRound(
  api: Api,
  server: Server,
  data: string,
  account_id: string,
  count: number,
): Promise<number> {
  const due = Date.now() + LEAD_MS;
  const scheduled_at = new Date(due).toISOString();
  const how = { account_id, scheduled_at, undo_window_s: 0 };
  for (let i = 0; i < count; i++) await api.post("/messages/send", { ...message(i), ...how });
  if (Date.now() >= due) throw new Error("scheduling took longer than the time reserved for it");
  const db = new Database(join(data, "postroom.db"), { readonly: true });
  try {
    const round = db.query<{ sent: number; last: number }, [number]>(
      "SELECT count(*) FILTER (WHERE status = 'sent') AS sent, max(finished_at) AS last FROM sends WHERE scheduled_at = ?",
    );
    const { last } = await until(server, () => {
      const found = round.get(due)!;
      return found.sent === count ? found : null;
    });
    // The copies in Sent follow later; they must not disturb the next round.
    const copies = db.query("SELECT 1 FROM sends WHERE copy = 'wanted'");
    await until(server, () => (copies.get() ? null : true));
    return (last - due) / count;
  } finally {
    db.close();
  }
}

const ms = (value: number): string => `${value.toFixed(2)} ms`;

function report(scheduled: number[], near_by: Compared, far_away: Compared, count: number): BenchResult {
  const shares = [0.5, 0.95, 0.99, 1].map((share) => ms(percentile(scheduled, share)));
  const latencies = formatTable(["request", "p50", "p95", "p99", "slowest"], [["POST /messages/send", ...shares]]);
  const best = ({ raw, ours }: Compared) => ({ raw: Math.min(...raw), ours: Math.min(...ours) });
  const ratioOf = (compared: Compared) => best(compared).ours / best(compared).raw;
  const line = (name: string, compared: Compared) => {
    const { raw, ours } = best(compared);
    const medians = median(compared.ours) / median(compared.raw);
    return [name, ratioOf(compared).toFixed(2), medians.toFixed(2), ms(raw), ms(ours)];
  };
  const rounds = formatTable(
    ["best round, a message", "ratio", "of medians", "nodemailer alone", "dispatch"],
    [line("server on this machine", near_by), line(`server ${2 * FAR_MS} ms away`, far_away)],
  );
  const facts =
    `${SCHEDULED} requests at ${PER_SECOND}/s; ${near_by.raw.length} and ${far_away.raw.length} rounds of ${count} messages ` +
    `over ${CONNECTIONS} connections to Postfix with STARTTLS`;
  return {
    name: "send",
    text: `${rounds}\n\n${latencies}\n\n${facts}`,
    data: {
      schedule_ms: scheduled,
      near_by: { ...near_by, ratio: ratioOf(near_by) },
      far_away: { ...far_away, ratio: ratioOf(far_away) },
    },
    figures: judged("send", [
      { key: "send_p99", value: percentile(scheduled, 0.99) },
      { key: "near", value: ratioOf(near_by), peer: ms(best(near_by).raw) },
      { key: "far", value: ratioOf(far_away), peer: ms(best(far_away).raw) },
    ]),
  };
}
