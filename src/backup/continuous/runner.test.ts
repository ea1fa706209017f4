import { afterAll, afterEach, beforeAll, beforeEach, expect, spyOn, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../../../test/support/eventually.ts";
import { type S3Server, startS3 } from "../../../test/support/s3-server.ts";
import { systemClock } from "../../platform/clock.ts";
import { loadConfig, withValues } from "../../platform/config/load.ts";
import { createLog } from "../../platform/log.ts";
import { PageTracker } from "../../platform/pages/page-tracker.ts";
import { openPlatform, type Platform } from "../../platform/platform.ts";
import { systemSteadyClock } from "../../platform/steady-clock.ts";
import { HeldView } from "../lease/held.ts";
import { STOP_MS } from "../lease/timing.ts";
import { LogRunner } from "./runner.ts";
import { copyingState } from "./state.ts";

let s3: S3Server;
let data_dir: string;
let platform: Platform;
let runner: LogRunner;

beforeAll(async () => {
  s3 = await startS3();
});
afterAll(() => s3.close());

beforeEach(() => {
  data_dir = mkdtempSync(join(tmpdir(), "postroom-runner-"));
  const { bucket, endpoint, region, access_key_id, secret_access_key } = s3.options("");
  const config = withValues(loadConfig({ data_dir, env: {} }), {
    "backup.to": `s3://${bucket}/${randomBytes(4).toString("hex")}`,
    "backup.s3.endpoint": endpoint,
    "backup.s3.region": region,
    "backup.s3.access_key_id": access_key_id,
    "backup.s3.secret_access_key": secret_access_key,
    "backup.s3.path_style": true,
  });
  const log = createLog({ level: "error", format: "text", clock: systemClock, write: () => {} });
  platform = openPlatform({ config, clock: systemClock, log });
  const { buffer: held } = new HeldView(systemSteadyClock);
  const session = randomBytes(16).toString("hex");
  runner = new LogRunner({ platform, steady: systemSteadyClock, session, held, post: () => {} });
});
afterEach(() => {
  s3.disturb = () => null;
  platform.close();
  rmSync(data_dir, { recursive: true });
});

const isLog = (path: string) => path.includes("/log/");

test("a store that does not answer does not delay a stop", async () => {
  let waiting = 0;
  s3.disturb = ({ method, path }) => {
    if (method !== "PUT" || !isLog(path)) return null;
    waiting++;
    return { delayMs: 30_000 };
  };
  runner.start();
  await eventually(() => waiting > 0, 20_000);
  const from = performance.now();
  await runner.stop(false);
  expect(performance.now() - from).toBeLessThan(STOP_MS);
}, 60_000);

test("a database that is busy when the lease is taken is copied later", async () => {
  const open = spyOn(PageTracker, "open").mockImplementationOnce(() => {
    throw new Error("The database is busy.");
  });
  try {
    runner.start();
    await eventually(() => copyingState(platform)?.last != null, 20_000);
    expect(open.mock.calls.length).toBe(2);
  } finally {
    open.mockRestore();
    await runner.stop(true);
  }
}, 60_000);

test("while no one looks for changes, they are said to wait since then, and not since the start", async () => {
  runner.start();
  await eventually(
    () => copyingState(platform)?.last != null && copyingState(platform)?.pending_since === null,
    20_000,
  );
  const last = copyingState(platform)!.last!;
  await runner.stop(false);
  expect(copyingState(platform)!.pending_since).toBeGreaterThanOrEqual(last);
}, 60_000);
