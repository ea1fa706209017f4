import { Database } from "bun:sqlite";
import { join, resolve } from "node:path";
import { ensureOwner } from "../../src/app/first-start.ts";
import { SCOPES } from "../../src/kernel/scopes.ts";
import { createMailbox } from "../../src/mailbox/mailbox.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { openPlatform } from "../../src/platform/platform.ts";
import { eventually } from "./eventually.ts";

const MAIN = resolve(import.meta.dir, "../../src/main.ts");

/** Lifts the limits and polls folders every second. */
const SETTINGS = {
  POSTROOM_MAIL_POLL_SECONDS: "1",
  POSTROOM_LIMITS_REQUESTS_PER_MINUTE_KEY: "1000000",
  POSTROOM_LIMITS_REQUESTS_PER_MINUTE_USER: "1000000",
  POSTROOM_LIMITS_REQUESTS_PER_MINUTE_IP: "1000000",
};

/** A data folder that no server uses yet. */
export interface Installed {
  /** Keys of the owner and of the owner's sandbox, with all scopes. */
  key: string;
  testKey: string;
  account_id: string;
}

/** An owner with one mailbox on these ports of this machine, without encryption. */
export function install(data_dir: string, imapPort: number, smtpPort: number): Installed {
  const platform = openPlatform({ config: loadConfig({ data_dir, env: {} }), clock: systemClock });
  try {
    ensureOwner(platform);
    const owner = platform.users.list()[0]!;
    const { id } = createMailbox(platform).accounts.add({
      user_id: owner.id,
      provider: "imap",
      email: "alice@mail.test",
      connection: {
        imap: { host: "127.0.0.1", port: imapPort, security: "none" },
        smtp: { host: "127.0.0.1", port: smtpPort, security: "none" },
        username: "alice@mail.test",
        password: "alice-pw",
      },
    });
    const newKey = (user_id: string, test: boolean) =>
      platform.keys.create({ name: "t", user_id, scopes: [...SCOPES], test }).secret;
    const testKey = newKey(platform.users.sandboxOf(owner.id).id, true);
    return { key: newKey(owner.id, false), testKey, account_id: id };
  } finally {
    platform.close();
  }
}

export interface Served {
  /** "http://127.0.0.1:40123" */
  url: string;
  pid: number;
  log(): string;
  /** Sends a request under /v1. */
  fetch(path: string, key: string, init?: RequestInit): Promise<Response>;
  /** Sends SIGTERM. @returns the exit code, and how long the process took to end, ms */
  stop(): Promise<{ code: number | null; ms: number }>;
  kill(): void;
}

/**
 * Runs `postroom serve` in a separate process.
 * @param command wrapper that runs the program instead of starting it directly; gets the command line as its arguments
 */
export async function serve(data_dir: string, command: readonly string[] = []): Promise<Served> {
  const env = { ...process.env, ...SETTINGS };
  const args = [...command, process.execPath, "run", MAIN, "serve", "--data", data_dir, "--port", "0"];
  const child = Bun.spawn(args, { env, stdin: "ignore", stdout: "ignore", stderr: "pipe" });
  let log = "";
  const decoder = new TextDecoder();
  const follow = (async () => {
    for await (const chunk of child.stderr) log += decoder.decode(chunk, { stream: true });
  })();
  await eventually(() => /listening.* port=\d+/.test(log), 60_000).catch((error: unknown) => {
    child.kill("SIGKILL");
    throw new Error(`The program does not serve: ${log}`, { cause: error });
  });
  const url = `http://127.0.0.1:${/listening.* port=(\d+)/.exec(log)![1]}`;
  return {
    url,
    pid: child.pid,
    log: () => log,
    fetch: (path, key, init = {}) =>
      fetch(`${url}/v1${path}`, { ...init, headers: { Authorization: `Bearer ${key}`, ...init.headers } }),
    async stop() {
      const at = performance.now();
      child.kill("SIGTERM");
      const code = await child.exited;
      const ms = performance.now() - at;
      await follow;
      return { code, ms };
    },
    kill: () => child.kill("SIGKILL"),
  };
}

/** Returns the first row of a query against the database of a running server; null when there is none. */
export function one<T>(data_dir: string, sql: string, ...values: string[]): T {
  const db = new Database(join(data_dir, "postroom.db"), { readonly: true });
  try {
    return db.query(sql).get(...values) as T;
  } finally {
    db.close();
  }
}
