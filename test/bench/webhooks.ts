import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAuthority, OPENSSL } from "../support/certificates.ts";
import { freePorts } from "../support/dovecot.ts";
import { type HttpsReceiver, type ReceivedRequest, startReceiver } from "../support/https-receiver.ts";
import { judged } from "./figures.ts";
import { LIMITS } from "./limits.ts";
import type { BenchOptions, BenchResult } from "./main.ts";
import { formatTable, median, percentile, runCommand } from "./measure.ts";
import { OWNER, postroom, postroomCommand, type Server, serve, until } from "./postroom.ts";

const PER_SECOND = 50;
const SECONDS = 5;
/** Rounds for each repetition. */
const ROUNDS = 2;
const PAIRS = 6;
const BACKLOG = 5_000;
/**
 * Below the maximum, so that ten times as many deliveries do not saturate the machine: fairness is measured, not
 * throughput.
 */
const PER_SECOND_OF_TEN = 20;
const API_PER_SECOND = 100;
const SETTINGS = {
  ...LIMITS,
  POSTROOM_WEBHOOKS_ALLOW: "127.0.0.1",
};

/**
 * Latencies in ms, a list for each round: other work on the machine disturbs rounds, so the median and the quietest are
 * reported.
 */
interface Figures {
  /** Time from the change to its arrival at the receiver. */
  latency: number[][];
  per_second: number[];
  api_rest: number[][];
  /** While threads are changed, and no endpoint is notified. */
  api_changes: number[][];
  api_trickle: number[][];
  api_backlog: number[][];
  /** Nine endpoints, while the tenth works, and while it is dead. */
  all_well: number[][];
  one_dead: number[][];
}

/** Webhooks to a TLS receiver on this machine: latency, rate, effect on the API, and one dead endpoint among ten. */
export async function benchWebhooks(options: BenchOptions): Promise<BenchResult> {
  if (!OPENSSL) return { name: "webhooks", skipped: "openssl is not installed" };
  const data = mkdtempSync(join(tmpdir(), "postroom-bench-webhooks-"));
  const command = postroomCommand(options.executable);
  const authority = createAuthority();
  const receiver = await startReceiver(authority.issue(["127.0.0.1"]));
  let server: Server | null = null;
  try {
    await postroom(command, data, ["user", "add", OWNER]);
    const made = await postroom(command, data, [
      ...["key", "create", "--user", OWNER, "--name", "bench", "--scopes", "all", "--test"],
    ]);
    const [port] = await freePorts(1);
    server = serve(command, data, port!, { ...SETTINGS, POSTROOM_WEBHOOKS_CA_FILE: authority.ca_file });
    const bench = new Bench(new Api(server.url, made.trim()), receiver, data);
    await until(server, () => bench.api.up());
    await bench.prepare();
    const figures = await bench.run(options);
    return report(figures);
  } finally {
    await server?.stop();
    await receiver.stop();
    authority.remove();
    rmSync(data, { recursive: true, force: true });
  }
}

class Api {
  constructor(
    readonly url: string,
    readonly key: string,
  ) {}

  async call<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(`${this.url}/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${this.key}`, "Content-Type": "application/json" },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (response.status === 204 ? undefined : await response.json()) as T;
  }

  up(): Promise<true | null> {
    return this.call("GET", "/usage").then(
      () => true,
      () => null,
    );
  }

  async addEndpoint(url: string, event: string): Promise<string> {
    return (await this.call<{ data: { id: string } }>("POST", "/webhooks", { url, events: [event] })).data.id;
  }
}

class Bench {
  #threads: string[] = [];
  #changes = 0;

  constructor(
    readonly api: Api,
    private readonly receiver: HttpsReceiver,
    private readonly data: string,
  ) {}

  async prepare(): Promise<void> {
    const { data } = await this.api.call<{ data: { id: string }[] }>("GET", "/threads?limit=100");
    this.#threads = data.map(({ id }) => id);
  }

  async run({ repeat, say }: BenchOptions): Promise<Figures> {
    const { api, receiver } = this;
    const figures: Figures = {
      ...{ latency: [], per_second: [], api_rest: [], api_changes: [], api_trickle: [], api_backlog: [] },
      ...{ all_well: [], one_dead: [] },
    };
    await this.#load(2); // warms up
    const id = await api.addEndpoint(`${receiver.origin}/one`, "thread.updated");
    for (let turn = 0; turn < ROUNDS * repeat; turn++) {
      figures.api_rest.push(await this.#load());
      await api.call("PATCH", `/webhooks/${id}`, { events: ["brief.ready"] });
      figures.api_changes.push((await Promise.all([this.#load(), this.#trickle(PER_SECOND)]))[0]);
      await api.call("PATCH", `/webhooks/${id}`, { events: ["thread.updated"] });
      const [received, asked] = await Promise.all([this.#trickle(PER_SECOND), this.#load()]);
      figures.latency.push(latencies(received));
      figures.api_trickle.push(asked);
      const drained = await this.#drain();
      figures.per_second.push(drained.per_second);
      figures.api_backlog.push(drained.asked);
      say(`  p99 ${ms(percentile(latencies(received), 0.99))}, ${Math.round(drained.per_second)} deliveries a second`);
    }
    await api.call("DELETE", `/webhooks/${id}`);
    for (let i = 0; i < 9; i++) await api.addEndpoint(`${receiver.origin}/ten/${i}`, "thread.updated");
    receiver.behave = ({ path }) => (path === "/dead" ? "hang" : { status: 200 });
    for (let turn = 0; turn < PAIRS * repeat; turn++) {
      figures.all_well.push(await this.#nineBeside("/tenth"));
      figures.one_dead.push(await this.#nineBeside("/dead"));
    }
    return figures;
  }

  /** Latencies of nine endpoints beside a tenth. */
  async #nineBeside(tenth: string): Promise<number[]> {
    const id = await this.api.addEndpoint(this.receiver.origin + tenth, "thread.updated");
    await this.#trickle(PER_SECOND_OF_TEN, 1); // its connections are open, or all of them hang
    const received = await this.#trickle(PER_SECOND_OF_TEN, 2);
    await this.api.call("DELETE", `/webhooks/${id}`);
    return latencies(received.filter(({ path }) => path.startsWith("/ten/")));
  }

  /** Changes threads at a fixed rate, regardless of answers. @returns the receiver's events about them */
  async #trickle(per_second: number, seconds = SECONDS): Promise<ReceivedRequest[]> {
    const first = this.receiver.received.length;
    const began = performance.now();
    const changes: Promise<unknown>[] = [];
    for (let n = 0; n < per_second * seconds; n++) {
      const due = began + (n * 1_000) / per_second;
      while (performance.now() < due) await Bun.sleep(Math.max(0, due - performance.now()));
      const thread = this.#threads[this.#changes % this.#threads.length];
      const starred = Math.floor(this.#changes / this.#threads.length) % 2 === 0;
      this.#changes++;
      changes.push(this.api.call("PATCH", `/threads/${thread}`, { starred }));
    }
    await Promise.all(changes);
    await this.#quiet();
    return this.receiver.received.slice(first);
  }

  /** Sends a backlog at once. */
  async #drain(): Promise<{ per_second: number; asked: number[] }> {
    const id = await this.api.addEndpoint(`${this.receiver.origin}/backlog`, "draft.created");
    await this.api.call("PATCH", `/webhooks/${id}`, { status: "disabled" });
    await runCommand([process.execPath, join(import.meta.dir, "emit.ts"), this.data, String(BACKLOG)]);
    const first = this.receiver.received.length;
    await this.api.call("PATCH", `/webhooks/${id}`, { status: "active" });
    const asked = await this.#load();
    while (this.receiver.received.length < first + BACKLOG) await Bun.sleep(20);
    await this.api.call("DELETE", `/webhooks/${id}`);
    const times = this.receiver.received.slice(first).map(({ atMs }) => atMs);
    return { per_second: (1_000 * (times.length - 1)) / (times.at(-1)! - times[0]!), asked };
  }

  async #load(seconds = SECONDS): Promise<number[]> {
    const script = join(import.meta.dir, "load.ts");
    const args = [this.api.url, this.api.key, String(API_PER_SECOND), String(seconds)];
    const child = Bun.spawn([process.execPath, script, ...args], { stdout: "pipe", stderr: "inherit" });
    const text = await new Response(child.stdout).text();
    if ((await child.exited) !== 0) throw new Error("the requested load was not reached");
    const { list, messages } = JSON.parse(text) as { list: number[]; messages: number[] };
    return [...list, ...messages];
  }

  /** Waits until nothing has arrived for a while. */
  async #quiet(): Promise<void> {
    for (let before = -1; before !== this.receiver.received.length; ) {
      before = this.receiver.received.length;
      await Bun.sleep(500);
    }
  }
}

/** Returns the time from the creation of each event, before its commit, to its last byte at the receiver. */
function latencies(requests: readonly ReceivedRequest[]): number[] {
  return requests.map(({ body, atMs }) => performance.timeOrigin + atMs - Date.parse(JSON.parse(body).created_at));
}

const ms = (value: number) => `${value.toFixed(1)} ms`;

function report(figures: Figures): BenchResult {
  const { latency, per_second, api_rest, api_changes, api_trickle, api_backlog, all_well, one_dead } = figures;
  const p99s = (rounds: readonly number[][]) => rounds.map((values) => percentile(values, 0.99));
  const row = (name: string, rounds: readonly number[][]) => [
    name,
    ms(median(rounds.flat())),
    ms(Math.min(...p99s(rounds))),
    ms(median(p99s(rounds))),
    ms(Math.max(...rounds.flat())),
  ];
  const table = formatTable(
    ["", "p50", "p99, quietest round", "median round", "max"],
    [
      row(`change → receiver, ${PER_SECOND} a second`, latency),
      row("API at rest", api_rest),
      row(`API, ${PER_SECOND} changes a second, no webhook`, api_changes),
      row(`API, ${PER_SECOND} changes a second, a webhook each`, api_trickle),
      row("API while a backlog is delivered", api_backlog),
      row(`nine endpoints, ${PER_SECOND_OF_TEN} a second, the tenth healthy`, all_well),
      row(`nine endpoints, ${PER_SECOND_OF_TEN} a second, the tenth dead`, one_dead),
    ],
  );
  const text = [
    table,
    "",
    `a backlog of ${BACKLOG} to one endpoint: ${Math.round(median(per_second))} signed deliveries a second`,
  ].join("\n");
  const short = (values: number[]) => {
    const [p50, p99, max] = [median(values), percentile(values, 0.99), Math.max(...values)];
    return { requests: values.length, p50, p99, max };
  };
  const rounds = { latency, api_rest, api_changes, api_trickle, api_backlog, all_well, one_dead };
  const data = Object.fromEntries(Object.entries(rounds).map(([name, lists]) => [name, lists.map(short)]));
  const dead = median(p99s(one_dead)) / median(p99s(all_well)) - 1;
  const judgedFigures = judged("webhooks", [
    { key: "p99", value: median(p99s(latency)) },
    { key: "backlog", value: median(per_second) },
    { key: "dead", value: dead * 100, peer: `beside a healthy one ${ms(median(p99s(all_well)))}` },
  ]);
  return { name: "webhooks", text, data: { per_second, ...data }, figures: judgedFigures };
}
