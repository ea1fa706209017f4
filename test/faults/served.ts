import { Database } from "bun:sqlite";
import { join, resolve } from "node:path";
import { SCOPES } from "../../src/kernel/scopes.ts";
import type { Account, NewAccount } from "../../src/mailbox/accounts/accounts.ts";
import { createMailbox, type Mailbox } from "../../src/mailbox/mailbox.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { envName } from "../../src/platform/config/table.ts";
import { openPlatform, type Platform } from "../../src/platform/platform.ts";
import { freePorts } from "../support/dovecot.ts";
import { eventually } from "../support/eventually.ts";

const MAIN = resolve(import.meta.dir, "../../src/main.ts");
const SMALL_INDEX = resolve(import.meta.dir, "small-index.ts");
const START_MS = 60_000;
const OWNER = "owner@localhost";

/** Settings of every campaign: limits are lifted, and folders are polled every second. */
const SETTINGS: Record<string, string> = {
  "log.level": "warn",
  "mail.poll_seconds": "1",
  "limits.requests_per_minute_key": "1000000",
  "limits.requests_per_minute_user": "1000000",
  "limits.requests_per_minute_ip": "1000000",
  "limits.new_key_sends_per_day": "100000",
  "limits.autopilot.sends_per_day": "100000",
  "limits.autopilot.requests_per_day": "10000000",
};

/** A data folder with an owner, opened beside the server. */
export interface Folder {
  data_dir: string;
  platform: Platform;
  mailbox: Mailbox;
  /** A live key with all scopes. */
  key: string;
  owner_id: string;
  connect(account: Omit<NewAccount, "user_id" | "provider">): Account;
  close(): void;
}

export function createFolder(data_dir: string): Folder {
  const platform = openPlatform({
    config: loadConfig({ data_dir, env: {}, flags: { "log.level": "error" } }),
    clock: systemClock,
  });
  const mailbox = createMailbox(platform);
  const owner = platform.users.add({ email: OWNER, plan: "autopilot", role: "owner", timezone: "UTC" });
  const made = platform.keys.create({ user_id: owner.id, name: "campaign", scopes: [...SCOPES], test: false });
  return {
    data_dir,
    platform,
    mailbox,
    key: made.secret,
    owner_id: owner.id,
    connect: (account) => mailbox.accounts.add({ user_id: owner.id, provider: "imap", ...account }),
    close: () => platform.close(),
  };
}

/** `postroom serve` as a separate process. */
export interface Served {
  port: number;
  pid: number;
  /** Null while it runs; otherwise its exit code. */
  readonly exit_code: number | null;
  log(): string;
  /** @throws when the connection fails */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ServedAnswer>;
  kill(): Promise<void>;
  stop(): Promise<number | null>;
}

export interface ServedAnswer {
  status: number;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a campaign reads answers of every shape
  json: any;
}

export interface ServeOptions {
  settings?: Record<string, string>;
  env?: Record<string, string>;
  /** With segments of the full-text index so small that many are built and merged (small-index.ts). */
  smallIndex?: boolean;
  /** Prefix of the command: `unshare -m sh -c ...`. */
  before?: string[];
  /** The executable to run; default: the source. */
  executable?: string | null;
  /** Return without waiting until it answers. */
  answers?: boolean;
}

export async function serve(folder: Pick<Folder, "data_dir" | "key">, options: ServeOptions = {}): Promise<Served> {
  const [port] = (await freePorts(1)) as [number];
  const settings = Object.entries({ ...SETTINGS, ...options.settings }).map(([key, value]) => [envName(key), value]);
  const program = options.executable ? [options.executable] : [process.execPath, MAIN];
  const command = [...program, "serve", "--data", folder.data_dir, "--port", String(port)];
  const child = Bun.spawn([...(options.before ?? []), ...command], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    env: {
      PATH: process.env.PATH ?? "/usr/bin:/bin",
      HOME: folder.data_dir,
      ...Object.fromEntries(settings),
      ...(options.smallIndex ? { BUN_OPTIONS: `--preload ${SMALL_INDEX}` } : {}),
      ...options.env,
    },
  });
  const killed = () => child.kill(9);
  process.once("exit", killed);
  let log = "";
  for (const stream of [child.stdout, child.stderr]) {
    void (async () => {
      for await (const chunk of stream) log = (log + new TextDecoder().decode(chunk)).slice(-40_000);
    })();
  }
  const call: Served["call"] = async (method, path, body, headers = {}) => {
    const form = body instanceof FormData;
    const response = await fetch(`http://127.0.0.1:${port}${path.startsWith("/") ? `/v1${path}` : `/${path}`}`, {
      method,
      headers: {
        Authorization: `Bearer ${folder.key}`,
        ...(body !== undefined && !form ? { "Content-Type": "application/json" } : {}),
        ...headers,
      },
      body: body === undefined ? undefined : form ? body : JSON.stringify(body),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
    return { status: response.status, text, json: isJson ? JSON.parse(text) : undefined };
  };
  const end = async (signal: "SIGTERM" | "SIGKILL") => {
    child.kill(signal);
    const late = setTimeout(() => child.kill(9), 20_000);
    await child.exited;
    clearTimeout(late);
    process.off("exit", killed);
    return child.exitCode;
  };
  const served: Served = {
    port,
    pid: child.pid,
    get exit_code() {
      return child.exitCode;
    },
    log: () => log,
    call,
    kill: async () => void (await end("SIGKILL")),
    stop: () => end("SIGTERM"),
  };
  if (options.answers ?? true) {
    await eventually(async () => {
      if (child.exitCode !== null) return true;
      return (await call("GET", "readyz").catch(() => null))?.status === 200;
    }, START_MS).catch((error: Error) => {
      child.kill(9);
      throw error;
    });
    if (child.exitCode !== null) throw new Error(`postroom serve ended with ${child.exitCode}: ${log}`);
  }
  return served;
}

/** Waits until the first sync of every mailbox is over. */
export async function live(folder: Pick<Folder, "data_dir">, deadlineMs = 60_000): Promise<void> {
  const db = new Database(join(folder.data_dir, "postroom.db"), { readonly: true });
  const query = db.query<{ c: number }, []>(
    "SELECT count(*) AS c FROM accounts WHERE provider <> 'sandbox' AND (sync_phase <> 'live' OR status <> 'active')",
  );
  try {
    await eventually(() => query.get()!.c === 0, deadlineMs);
  } finally {
    db.close();
  }
}
