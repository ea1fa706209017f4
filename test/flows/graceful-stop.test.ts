import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EMBED_JOB } from "../../src/ml/semantic/backfill.ts";
import { FIND_JOB } from "../../src/outbound/sends/dispatch.ts";
import { eventually } from "../support/eventually.ts";
import { startScript } from "../support/imap-script.ts";
import { mailText } from "../support/mail-text.ts";
import { install, one, serve } from "../support/served-program.ts";
import { startScriptedSmtp } from "../support/smtp-server.ts";

setDefaultTimeout(120_000);

/** The promises of docs/operations.md about stopping, from the signal to the end of the process. */
const PROMISE_MS = 5_000;
const data_dir = mkdtempSync(join(tmpdir(), "postroom-stop-"));
const cleanups: (() => unknown)[] = [() => rmSync(data_dir, { recursive: true, force: true })];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const count = (account_id: string) =>
  one<{ n: number }>(data_dir, "SELECT count(*) AS n FROM messages WHERE account_id = ?", account_id).n;

test("SIGTERM stops the program within five seconds while no peer answers, and nothing is lost or done twice", async () => {
  const imap = await startScript();
  const smtp = await startScriptedSmtp();
  cleanups.push(
    () => imap.close(),
    () => smtp.stop(),
  );
  for (let i = 1; i <= 5; i++) imap.add("INBOX", { raw: mailText({ id: `m${i}`, text: `message ${i}` }) });
  const { key, testKey, account_id } = install(data_dir, imap.port, smtp.port);
  const first = await serve(data_dir);
  cleanups.push(first.kill);
  const get = first.fetch;

  // The first sync is over; from now on the IMAP server accepts every command and answers none.
  const phase = () =>
    one<{ phase: string }>(data_dir, "SELECT sync_phase AS phase FROM accounts WHERE id = ?", account_id).phase;
  await eventually(() => phase() === "live", 20_000);
  expect(count(account_id)).toBe(5);
  let silenced = 0;
  imap.answer = () => {
    silenced++;
    return "";
  };
  // The SMTP server has the whole message and does not answer.
  smtp.faults.dot = ["silent"];
  const mail = { account_id, to: ["bob@mail.test"], subject: "Hello", body: "Are you there?", undo_window_s: 0 };
  const sent = await get("/messages/send", key, {
    method: "POST",
    headers: { "Content-Type": "application/json", "Idempotency-Key": "k1" },
    body: JSON.stringify(mail),
  });
  expect(sent.status).toBe(200);
  const { send_id } = (await sent.json()) as { send_id: string };
  await eventually(
    () =>
      one<{ at: number | null }>(data_dir, "SELECT handed_over_at AS at FROM sends WHERE id = ?", send_id).at !== null,
    20_000,
  );
  // A client listens to events, and the sample mail is being embedded.
  const stream = await get("/events", testKey, { headers: { Accept: "text/event-stream" } });
  expect(stream.headers.get("content-type")).toContain("text/event-stream");
  const ended = stream.text().then(
    () => "ended",
    () => "cut",
  );
  await eventually(() => silenced > 0, 20_000);
  await eventually(
    () => one(data_dir, "SELECT 1 FROM jobs WHERE kind = ? AND state = 'running'", EMBED_JOB) !== null,
    60_000,
  );

  const { code, ms } = await first.stop();
  console.info(`stopped in ${Math.round(ms)} ms`);
  expect({ code, soon: ms < PROMISE_MS }).toEqual({ code: 0, soon: true });
  // On a busy machine the process may end before the stream's last bytes are out.
  expect(["ended", "cut"]).toContain(await ended);
  expect(one<{ quick_check: string }>(data_dir, "PRAGMA quick_check").quick_check).toBe("ok");

  // The next start finds everything unchanged: the lock is free, all mail is there, and the message is not sent again.
  imap.answer = () => null;
  const second = await serve(data_dir);
  cleanups.push(second.kill);
  // Whether it arrived is unknown: the program searches for it in the mailbox and does not submit it again.
  await eventually(() => one(data_dir, "SELECT 1 FROM jobs WHERE kind = ?", FIND_JOB) !== null, 20_000);
  expect(smtp.commands.filter((line) => line.startsWith("MAIL FROM"))).toHaveLength(1);
  expect(count(account_id)).toBe(5);
  const quiet = await second.stop();
  expect({ code: quiet.code, soon: quiet.ms < PROMISE_MS }).toEqual({ code: 0, soon: true });
});

test("SIGTERM during the start stops the program, too, and the next start resumes from there", async () => {
  const imap = await startScript();
  const smtp = await startScriptedSmtp();
  cleanups.push(
    () => imap.close(),
    () => smtp.stop(),
  );
  const folder = mkdtempSync(join(tmpdir(), "postroom-stop-early-"));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  install(folder, imap.port, smtp.port);
  // The program listens before the sandbox is filled, which takes seconds.
  const first = await serve(folder);
  cleanups.push(first.kill);
  const { code, ms } = await first.stop();
  expect({ code, soon: ms < PROMISE_MS }).toEqual({ code: 0, soon: true });
  const second = await serve(folder);
  cleanups.push(second.kill);
  // On a fast machine the first start was complete before the signal arrived.
  await eventually(() => `${first.log()}${second.log()}`.includes("sandbox mailbox ready"), 60_000);
  expect(one<{ quick_check: string }>(folder, "PRAGMA quick_check").quick_check).toBe("ok");
});
