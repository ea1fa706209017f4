/**
 * The whole program on a disk that fills up: runs with a data folder on a separate small file system, and prints its
 * observations as JSON.
 */
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "../support/eventually.ts";
import { startScript } from "../support/imap-script.ts";
import { mailText } from "../support/mail-text.ts";
import { install, one, serve } from "../support/served-program.ts";
import { startScriptedSmtp } from "../support/smtp-server.ts";

const BEFORE = 5;
const MEANWHILE = 40;
const JSON_TYPE = { "Content-Type": "application/json" };

const disk = process.argv[2]!;
const imap = await startScript();
const smtp = await startScriptedSmtp();
for (let i = 1; i <= BEFORE; i++) imap.add("INBOX", { raw: mailText({ id: `before${i}`, text: `before ${i}` }) });
const { key, account_id } = install(disk, imap.port, smtp.port);
const server = await serve(disk);
const seen: Record<string, unknown> = {};
try {
  await run();
} catch (error) {
  seen.failure = `${error}\n${server.log().slice(-(Number(process.env.LOG_TAIL) || 3_000))}`;
  server.kill();
}
console.log(JSON.stringify(seen));
process.exit(0);

async function run(): Promise<void> {
  await eventually(() => stored() === BEFORE, 30_000);
  await eventually(() => server.log().includes("sandbox mailbox ready"), 60_000);
  const [thread] = ((await (await server.fetch("/threads", key)).json()) as { data: { id: string }[] }).data;
  seen.before = (await star(thread!.id, true)).status;

  fill(join(disk, "ballast"));
  // Small writes may still fit into SQLite's free pages; large ones do not.
  const refused = await eventually(async () => {
    const answer = await draft("too much");
    return answer.status === 507 ? answer : null;
  }, 30_000);
  seen.refused = ((await refused!.json()) as { error: { code: string } }).error.code;
  seen.reading = (await server.fetch("/threads", key)).status;
  seen.ready = (await fetch(`${server.url}/readyz`)).status;
  seen.metrics = (await fetch(`${server.url}/metrics`)).status;
  for (let i = 1; i <= MEANWHILE; i++) {
    imap.add("INBOX", { raw: mailText({ id: `while${i}`, text: noise(20_000) }) });
  }
  await eventually(() => server.log().includes("mailbox not synced"), 60_000);
  seen.storedWhileFull = stored() < BEFORE + MEANWHILE;

  rmSync(join(disk, "ballast"));
  await eventually(async () => (await draft("enough room")).status === 200, 60_000);
  await eventually(() => stored() === BEFORE + MEANWHILE, 120_000);
  await eventually(async () => (await account()).status === "active" && (await account()).last_error === null, 60_000);
  seen.stored = stored();
  seen.after = (await star(thread!.id, false)).status;
  const mail = { to: ["bob@mail.test"], subject: "After", body: "There is room again.", undo_window_s: 0 };
  const headers = { ...JSON_TYPE, "Idempotency-Key": "after" };
  seen.sent = (
    await server.fetch("/messages/send", key, { method: "POST", headers, body: JSON.stringify(mail) })
  ).status;
  await eventually(() => smtp.accepted.length === 1, 30_000);
  seen.check = one<{ quick_check: string }>(disk, "PRAGMA quick_check").quick_check;
  seen.code = (await server.stop()).code;
}

function stored(): number {
  return one<{ n: number }>(disk, "SELECT count(*) AS n FROM messages WHERE account_id = ?", account_id).n;
}

function star(id: string, starred: boolean): Promise<Response> {
  return server.fetch(`/threads/${id}`, key, {
    method: "PATCH",
    headers: JSON_TYPE,
    body: JSON.stringify({ starred }),
  });
}

function draft(subject: string): Promise<Response> {
  const body = JSON.stringify({ subject, body: noise(100_000) });
  return server.fetch("/drafts", key, { method: "POST", headers: JSON_TYPE, body });
}

/** Text that cannot be compressed. */
function noise(bytes: number): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(Math.min(bytes, 65_536)))).toString("hex");
}

async function account(): Promise<{ last_error: string | null; status: string }> {
  const answer = await server.fetch("/accounts", key);
  return ((await answer.json()) as { data: { last_error: string | null; status: string }[] }).data[0]!;
}

/** Writes until nothing more fits. */
function fill(path: string): void {
  const file = openSync(path, "w");
  for (let bytes = 1 << 20; bytes >= 1; bytes >>= 1) {
    const block = new Uint8Array(bytes).fill(1);
    while (fits(file, block));
  }
  closeSync(file);
}

function fits(file: number, block: Uint8Array): boolean {
  try {
    return writeSync(file, block) === block.length;
  } catch (error) {
    if ((error as { code?: unknown }).code === "ENOSPC") return false;
    throw error;
  }
}
