import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../src/platform/clock.ts";
import { loadConfig } from "../src/platform/config/load.ts";
import { openPlatform, type Platform } from "../src/platform/platform.ts";

/** `postroom trust` on a data folder whose database another program changed. */

const MAIN = join(import.meta.dir, "../src/main.ts");
const folder = mkdtempSync(join(tmpdir(), "postroom-cli-trust-"));
const data = join(folder, "data");
let userId: string;
let keyId: string;
let secret: string;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function opened<T>(work: (platform: Platform) => T): T {
  const platform = openPlatform({ config: loadConfig({ data_dir: data, env: {} }), clock: systemClock });
  try {
    return work(platform);
  } finally {
    platform.close();
  }
}

const trust = (...args: string[]) => {
  const { exitCode, stdout } = Bun.spawnSync([process.execPath, MAIN, "trust", ...args, "--data", data], {
    env: { PATH: process.env.PATH ?? "" },
    stderr: "ignore",
  });
  return { exitCode, out: stdout.toString() };
};
const isAccepted = () => opened(({ keys }) => keys.find(secret) !== null);

beforeAll(() =>
  opened(({ users, keys }) => {
    userId = users.add({ email: "ada@example.org", plan: "autopilot", role: "owner", timezone: "UTC" }).id;
    const made = keys.create({ user_id: userId, name: "laptop", scopes: ["mail:read"], test: false });
    keyId = made.key.id;
    secret = made.secret;
  }),
);

test("a key that another program changed is listed and rejected; once accepted, it works and an audit row exists", () => {
  expect(trust()).toEqual({ exitCode: 0, out: "" });
  const db = new Database(join(data, "postroom.db"));
  db.query("UPDATE api_keys SET expires_at = ? WHERE id = ?").run(Date.parse("2199-01-01"), keyId);
  db.close();
  expect(isAccepted()).toBe(false);
  const listed = trust("--json");
  expect([listed.exitCode, JSON.parse(listed.out)]).toEqual([1, [{ table: "api_keys", row: keyId, what: "changed" }]]);
  expect(trust("--accept").exitCode).toBe(0);
  expect(isAccepted()).toBe(true);
  expect(trust().exitCode).toBe(0);
  expect(opened(({ audit }) => audit.list(userId, { limit: 10, action: "grants.accept" }))).toMatchObject([
    { actor: { kind: "system" }, after: { rows: [{ table: "api_keys", row: keyId, what: "changed" }] } },
  ]);
});
