/** Dispatches what is due in a data folder until it is killed: the program's own dispatch, on a fast clock. */
import { createDispatcher } from "../../src/app/sending.ts";
import { createMailbox } from "../../src/mailbox/mailbox.ts";
import { createOutbound } from "../../src/outbound/outbound.ts";
import { FIND_JOB, SETTLE_JOB } from "../../src/outbound/sends/dispatch.ts";
import { DISPATCH_JOB } from "../../src/outbound/sends/store.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { type JobHandler, JobRunner } from "../../src/platform/jobs/runner.ts";
import { openPlatform } from "../../src/platform/platform.ts";
import { SmtpPool } from "../../src/wire/smtp/pool.ts";
import { fastClock } from "./fast-clock.ts";

const [data_dir, epoch_ms, speed] = process.argv.slice(2) as [string, string, string];
const clock = fastClock(Number(epoch_ms), Number(speed));
const platform = openPlatform({ config: loadConfig({ data_dir, env: { POSTROOM_LOG_LEVEL: "error" } }), clock });
const mailbox = createMailbox(platform);
// Unscaled timeouts, because everything outside the process is not faster than usual.
const real = { now: () => Date.now(), after: fastClock(0, 1).after };
const timeouts = { connectMs: 400, envelopeMs: 400, contentMs: 400 };
const smtp = new SmtpPool({ clock: real, timeouts });
const dispatcher = createDispatcher(platform, mailbox, createOutbound(platform, mailbox), smtp);

/** This mailbox has no IMAP server: what may have arrived stays unknown. */
const nothingThere: JobHandler = {
  concurrency: 1,
  run: async ({ payload, user_id }) => {
    const { send_id } = payload as { send_id: string };
    platform.jobs.enqueue({ kind: SETTLE_JOB, user_id: user_id!, payload: { send_id, found: false } });
    return { outcome: "done" };
  },
};

dispatcher.resume();
new JobRunner(platform.jobs, clock, platform.log, {
  [DISPATCH_JOB]: dispatcher.handler,
  [SETTLE_JOB]: dispatcher.settleHandler,
  [FIND_JOB]: nothingThere,
}).start();
console.log("ready");
