import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type FullDisk, fullDisk } from "../../../test/support/full-disk.ts";
import { createSendFixture, type SendFixture } from "../../../test/support/send-fixture.ts";
import { type ScriptedSmtp, startScriptedSmtp } from "../../../test/support/smtp-server.ts";
import { PartCache } from "../../platform/blobs/cache.ts";
import { systemClock } from "../../platform/clock.ts";
import { SmtpPool } from "../../wire/smtp/pool.ts";
import { FIND_JOB } from "./dispatch.ts";

/** A disk that is full at one commit of a dispatch, or from that commit on. Sending must continue without a restart. */
let fixture: SendFixture;
let disk: FullDisk;
let smtp: ScriptedSmtp;
let pool: SmtpPool;
beforeEach(async () => {
  fixture = createSendFixture();
  smtp = await startScriptedSmtp();
  // With the manual clock, a hanging SMTP session would end only after minutes.
  pool = new SmtpPool({ clock: systemClock });
  disk = fullDisk(fixture.h.platform.db.sql);
  fixture.dispatch((key, _login, message) => pool.submit(key, smtp.login, message));
});
afterEach(async () => {
  pool.close();
  fixture.h.close();
  await smtp.stop();
});

const MESSAGE = { to: ["maria@acme.example"], subject: "Lunch", body: "At one?", undo_window_s: 1 };

async function schedule(): Promise<string> {
  return (await fixture.send("/messages/send", MESSAGE)).json.send_id;
}

async function wait(seconds: number): Promise<void> {
  for (let s = 0; s < seconds; s++) await fixture.advance(1_000);
}

const states = () =>
  fixture.h.platform.db.sql.query("SELECT state FROM jobs WHERE kind IN ('dispatch', 'store-sent')").values().flat();

/** More than any dispatch commits. */
const MAX_COMMITS = 40;

/** Runs one send with a full disk from one commit to another. @returns the number of commits until there was space */
async function dispatchWithFullDisk(failing: {
  from: number;
  to: number;
}): Promise<{ send_id: string; asked: number }> {
  const send_id = await schedule();
  disk.watch(failing.from, failing.to);
  await wait(20);
  const { asked } = disk;
  disk.free();
  // Long enough for a second attempt after a refusal.
  await wait(420);
  return { send_id, asked };
}

describe.each([
  ["once", 1],
  ["from then on", Number.POSITIVE_INFINITY],
])("the disk is full %s", (_how, times) => {
  test("at any commit of a dispatch, the message is sent, stored and announced once", async () => {
    let n = 0;
    for (; n < MAX_COMMITS; n++) {
      const { send_id, asked } = await dispatchWithFullDisk({ from: n, to: n + times });
      const view = await fixture.view(send_id);
      expect([n, view.status, view.draft_id]).toEqual([n, "sent", null]);
      expect([n, smtp.accepted.length]).toEqual([n, n + 1]);
      expect([n, fixture.events("send.completed").length]).toEqual([n, n + 1]);
      expect([n, states().filter((state) => state !== "done")]).toEqual([n, []]);
      // The disk was never full, so all commits have been covered.
      if (asked <= n) break;
    }
    expect(n).toBeGreaterThan(3);
    expect(n).toBeLessThan(MAX_COMMITS);
    expect(await orphans()).toEqual([]);
  });

  test("at any commit after a refusal, it is retried, because the server certainly does not have it", async () => {
    for (let n = 0; n < MAX_COMMITS; n++) {
      smtp.faults.dot = ["451 4.3.0 try later"];
      const { send_id, asked } = await dispatchWithFullDisk({ from: n, to: n + times });
      const view = await fixture.view(send_id);
      expect([n, view.status]).toEqual([n, "sent"]);
      expect([n, smtp.accepted.length]).toEqual([n, n + 1]);
      expect(fixture.h.platform.jobs.nextDue([FIND_JOB])).toBeNull();
      if (asked <= n) break;
    }
  });

  test("at any commit after a permanent failure, it fails once and its draft is unlocked", async () => {
    for (let n = 0; n < MAX_COMMITS; n++) {
      smtp.faults.dot = ["550 5.7.1 no", "550 5.7.1 no"];
      const { send_id, asked } = await dispatchWithFullDisk({ from: n, to: n + times });
      delete smtp.faults.dot;
      const view = await fixture.view(send_id);
      expect([n, view.status, view.reason]).toEqual([n, "failed", "provider_rejected"]);
      expect([n, fixture.events("send.failed").length]).toEqual([n, n + 1]);
      if (asked <= n) break;
    }
    expect(smtp.accepted).toEqual([]);
  });
});

/** Returns sources on the disk that belong to no message. */
async function orphans(): Promise<string[]> {
  const { platform, user } = fixture.h;
  const parts = new PartCache(platform);
  const kept = new Set(
    [...fixture.mailbox.messageQueries.idsOf(user.id)].map((id) => parts.files.messageName(user.id, id)),
  );
  return [...parts.files.ofUser("blobs", user.id)].filter(({ message }) => !kept.has(message)).map(({ path }) => path);
}
