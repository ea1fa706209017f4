import { mkdtempSync, rmSync, statSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../support/eventually.ts";
import { between, pick } from "./campaign.ts";

/** The store of one home: a real S3 server in its own process, and a way to it for each machine. */
export interface FaultyStore {
  bucket: string;
  /** Requests that were disturbed so far, by kind. */
  readonly misfortunes: Readonly<Record<string, number>>;
  /** Requests that reached the S3 server. */
  readonly requests: number;
  /** Conditional writes that were refused because the condition did not hold. */
  readonly conflicts: number;
  /** Share of the requests that are disturbed, 0–1. */
  disturbed: number;
  /** Called when a write of a machine has happened and before it is answered. */
  onWrite: ((line: string) => void) | null;
  /** Opens another way to the store. Disturbances and outages of a way concern one machine only. */
  line(name: string): Promise<StoreLine>;
  /** The last requests, for the report of a miss. */
  lately(): string[];
  close(): Promise<void>;
}

export type LineState = "up" | "refused" | "silent";

export interface StoreLine {
  name: string;
  endpoint: string;
  /**
   * Changes the state. "refused": connections end at once. "silent": requests get no answer; they reach the store when
   * the line is up again, long after their senders gave up.
   */
  set(state: LineState): void;
  /** Outages so far: performance.now(), `to` is Infinity while it lasts. */
  readonly outages: readonly Outage[];
  close(): void;
}

export interface Outage {
  from: number;
  to: number;
}

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

interface Asked {
  method: string;
  /** Path with query. */
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

const ORIGIN = join(import.meta.dir, "off-machine-origin.ts");
const MISFORTUNES = [
  ...["cut", "lost", "halved", "delayed", "delayed", "repeated", "repeated_late"],
  ...["error_500", "error_503", "slow_down"],
] as const;
const ERRORS: Record<string, readonly [status: number, code: string]> = {
  error_500: [500, "InternalError"],
  error_503: [503, "ServiceUnavailable"],
  slow_down: [503, "SlowDown"],
};
const LONGEST_DELAY_MS = 1_500;
const LATE_MS = 12_000;
/** A list of the store misses this share of its objects when it is disturbed. */
const UNLISTED = 0.3;
const KEPT_REQUESTS = 400;

/** Starts the S3 server and the proxy before it, which makes conditional writes atomic and disturbs requests. */
export async function startFaultyStore(
  bucket: string,
  random: () => number,
  delayMs = LONGEST_DELAY_MS,
): Promise<FaultyStore> {
  const directory = mkdtempSync(join(tmpdir(), "postroom-off-machine-s3-"));
  const child = Bun.spawn([process.execPath, ORIGIN, directory, bucket], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
  });
  const kill = () => child.kill(9);
  process.once("exit", kill);
  const port = await portOf(child);
  const origin = new Origin(port, directory);
  const state: FrontState = { origin, random, delayMs, disturbed: 0, onWrite: null, misfortunes: {}, log: [] };
  const lines: Line[] = [];
  return {
    bucket,
    misfortunes: state.misfortunes,
    get requests() {
      return origin.requests;
    },
    get conflicts() {
      return origin.conflicts;
    },
    get disturbed() {
      return state.disturbed;
    },
    set disturbed(share) {
      state.disturbed = share;
    },
    get onWrite() {
      return state.onWrite;
    },
    set onWrite(called) {
      state.onWrite = called;
    },
    async line(name) {
      const line = await Line.open(name, state);
      lines.push(line);
      return line;
    },
    lately: () => [...state.log],
    async close() {
      for (const line of lines) line.close();
      kill();
      process.off("exit", kill);
      await child.exited;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function portOf(child: Bun.Subprocess<"ignore", "pipe", "ignore">): Promise<number> {
  let text = "";
  for await (const chunk of child.stdout) {
    text += new TextDecoder().decode(chunk);
    if (text.includes("\n")) return Number(text);
  }
  throw new Error(`the S3 server ended with ${await child.exited}`);
}

/** The S3 server, one request at a time for each object, with conditions that it does not know itself. */
class Origin {
  requests = 0;
  conflicts = 0;
  readonly #tags = new Map<string, string>();
  readonly #queues = new Map<string, Promise<unknown>>();

  constructor(
    private readonly port: number,
    private readonly directory: string,
  ) {}

  /** A condition and its write are one step. */
  ask(asked: Asked): Promise<Answer> {
    const object = asked.path.split("?")[0]!;
    const turn = (this.#queues.get(object) ?? Promise.resolve()).then(() => this.#step(object, asked));
    const settled = turn.catch(() => {});
    this.#queues.set(object, settled);
    void settled.then(() => {
      if (this.#queues.get(object) === settled) this.#queues.delete(object);
    });
    return turn;
  }

  async #step(object: string, asked: Asked): Promise<Answer> {
    const { method, headers, body, path } = asked;
    const isWhole = method === "PUT" && path === object;
    const tag = this.#tags.get(object);
    const holds =
      (headers["if-none-match"] === undefined || tag === undefined) &&
      (headers["if-match"] === undefined || headers["if-match"] === tag);
    this.requests++;
    if (isWhole && !holds) {
      this.conflicts++;
      return { status: 412, headers: {}, body: Buffer.from("<Error><Code>PreconditionFailed</Code></Error>") };
    }
    const answer = await forward(this.port, asked);
    if (isWhole && answer.status === 200) {
      this.#tags.set(object, String(answer.headers.etag));
      // Under Bun, the server answers before the bytes are in its file.
      const file = join(this.directory, `${decodeURIComponent(object.slice(1))}._S3rver_object`);
      await eventually(() => statSync(file, { throwIfNoEntry: false })?.size === body.length);
    }
    if (method === "POST" && path.includes("uploadId=") && answer.status === 200)
      this.#tags.set(object, /<ETag>(.*?)<\/ETag>/.exec(answer.body.toString())?.[1]?.replaceAll("&quot;", '"') ?? "");
    if (method === "DELETE" && path === object && answer.status < 300) this.#tags.delete(object);
    return answer;
  }
}

interface FrontState {
  origin: Origin;
  random: () => number;
  /** Longest delay. */
  delayMs: number;
  disturbed: number;
  onWrite: FaultyStore["onWrite"];
  misfortunes: Record<string, number>;
  log: string[];
}

class Line implements StoreLine {
  readonly outages: Outage[] = [];
  endpoint = "";
  #state: LineState = "up";
  #held: (() => void)[] = [];
  readonly #late = new Set<Timer>();
  readonly #server = createServer((incoming, reply) => {
    this.#handle(incoming, reply).catch(() => reply.socket?.destroy());
  });

  private constructor(
    readonly name: string,
    private readonly front: FrontState,
  ) {}

  static async open(name: string, front: FrontState): Promise<Line> {
    const line = new Line(name, front);
    await new Promise<void>((resolve) => line.#server.listen(0, "127.0.0.1", resolve));
    line.endpoint = `http://127.0.0.1:${(line.#server.address() as AddressInfo).port}`;
    return line;
  }

  set(state: LineState): void {
    const now = performance.now();
    if (state === "up") {
      const last = this.outages.at(-1);
      if (last?.to === Number.POSITIVE_INFINITY) last.to = now;
    } else if (this.#state === "up") this.outages.push({ from: now, to: Number.POSITIVE_INFINITY });
    this.#state = state;
    if (state === "refused") this.#server.closeAllConnections();
    if (state !== "up") return;
    for (const resume of this.#held) resume();
    this.#held = [];
  }

  /** It changes during a request. */
  #is(state: LineState): boolean {
    return this.#state === state;
  }

  close(): void {
    for (const timer of this.#late) clearTimeout(timer);
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #handle(incoming: IncomingMessage, reply: ServerResponse): Promise<void> {
    const { method = "", url: path = "", headers } = incoming;
    const hangUp = () => void reply.socket?.destroy();
    if (this.#is("refused")) return hangUp();
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const asked: Asked = { method, path, headers, body: Buffer.concat(chunks) };
    if (this.#is("silent")) await new Promise<void>((resolve) => this.#held.push(resolve));
    if (this.#is("refused")) return hangUp();
    const misfortune = this.#misfortune(asked);
    if (misfortune) this.front.misfortunes[misfortune] = (this.front.misfortunes[misfortune] ?? 0) + 1;
    if (misfortune === "cut") return this.#note(asked, misfortune, null, hangUp);
    const error = misfortune && ERRORS[misfortune];
    if (error) {
      const body = Buffer.from(`<Error><Code>${error[1]}</Code></Error>`);
      return this.#note(asked, misfortune, error[0], () => send(reply, { status: error[0], headers: {}, body }));
    }
    if (misfortune === "delayed") await Bun.sleep(between(this.front.random, 20, this.front.delayMs));
    let answer = await this.front.origin.ask(asked);
    if (method === "PUT") this.front.onWrite?.(this.name);
    if (misfortune === "repeated") answer = await this.front.origin.ask(asked);
    if (misfortune === "repeated_late") this.#repeatLater(asked);
    // Its machine was cut off meanwhile: the write may have happened, and no answer arrives.
    if (!this.#is("up")) return this.#note(asked, "cut off", answer.status, hangUp);
    this.#note(asked, misfortune, answer.status, () => {
      if (misfortune === "lost") hangUp();
      else if (misfortune === "halved" && answer.body.length > 1) halve(reply, answer);
      else if (misfortune === "halved") hangUp();
      else send(reply, misfortune === "unlisted" ? withoutSome(answer, this.front.random) : answer);
    });
  }

  #misfortune({ method, path }: Asked): string | null {
    const { random, disturbed } = this.front;
    if (random() >= disturbed) return null;
    return method === "GET" && path.includes("list-type=2") && random() < 0.5 ? "unlisted" : pick(random, MISFORTUNES);
  }

  /** As a proxy on the way may do. Deletions are left out: the same name could have been written again. */
  #repeatLater(asked: Asked): void {
    if (asked.method === "DELETE") return;
    const timer = setTimeout(
      () => {
        this.#late.delete(timer);
        this.front.origin.ask(asked).catch(() => {});
      },
      between(this.front.random, 500, LATE_MS),
    );
    this.#late.add(timer);
  }

  #note({ method, path, body }: Asked, misfortune: string | null, status: number | null, answer: () => void): void {
    const { log } = this.front;
    const at = (performance.now() / 1000).toFixed(2);
    log.push(`${at} ${this.name} ${method} ${path} (${body.length}) ${status ?? "-"} ${misfortune ?? ""}`.trimEnd());
    if (log.length > KEPT_REQUESTS) log.splice(0, log.length - KEPT_REQUESTS);
    answer();
  }
}

function send(reply: ServerResponse, { status, headers, body }: Answer): void {
  const { connection, "transfer-encoding": coding, ...rest } = headers;
  reply.writeHead(status, rest as Record<string, string>).end(body);
}

/** Sends the headers and a part of the body. */
function halve(reply: ServerResponse, { status, headers, body }: Answer): void {
  const { connection, "transfer-encoding": coding, ...rest } = headers;
  reply.writeHead(status, { ...(rest as Record<string, string>), "content-length": String(body.length) });
  reply.write(body.subarray(0, body.length >> 1), () => reply.socket?.destroy());
}

/** A list that does not show some objects yet, as stores may answer that are consistent only eventually. */
function withoutSome(answer: Answer, random: () => number): Answer {
  const xml = answer.body.toString().replace(/<Contents>.*?<\/Contents>/gs, (one) => (random() < UNLISTED ? "" : one));
  const { "content-length": length, ...headers } = answer.headers;
  return { ...answer, headers, body: Buffer.from(xml) };
}

function forward(port: number, { method, path, headers, body }: Asked): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: "127.0.0.1", port, method, path, headers }, async (response) => {
      const chunks: Buffer[] = [];
      try {
        for await (const chunk of response) chunks.push(chunk as Buffer);
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) });
      } catch (error) {
        reject(error);
      }
    });
    outgoing.on("error", reject).end(body);
  });
}
