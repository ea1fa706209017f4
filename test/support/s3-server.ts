import { mkdtempSync, rmSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "s3rver";
import type { S3Options } from "../../src/platform/objects/s3-client.ts";
import { eventually } from "./eventually.ts";

/** What happens to a request: nothing arrives, the answer is lost, an error instead, or a delay before it. */
export type StoreMisfortune = "cut" | "lost" | { status: number; code: string } | { delayMs: number } | null;

export interface Passing {
  method: string;
  /** Path with query. */
  path: string;
  /** Whether the write has a condition. */
  conditional: boolean;
}

/**
 * A real S3 server with one bucket, behind a proxy that enforces conditional writes, which the server ignores, and that
 * can disturb requests.
 */
export interface S3Server {
  endpoint: string;
  /** Options of the bucket, with this prefix. */
  options(prefix: string): Omit<S3Options, "clock" | "calls">;
  disturb: (passing: Passing) => StoreMisfortune;
  passed: Passing[];
  /** Compares tags without their quotes, as Ceph before version 17 does. */
  bareTags: boolean;
  close(): Promise<void>;
}

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

export const BUCKET = "postroom-test";

export async function startS3(): Promise<S3Server> {
  const directory = mkdtempSync(join(tmpdir(), "postroom-s3-"));
  const origin = new S3rver({
    port: 0,
    address: "127.0.0.1",
    silent: true,
    directory,
    configureBuckets: [{ name: BUCKET, configs: [] }],
  });
  const { port } = (await origin.run()) as AddressInfo;
  const tags = new Map<string, string>();
  let queue: Promise<unknown> = Promise.resolve();
  /** One request at a time, so that a condition and its write are one step. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = queue.then(work);
    queue = turn.catch(() => {});
    return turn;
  };
  const server: S3Server = {
    endpoint: "",
    options: (prefix) => ({
      bucket: BUCKET,
      prefix,
      endpoint: server.endpoint,
      region: "us-east-1",
      access_key_id: "S3RVER",
      secret_access_key: "S3RVER",
      path_style: true,
      ca: null,
      pauseMs: 5,
    }),
    disturb: () => null,
    passed: [],
    bareTags: false,
    async close() {
      proxy.closeAllConnections();
      proxy.close();
      await origin.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
  async function handle(incoming: IncomingMessage, reply: ServerResponse): Promise<void> {
    const { method = "", url: path = "", headers: asked } = incoming;
    const isConditional = asked["if-match"] !== undefined || asked["if-none-match"] !== undefined;
    const passing = { method, path, conditional: isConditional };
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const misfortune = server.disturb(passing);
    server.passed.push(passing);
    if (misfortune === "cut") return void reply.socket?.destroy();
    if (misfortune && typeof misfortune === "object" && "status" in misfortune) {
      const { status, code } = misfortune;
      return void reply.writeHead(status).end(`<Error><Code>${code}</Code></Error>`);
    }
    if (misfortune && typeof misfortune === "object") await Bun.sleep(misfortune.delayMs);
    const answer = await inTurn(() => conditional(passing, incoming.headers, Buffer.concat(chunks)));
    if (misfortune === "lost") return void reply.socket?.destroy();
    const { connection, "transfer-encoding": coding, ...headers } = answer.headers;
    reply.writeHead(answer.status, headers as Record<string, string>).end(answer.body);
  }
  async function conditional(
    { method, path }: Passing,
    headers: IncomingMessage["headers"],
    body: Buffer,
  ): Promise<Answer> {
    const whole = method === "PUT" && !path.includes("?");
    const tag = server.bareTags ? tags.get(path)?.replaceAll('"', "") : tags.get(path);
    const holds =
      (headers["if-none-match"] === undefined || tag === undefined) &&
      (headers["if-match"] === undefined || headers["if-match"] === tag);
    if (whole && !holds) {
      const xml = Buffer.from("<Error><Code>PreconditionFailed</Code></Error>");
      return { status: 412, headers: {}, body: xml };
    }
    const answer = await forward(port, method, path, headers, body);
    if (whole && answer.status === 200) {
      tags.set(path, String(answer.headers.etag));
      // Under Bun, the server answers before the bytes are in its file.
      const file = join(directory, `${path.slice(1)}._S3rver_object`);
      await eventually(() => statSync(file, { throwIfNoEntry: false })?.size === body.length);
    }
    if (method === "DELETE" && answer.status < 300) tags.delete(path);
    return answer;
  }
  const proxy = createServer((incoming, reply) => {
    handle(incoming, reply).catch(() => reply.socket?.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  server.endpoint = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return server;
}

function forward(
  port: number,
  method: string,
  path: string,
  headers: IncomingMessage["headers"],
  body: Buffer,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: "127.0.0.1", port, method, path, headers }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) });
    });
    outgoing.on("error", reject).end(body);
  });
}
