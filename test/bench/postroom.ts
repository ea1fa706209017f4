import { Database } from "bun:sqlite";
import { existsSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { processUsage, type Run } from "./measure.ts";

const ROOT = resolve(import.meta.dir, "../..");
const POLL_MS = 20;
const GIVE_UP_MS = 180_000;

/** Returns the command that runs Postroom: the given executable, otherwise the source. */
export function postroomCommand(executable: string | null): string[] {
  return executable ? [resolve(executable)] : [process.execPath, join(ROOT, "src/main.ts")];
}

/** Runs one command of Postroom on a data folder and returns its output. @throws when it fails */
export async function postroom(
  command: string[],
  data: string,
  args: string[],
  options: { input?: string; env?: Record<string, string> } = {},
): Promise<string> {
  const child = Bun.spawn([...command, ...args, "--data", data], {
    env: { ...process.env, ...options.env },
    stdin: Buffer.from(options.input ?? ""),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  if ((await child.exited) !== 0) throw new Error(`postroom ${args.join(" ")}: ${stderr || stdout}`);
  return stdout;
}

/** A separate `postroom serve`. */
export interface Server {
  pid: number;
  /** "http://127.0.0.1:PORT" */
  url: string;
  /** Everything it has logged so far. */
  log(): string;
  stop(): Promise<void>;
}

/** Starts `postroom serve`. Returns at once; see `answers`. */
export function serve(command: string[], data: string, port: number, env: Record<string, string> = {}): Server {
  mkdirSync(data, { recursive: true });
  const child = Bun.spawn([...command, "serve", "--data", data, "--port", String(port)], {
    env: { ...process.env, ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  let log = "";
  const follow = async (stream: ReadableStream<Uint8Array>) => {
    for await (const text of stream.pipeThrough(new TextDecoderStream() as never) as unknown as AsyncIterable<string>) {
      log = (log + text).slice(-20_000);
    }
  };
  void follow(child.stdout);
  void follow(child.stderr);
  return {
    pid: child.pid,
    url: `http://127.0.0.1:${port}`,
    log: () => log,
    async stop() {
      child.kill("SIGTERM");
      const slow = setTimeout(() => child.kill("SIGKILL"), 10_000);
      await child.exited;
      clearTimeout(slow);
    },
  };
}

/** Waits until `happened` returns something. @throws after some minutes, with the server's log */
export async function until<T>(
  server: Server,
  happened: () => Promise<T | null> | T | null,
  pollMs = POLL_MS,
  giveUpMs = GIVE_UP_MS,
): Promise<T> {
  const began = performance.now();
  for (;;) {
    const value = await happened();
    if (value !== null) return value;
    if (performance.now() - began > giveUpMs) throw new Error(`gave up waiting; the server's log:\n${server.log()}`);
    await Bun.sleep(pollMs);
  }
}

/** Returns what a server answers to GET under /v1; null if it does not answer, or refuses. */
export async function answered<T>(server: Server, key: string, path: string): Promise<T | null> {
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${server.url}/v1${path}`, { headers }).catch(() => null);
  return response?.ok ? ((await response.json()) as T) : null;
}

/** Runs the server until the first sync is complete; the time counts from the start of the process. */
export async function firstSync(
  command: string[],
  data: string,
  port: number,
  env: Record<string, string> = {},
  giveUpMs = GIVE_UP_MS,
): Promise<Run & { messages: number }> {
  const began = performance.now();
  const server = serve(command, data, port, env);
  try {
    const path = join(data, "postroom.db");
    const db = await until(server, () => (existsSync(path) ? new Database(path, { readonly: true }) : null));
    const done = db.query<{ done: number }, []>(
      "SELECT sync_done AS done FROM accounts WHERE sync_phase = 'live' AND provider <> 'sandbox'",
    );
    await until(server, () => done.get(), POLL_MS, giveUpMs);
    const ms = performance.now() - began;
    const usage = processUsage(server.pid);
    const { c } = db
      .query<{ c: number }, []>(
        "SELECT count(*) AS c FROM locations l JOIN folders f ON f.id = l.folder_id JOIN accounts a ON a.id = f.account_id WHERE a.provider <> 'sandbox'",
      )
      .get()!;
    db.close();
    return { ms, cpu_ms: usage?.cpu_ms ?? null, peak_bytes: usage?.peak_bytes ?? null, messages: c };
  } finally {
    await server.stop();
  }
}

/** Creates a data folder whose owner has one mailbox, not yet synced. */
export async function prepareAccount(
  command: string[],
  data: string,
  imapPort: number,
  login: { username: string; password: string },
): Promise<void> {
  await postroom(command, data, ["user", "add", OWNER]);
  await addMailbox(command, data, imapPort, login);
}

/** Connects a mailbox for the owner of a data folder; a running server begins to sync it. */
export async function addMailbox(
  command: string[],
  data: string,
  imapPort: number,
  login: { username: string; password: string },
): Promise<void> {
  const imap = ["--imap", `127.0.0.1:${imapPort}`, "--imap-security", "none"];
  const mailbox = ["--user", OWNER, "--email", login.username, "--username", login.username, "--password-stdin"];
  await postroom(command, data, ["account", "add", ...mailbox, ...imap], { input: `${login.password}\n` });
}

export const OWNER = "owner@example.org";
