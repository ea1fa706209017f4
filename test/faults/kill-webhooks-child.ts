/**
 * Makes events and delivers them until it is killed: the program's own path from a change to a receiver, on a fast
 * clock.
 */
import { openWebhooks } from "../../src/app/webhooks.ts";
import { createMailbox } from "../../src/mailbox/mailbox.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { openPlatform } from "../../src/platform/platform.ts";
import { fastClock } from "./fast-clock.ts";

const [data_dir, ca_file, epoch_ms, speed, everyMs] = process.argv.slice(2) as [string, string, string, string, string];
const clock = fastClock(Number(epoch_ms), Number(speed));
const flags = { "webhooks.allow": "127.0.0.1", "webhooks.ca_file": ca_file, "log.level": "error" };
const platform = openPlatform({ config: loadConfig({ data_dir, env: {}, flags }), clock });
const webhooks = openWebhooks(platform, createMailbox(platform));
const [user] = platform.users.list();

/** Writes a change and its event in one transaction: the next number, in a separate table of the test. */
function change(): void {
  platform.db.write(() => {
    const { n } = platform.db.sql.query<{ n: number }, []>("UPDATE changes_made SET n = n + 1 RETURNING n").get()!;
    platform.events.emit(user!.id, "draft.created", { draft_id: `drf_${n}`, thread_id: `thr_${n % 20}` });
  });
}

webhooks.deliverer.start();
if (Number(everyMs) > 0) setInterval(change, Number(everyMs));
setInterval(() => {}, 1_000);
console.log("ready");
