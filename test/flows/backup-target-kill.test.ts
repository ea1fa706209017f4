import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyStatus } from "../../src/backup/copies/status.ts";
import { runBackup } from "../../src/backup/run.ts";
import { backupTarget, type ChosenTarget } from "../../src/backup/target.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { openPlatform, type Platform } from "../../src/platform/platform.ts";
import { eventually } from "../support/eventually.ts";
import { BUCKET, type S3Server, startS3 } from "../support/s3-server.ts";

/** The real program: it is killed around a change of the place for copies, which then applies wholly or not at all. */
setDefaultTimeout(240_000);

const MAIN = join(import.meta.dir, "../../src/main.ts");
const CHILD = join(import.meta.dir, "backup-target-child.ts");
const folder = mkdtempSync(join(tmpdir(), "postroom-target-kill-"));
const data = join(folder, "data");
const env = { HOME: folder, PATH: process.env.PATH ?? "", POSTROOM_HTTP_PORT: "0" };
const quiet = { stdin: "ignore", stdout: "ignore", stderr: "ignore" } as const;
let s3: S3Server;

beforeAll(async () => {
  s3 = await startS3();
});
afterAll(async () => {
  await s3?.close();
  rmSync(folder, { recursive: true, force: true });
});

function look<T>(at: (platform: Platform) => T): T {
  const platform = openPlatform({ config: loadConfig({ data_dir: data, env: {} }), clock: systemClock });
  try {
    return at(platform);
  } finally {
    platform.close();
  }
}
const bucket = (prefix: string): ChosenTarget => ({
  kind: "s3",
  bucket: BUCKET,
  prefix,
  endpoint: s3.endpoint,
  region: "us-east-1",
  access_key_id: "S3RVER",
  secret_access_key: "S3RVER",
  path_style: true,
  ca: "",
});
async function choose(chosen: ChosenTarget, when: "before the commit" | "after the commit") {
  const child = Bun.spawn([process.execPath, CHILD, data, when, JSON.stringify(chosen)], { env, ...quiet });
  await child.exited;
  expect(child.signalCode).toBe("SIGKILL");
}
const serve = () => Bun.spawn([process.execPath, MAIN, "serve", "--data", data], { env, ...quiet });
async function serveUntil(condition: () => unknown, signal: "SIGKILL" | "SIGTERM") {
  const server = serve();
  await eventually(condition, 120_000);
  server.kill(signal);
  await server.exited;
}
const requests = (prefix: string) => s3.passed.filter(({ path }) => path.startsWith(`/${BUCKET}/${prefix}/`));

test("a place applies wholly or not at all after kills, and the backups that wait are sent there", async () => {
  const platform = openPlatform({ config: loadConfig({ data_dir: data, env: {} }), clock: systemClock });
  platform.users.add({ email: "ada@example.org", plan: "autopilot", role: "owner", timezone: "UTC" });
  mkdirSync(join(data, "blobs"), { recursive: true });
  for (let i = 0; i < 3; i++) writeFileSync(join(data, "blobs", `filler-${i}`), randomBytes(10 * 1024 * 1024));
  mkdirSync(join(data, "backups"));
  await runBackup({ platform, version: "0.0.0", file: join(data, "backups", "a-full.age"), kept: true });
  platform.close();

  await choose(bucket("never"), "before the commit");
  expect(look(backupTarget)).toBeNull();
  expect(look(({ audit, users }) => audit.list(users.list()[0]!.id, { limit: 9, action: "backup.target" }))).toEqual(
    [],
  );

  await choose(bucket("first"), "after the commit");
  expect(look(backupTarget)?.text).toBe(`s3://${BUCKET}/first`);
  s3.disturb = ({ path }) => (path.includes("partNumber") ? { delayMs: 300 } : null);
  await serveUntil(() => requests("first").some(({ path }) => path.includes("partNumber")), "SIGKILL");
  expect(requests("never")).toEqual([]);

  // The upload to the first place was not complete, and is not continued there.
  await choose(bucket("second"), "after the commit");
  s3.disturb = () => null;
  const before = requests("first").length;
  await serveUntil(() => look(copyStatus)?.pending === 0, "SIGTERM");
  expect(requests("first")).toHaveLength(before);
  expect(look(copyStatus)).toMatchObject({ place: `s3://${BUCKET}/second`, copies: 1, error: null, warning: null });

  const commands = ["restore", `s3://${BUCKET}/second`, "--only-backups", "--data", join(folder, "elsewhere")];
  const restored = Bun.spawn([process.execPath, MAIN, ...commands, "--key-file", join(data, "keys/master.key")], {
    ...quiet,
    env: {
      ...env,
      POSTROOM_BACKUP_S3_ENDPOINT: s3.endpoint,
      POSTROOM_BACKUP_S3_ACCESS_KEY_ID: "S3RVER",
      POSTROOM_BACKUP_S3_SECRET_ACCESS_KEY: "S3RVER",
    },
  });
  expect(await restored.exited).toBe(0);
  expect(existsSync(join(folder, "elsewhere/postroom.db"))).toBe(true);
  expect(readdirSync(join(folder, "elsewhere/blobs"))).toHaveLength(3);
});
