import type { FetchMessageObject } from "imapflow";
import { connectImap } from "../../src/wire/imap/connect.ts";
import { fetchByUid, mergeResponses } from "../../src/wire/imap/responses.ts";
import { planParts } from "../../src/wire/mime/structure.ts";
import { between, type Campaign, dice } from "../faults/campaign.ts";
import { runFloods } from "./flood.ts";
import { MemoryGauge } from "./memory.ts";
import { type NonsenseServer, startNonsense } from "./nonsense-server.ts";
import { fuzzTrees } from "./trees-of-parts.ts";
import { openWatchdog, type Watchdog } from "./watchdog.ts";

/** A server that sends nothing more is abandoned after this time. */
const SILENCE_MS = 250;
/** More processor time than this for one conversation, on both sides, counts as a hang. */
const LONGEST_CPU_MS = 1_000;
/** So does more wall time than this beyond the silences, each of which explains SILENCE_MS. */
const LONGEST_UNEXPLAINED_MS = 1_000;
/** Then a conversation is left alone, before the watchdog takes it for a blocked thread. */
const GIVEN_UP_MS = 6_000;
const AT_ONCE = 8;
/** Conversations whose memory is measured together. */
const BATCH = 40;
const MAX_MISSES = 10;

interface Conversation {
  seed: number;
  messages: number;
  ended: boolean;
  /** A fault of the program that the answers revealed. */
  fault: string | null;
  /** Processor time of the whole process during that time. */
  cpu_ms: number;
  /** Wall time that silences do not explain. */
  unexplained_ms: number;
}

/**
 * A server whose answers are mutations of real ones, with the program's own client: it connects, lists, opens a folder
 * and fetches; each step may fail, and must end. Then trees of parts of every shape, as a server may describe a
 * message.
 */
export const imapAnswersCampaign: Campaign = async ({ short, random, say }) => {
  const watchdog = await openWatchdog("imap-answers");
  const servers = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, i) =>
      startNonsense(SILENCE_MS, (bytes) => {
        watchdog.add(`\n[${i}] `);
        watchdog.add(bytes);
      }),
    ),
  );
  const conversations = new Conversations(servers, watchdog, random);
  const runs = short ? 80 : 1_000;
  const memory = new MemoryGauge();
  const uncaught: unknown[] = [];
  const note = (error: unknown) => void uncaught.push(error);
  process.on("uncaughtException", note);
  process.on("unhandledRejection", note);
  let trees = { runs: 0, misses: [] as string[] };
  try {
    while (conversations.held < runs && conversations.misses.length < MAX_MISSES) {
      const name = `conversations from number ${conversations.held} on`;
      await memory.during(name, () => conversations.hold(Math.min(BATCH, runs - conversations.held)));
    }
    await Bun.sleep(50);
    await memory.during("trees of parts", async () => {
      trees = await fuzzTrees(short ? 300 : 10_000, between(random, 0, 2 ** 31), watchdog);
    });
  } finally {
    process.off("uncaughtException", note);
    process.off("unhandledRejection", note);
    watchdog.close();
    await Promise.all(servers.map((server) => server.close()));
  }
  const floods = await runFloods(short);
  if (conversations.messages === 0) conversations.misses.push("no conversation came as far as to a message");
  const uncaughtErrors = uncaught.map((error) => `uncaught: ${(error as Error)?.stack ?? error}`);
  say(
    `${conversations.held} conversations, ${conversations.repeated} of them held once more alone; ${trees.runs} trees of parts`,
  );
  return {
    figures: {
      conversations: conversations.held,
      messages_read: conversations.messages,
      slowest_cpu_ms: Math.round(conversations.slowest_cpu_ms),
      longest_unexplained_ms: Math.round(conversations.longest_unexplained_ms),
      structures: trees.runs,
      ...floods.figures,
      ...memory.figures(),
    },
    misses: [...conversations.misses, ...floods.misses, ...uncaughtErrors, ...trees.misses, ...memory.misses],
  };
};

/** Holds conversations, several at once, and judges them. */
class Conversations {
  readonly misses: string[] = [];
  held = 0;
  repeated = 0;
  messages = 0;
  slowest_cpu_ms = 0;
  longest_unexplained_ms = 0;

  constructor(
    private readonly servers: readonly NonsenseServer[],
    private readonly watchdog: Watchdog,
    private readonly random: () => number,
  ) {}

  async hold(count: number): Promise<void> {
    for (let held = 0; held < count; held += this.servers.length) {
      const seeds = this.servers.map(() => between(this.random, 0, 2 ** 31));
      for (const one of await this.#round(seeds)) {
        this.held++;
        this.messages += one.messages;
        // Too high a total says nothing about a single conversation, so each is repeated alone.
        const alone = one.ended && isLong(one);
        if (alone) this.repeated++;
        this.#judge(alone ? (await this.#round([one.seed]))[0]! : one);
      }
    }
  }

  #round(seeds: readonly number[]): Promise<Conversation[]> {
    return this.watchdog.during("a round of conversations", `seeds ${seeds.join(" ")}\n`, () =>
      Promise.all(seeds.map((seed, i) => converse(this.servers[i]!, seed))),
    );
  }

  #judge({ seed, ended, fault, cpu_ms, unexplained_ms }: Conversation): void {
    const name = `conversation ${seed}`;
    if (fault) this.misses.push(`${name}: ${fault}`);
    if (!ended) this.misses.push(`${name} did not end within ${GIVEN_UP_MS} ms`);
    else if (cpu_ms > LONGEST_CPU_MS) this.misses.push(`${name}: ${Math.round(cpu_ms)} ms of processor time`);
    else if (unexplained_ms > LONGEST_UNEXPLAINED_MS) {
      this.misses.push(`${name}: ${Math.round(unexplained_ms)} ms that no silence explains`);
    }
    this.slowest_cpu_ms = Math.max(this.slowest_cpu_ms, cpu_ms);
    this.longest_unexplained_ms = Math.max(this.longest_unexplained_ms, unexplained_ms);
  }
}

const isLong = ({ cpu_ms, unexplained_ms }: Conversation): boolean =>
  cpu_ms > LONGEST_CPU_MS || unexplained_ms > LONGEST_UNEXPLAINED_MS;

/** Not a refusal, but an error in our own code that no server should be able to cause. */
function isOurFault(error: unknown): boolean {
  if (!(error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError)) return false;
  const [top] = (error.stack ?? "").split("\n").filter((line) => /\.[jt]s:\d+/.test(line));
  return top?.includes("/src/") === true && !top.includes("node_modules");
}

/** Ends in success or failure, regardless of what the server sends. */
async function converse(server: NonsenseServer, seed: number): Promise<Conversation> {
  server.begin(dice(seed));
  const began = performance.now();
  const cpu = process.cpuUsage();
  let messages = 0;
  const login = { host: "127.0.0.1", port: server.port, security: "none", username: "a", password: "b" } as const;
  const request = async () => {
    const options = { ca: null, connectTimeoutMs: SILENCE_MS, socketTimeoutMs: SILENCE_MS };
    const client = await connectImap(login, options);
    try {
      await client.list();
      await client.mailboxOpen("INBOX", { readOnly: true });
      const query = { uid: true, flags: true, size: true, source: true, bodyStructure: true, internalDate: true };
      const found = mergeResponses((await client.fetchAll("1:*", query)) as FetchMessageObject[]);
      messages = found.length;
      for (const { bodyStructure } of found) if (bodyStructure) planParts(bodyStructure);
      await fetchByUid(client, 5, { flags: true });
      await client.status("INBOX", { messages: true, uidNext: true });
      await client.search({ seen: true }, { uid: true });
    } finally {
      client.close();
    }
  };
  let fault: string | null = null;
  const ended = await new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), GIVEN_UP_MS);
    const end = () => {
      clearTimeout(timer);
      resolve(true);
    };
    request().then(end, (error: unknown) => {
      if (isOurFault(error)) fault = (error as Error).stack ?? String(error);
      end();
    });
  });
  const { user, system } = process.cpuUsage(cpu);
  const unexplained_ms = Math.max(0, performance.now() - began - server.silences() * SILENCE_MS);
  return { seed, messages, ended, fault, cpu_ms: (user + system) / 1_000, unexplained_ms };
}
