import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createMailbox } from "../../src/mailbox/mailbox.ts";
import { createOutbound } from "../../src/outbound/outbound.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { SYSTEM_ACTOR } from "../../src/platform/ledger/audit.ts";
import { openPlatform } from "../../src/platform/platform.ts";
import { mountDisk } from "../faults/disk-full.ts";
import { eventually } from "../support/eventually.ts";
import { install, one, serve } from "../support/served-program.ts";
import { deadPort } from "../support/smtp-server.ts";

setDefaultTimeout(120_000);

/** Enough space to start, but not for the jobs of all sends. */
const LEFT_BYTES = 1_500_000;
const SENDS = 6_000;
const DAY_MS = 86_400_000;

const disk = mountDisk();
afterAll(() => disk?.remove());
if (!disk) console.info("skipped: a start on a full disk (only root can mount a small file system here)");

test.skipIf(!disk)(
  "a start without space for the next jobs serves, and runs them when space is available",
  async () => {
    const data_dir = join(disk!.path, "data");
    mkdirSync(data_dir, { mode: 0o700 });
    const port = await deadPort();
    const { key } = install(data_dir, port, port);
    planSends(data_dir);
    const free = disk!.fill(LEFT_BYTES);
    const server = await serve(data_dir);
    try {
      await eventually(() => server.log().includes("scheduled work could not be queued"), 30_000);
      expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
      expect((await server.fetch("/threads", key)).status).toBe(200);
      free();
      await eventually(() => dispatches(data_dir) === SENDS, 60_000);
      expect((await server.stop()).code).toBe(0);
    } finally {
      server.kill();
    }
  },
);

/** Creates sends that are due on a later day and have lost their jobs. */
function planSends(data_dir: string): void {
  const platform = openPlatform({ config: loadConfig({ data_dir, env: {} }), clock: systemClock });
  const user = platform.users.list()[0]!;
  const by = { user_id: user.id, account_id: null, actor: SYSTEM_ACTOR, request_id: null };
  const sender = { ...by, key: { id: "key_full", created_at: 0 }, user };
  const message = { to: ["bob@example.net"], subject: "Later", body: "Later." };
  const scheduled_at = platform.clock.now() + DAY_MS;
  const { scheduler } = createOutbound(platform, createMailbox(platform));
  const { id } = scheduler.sendNow(sender, message, { undo_window_s: 0, scheduled_at });
  const { sql } = platform.db;
  const columns = sql
    .query<{ name: string }, []>("SELECT name FROM pragma_table_info('sends')")
    .all()
    .map(({ name }) => name);
  // Only the first one could be sent.
  const values = columns.map((name) => (name === "id" ? "'snd_' || value" : name));
  sql
    .query(
      `WITH RECURSIVE series(value) AS (SELECT 2 UNION ALL SELECT value + 1 FROM series WHERE value < ?)
       INSERT INTO sends (${columns.join()}) SELECT ${values.join()} FROM sends, series WHERE sends.id = ?`,
    )
    .run(SENDS, id);
  sql.run("DELETE FROM jobs WHERE kind = 'dispatch'");
  platform.close();
}

function dispatches(data_dir: string): number {
  return one<{ n: number }>(data_dir, "SELECT count(*) AS n FROM jobs WHERE kind = 'dispatch'").n;
}
