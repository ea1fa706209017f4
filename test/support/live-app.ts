import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type App, startApp } from "../../src/app/app.ts";
import { SCOPES } from "../../src/kernel/scopes.ts";
import type { Account, NewAccount } from "../../src/mailbox/accounts/accounts.ts";
import { systemClock } from "../../src/platform/clock.ts";
import type { OptionKey } from "../../src/platform/config/table.ts";
import { eventually } from "./eventually.ts";
import type { Answer } from "./http-harness.ts";

/** The whole program in this process, with its workers and its HTTP server, on its own data folder. */
export interface LiveApp {
  app: App;
  /** The owner's key, with all scopes. */
  key: string;
  newKey(options: { test?: boolean }): string;
  connect(account: Omit<NewAccount, "user_id" | "provider">): Account;
  call(method: string, path: string, options?: LiveCall): Promise<Answer>;
  /** Returns events of the owner by name, oldest first. */
  events(name: string): unknown[];
  close(): Promise<void>;
}

export interface LiveCall {
  body?: unknown;
  headers?: Record<string, string>;
  key?: string;
}

/** Limits are lifted: tests of the whole program do not test them. */
const FLAGS: Partial<Record<OptionKey, string>> = {
  "http.port": "0",
  "log.level": "error",
  "mail.poll_seconds": "1",
  "limits.requests_per_minute_key": "1000000",
  "limits.requests_per_minute_user": "1000000",
  "limits.requests_per_minute_ip": "1000000",
  "limits.new_key_sends_per_day": "100000",
  "limits.autopilot.sends_per_day": "100000",
  "limits.autopilot.requests_per_day": "1000000",
};

export async function startLiveApp(
  flags: Partial<Record<OptionKey, string>> = {},
  options: Parameters<typeof startApp>[2] = {},
): Promise<LiveApp> {
  const data_dir = mkdtempSync(join(tmpdir(), "postroom-live-"));
  const app = await startApp({ data_dir, env: {}, flags: { ...FLAGS, ...flags } }, systemClock, options);
  const { platform, mailbox, server } = app;
  // A slow place for the continuous copy can have the server start paused, which refuses to write until it has the lease.
  if (flags["backup.to"] !== undefined) await eventually(() => platform.acting.pause === null, 60_000);
  const owner = platform.users.list()[0]!;
  const newKey: LiveApp["newKey"] = ({ test = false }) => {
    const user_id = test ? platform.users.sandboxOf(owner.id).id : owner.id;
    return platform.keys.create({ name: "test", user_id, scopes: [...SCOPES], test }).secret;
  };
  const key = newKey({});
  return {
    app,
    key,
    newKey,
    connect: (account) => mailbox.accounts.add({ user_id: owner.id, provider: "imap", ...account }),
    async call(method, path, { body, headers: more, key: secret = key } = {}) {
      const headers: Record<string, string> = { Authorization: `Bearer ${secret}`, ...more };
      const form = body instanceof FormData;
      if (body !== undefined && !form) headers["Content-Type"] = "application/json";
      const sent = body === undefined || form ? body : JSON.stringify(body);
      const url = `http://127.0.0.1:${server.port}/v1${path}`;
      const response = await fetch(url, { method, headers, ...(sent === undefined ? {} : { body: sent as BodyInit }) });
      const text = await response.text();
      const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
      return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined };
    },
    events: (name) =>
      platform.events
        .after(owner.id, 0, 100_000)
        .filter(({ event }) => event === name)
        .map(({ data }) => data),
    async close() {
      await app.stop();
      rmSync(data_dir, { recursive: true, force: true });
    },
  };
}
