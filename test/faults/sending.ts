import { createDispatcher } from "../../src/app/sending.ts";
import { createMailbox, type Mailbox } from "../../src/mailbox/mailbox.ts";
import { createOutbound, type Outbound } from "../../src/outbound/outbound.ts";
import { FIND_JOB, SETTLE_JOB, STORE_JOB } from "../../src/outbound/sends/dispatch.ts";
import { DISPATCH_JOB } from "../../src/outbound/sends/store.ts";
import { loadConfig, withValues } from "../../src/platform/config/load.ts";
import type { ConfigValues } from "../../src/platform/config/table.ts";
import { type JobHandler, JobRunner } from "../../src/platform/jobs/runner.ts";
import { openPlatform, type Platform } from "../../src/platform/platform.ts";
import { SmtpPool } from "../../src/wire/smtp/pool.ts";
import type { SmtpLogin } from "../../src/wire/smtp/verify.ts";
import { fastClock } from "./fast-clock.ts";
import { senderOf } from "./kill-send.ts";

const SPEED = 1_200;

/** A mailbox that sends, on a clock on which a minute's wait for a retry is 50 ms. */
export interface Sending {
  platform: Platform;
  mailbox: Mailbox;
  outbound: Outbound;
  runner: JobRunner;
  /** Sends to two people. @returns the send's id */
  send(subject: string): string;
  /** The send failed, or is sent and stored. */
  hasEnded(send_id: string): boolean;
  close(): Promise<void>;
}

export interface SendingOptions {
  data_dir: string;
  /** The submission server. */
  smtp: SmtpLogin;
  /** PEM of a further authority. */
  ca: string | null;
  config?: Partial<ConfigValues>;
}

export function openSending({ data_dir, smtp, ca, config: more = {} }: SendingOptions): Sending {
  const clock = fastClock(Date.now(), SPEED);
  const config = withValues(loadConfig({ data_dir, env: {} }), { "log.level": "error", ...more });
  const platform = openPlatform({ config, clock });
  const user = platform.users.add({ email: "owner@localhost", plan: "autopilot", role: "owner", timezone: "UTC" });
  const mailbox = createMailbox(platform);
  const { host, port, security, username, password } = smtp;
  const server = { host, port, security };
  mailbox.accounts.add({
    user_id: user.id,
    provider: "imap",
    email: "alice@mail.test",
    connection: { imap: { ...server, port: 1 }, smtp: server, username, password },
  });
  const outbound = createOutbound(platform, mailbox);
  const real = { now: () => Date.now(), after: fastClock(0, 1).after };
  const timeouts = { connectMs: 400, envelopeMs: 400, contentMs: 400 };
  const pool = new SmtpPool({ clock: real, timeouts, ca });
  const dispatcher = createDispatcher(platform, mailbox, outbound, pool);
  /** There is no IMAP server to check: what may have arrived stays unknown. */
  const nothingThere: JobHandler = {
    concurrency: 1,
    run: async ({ payload, user_id }) => {
      const { send_id } = payload as { send_id: string };
      platform.jobs.enqueue({ kind: SETTLE_JOB, user_id: user_id!, payload: { send_id, found: false } });
      return { outcome: "done" };
    },
  };
  const runner = new JobRunner(platform.jobs, clock, platform.log, {
    [DISPATCH_JOB]: dispatcher.handler,
    [SETTLE_JOB]: dispatcher.settleHandler,
    [STORE_JOB]: dispatcher.storeHandler,
    [FIND_JOB]: nothingThere,
  });
  runner.start();
  return {
    platform,
    mailbox,
    outbound,
    runner,
    send: (subject) =>
      outbound.scheduler.sendNow(
        senderOf(platform),
        { to: ["r@one.example", "s@two.example"], subject, body: "word ".repeat(400) },
        { undo_window_s: 0 },
      ).id,
    hasEnded(id) {
      const send = outbound.sends.get(id)!;
      return send.status === "failed" || (send.status === "sent" && send.message_id !== null);
    },
    async close() {
      await runner.stop();
      pool.close();
      platform.close();
    },
  };
}
