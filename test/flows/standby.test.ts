import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DOVECOT, type Dovecot, startDovecot } from "../support/dovecot.ts";
import { eventually } from "../support/eventually.ts";
import { type S3Server, startS3 } from "../support/s3-server.ts";
import { type Installed, install, type Served, serve } from "../support/served-program.ts";
import { type ScriptedSmtp, startScriptedSmtp } from "../support/smtp-server.ts";

/** The real program: a primary is killed or stopped, its standby takes over, and nothing is lost or sent twice. */
setDefaultTimeout(400_000);

const MAIN = join(import.meta.dir, "../../src/main.ts");
const PLACE = "s3://postroom-test/home";

let folder: string;
let s3: S3Server;
let smtp: ScriptedSmtp;
let dovecot: Dovecot;
let env: Record<string, string>;
const running: { kill(): void }[] = [];

beforeAll(async () => {
  if (!DOVECOT) return console.info("skipped: a standby that takes over (Dovecot is not installed)");
  folder = mkdtempSync(join(tmpdir(), "postroom-standby-"));
  [s3, smtp, dovecot] = await Promise.all([startS3(), startScriptedSmtp(), startDovecot()]);
  env = {
    PATH: process.env.PATH ?? "",
    HOME: folder,
    POSTROOM_BACKUP_S3_ENDPOINT: s3.endpoint,
    POSTROOM_BACKUP_S3_ACCESS_KEY_ID: "S3RVER",
    POSTROOM_BACKUP_S3_SECRET_ACCESS_KEY: "S3RVER",
  };
});
afterAll(async () => {
  for (const process of running) process.kill();
  await Promise.all([smtp?.stop(), dovecot?.stop(), s3?.close()]);
  if (folder) rmSync(folder, { recursive: true, force: true });
});

/** Settings in the data folder, which come along. */
const settings = (standby: boolean, prefix = "home") => `[backup]
to = "s3://postroom-test/${prefix}"
standby = ${standby}
[backup.s3]
endpoint = "${s3.endpoint}"
access_key_id = "S3RVER"
secret_access_key = "S3RVER"
`;

async function start(data: string): Promise<Served> {
  const served = await serve(data);
  running.push(served);
  return served;
}

async function postroom(...args: string[]): Promise<{ code: number; out: string; err: string; ms: number }> {
  const at = performance.now();
  const child = Bun.spawn([process.execPath, MAIN, ...args], { env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, out, err, ms: performance.now() - at };
}

function follow(data: string, key: string) {
  const args = ["standby", "--from", PLACE, "--data", data, "--key-file", key];
  const child = Bun.spawn([process.execPath, MAIN, ...args], {
    env,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  running.push(child);
  return child;
}

const copied = (data: string) => {
  try {
    return JSON.parse(readFileSync(join(data, "run/copying.json"), "utf8")) as {
      pending_since: number | null;
      last: number | null;
      lease: string;
    };
  } catch {
    return null;
  }
};
/** Waits until everything is in the store, at most the promised 10 s and what the machine takes for a turn. */
const allCopied = async (data: string, changedAt = 1) => {
  const from = Date.now();
  await eventually(() => {
    const state = copied(data);
    return state?.pending_since === null && (state.last ?? 0) >= changedAt && Date.now() - from > 1_500;
  }, 15_000);
};
const acts = (served: Served) => eventually(async () => (await fetch(`${served.url}/readyz`)).status === 200, 60_000);
const followed = async (data: string, at: number) =>
  eventually(async () => {
    const { code, out } = await postroom("status", "--json", "--data", data);
    return code === 0 && Date.parse(JSON.parse(out).checked_at) > at;
  }, 60_000);

// biome-ignore lint/suspicious/noExplicitAny: a test reads answers of every shape
async function call(served: Served, { key }: Installed, method: string, path: string, body?: object): Promise<any> {
  const headers: Record<string, string> = { "Idempotency-Key": crypto.randomUUID() };
  if (body) headers["Content-Type"] = "application/json";
  const response = await served.fetch(path, key, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  const text = await response.text();
  return { status: response.status, ...(text.startsWith("{") ? JSON.parse(text) : {}) };
}

const mail = (subject: string) =>
  dovecot.deliver(
    "alice",
    `From: Bob <bob@example.org>\r\nTo: alice@mail.test\r\nSubject: ${subject}\r\n\r\nHello.\r\n`,
  );
const subjects = async (served: Served, of: Installed): Promise<string[]> =>
  (await call(served, of, "GET", "/threads?limit=100")).data.map(({ subject }: { subject: string }) => subject).sort();
const send = async (
  served: Served,
  of: Installed,
  subject: string,
  undo_window_s: number,
  more = {},
): Promise<string> => {
  const sent = await call(served, of, "POST", "/messages/send", {
    ...{ to: ["carol@example.org"], subject, body: "Hello.", undo_window_s, ...more },
  });
  expect(sent.send_id).toBeString();
  return sent.send_id;
};
const leftFor = (subject: string) => smtp.accepted.filter(({ raw }) => raw.includes(`Subject: ${subject}`)).length;
const statusOf = async (served: Served, of: Installed, id: string): Promise<string> =>
  (await call(served, of, "GET", `/sends/${id}`)).status;

test.skipIf(!DOVECOT)(
  "after a kill, a standby takes over with everything, and the old primary does not act",
  async () => {
    const [first, second] = [join(folder, "first"), join(folder, "second")];
    const of = install(first, dovecot.imapPort, smtp.login.port);
    writeFileSync(join(first, "postroom.toml"), settings(true));
    const primary = await start(first);
    await acts(primary);
    const key = join(first, "keys/master.key");
    follow(second, key);

    for (let i = 0; i < 5; i++) await mail(`Letter ${i}`);
    await eventually(async () => (await subjects(primary, of)).length === 5, 30_000);
    const label = await call(primary, of, "POST", "/labels", { name: "Kept" });
    const [thread] = (await call(primary, of, "GET", "/threads?limit=1")).data;
    await call(primary, of, "PATCH", `/threads/${thread.id}`, { starred: true });
    const sent = await send(primary, of, "Before the failover", 0);
    await eventually(async () => (await statusOf(primary, of, sent)) === "sent", 30_000);
    // Due while no one acts.
    const changedAt = Date.now();
    const due = await send(primary, of, "Due in between", 20);
    const before = await call(primary, of, "GET", "/threads?limit=100");
    await allCopied(first, changedAt);
    await followed(second, Date.now());
    primary.kill();

    const refused = await postroom("serve", "--data", second, "--port", "0");
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("is a standby") });
    const promoted = await postroom("promote", "--data", second, "--key-file", key, "--json");
    expect(promoted).toMatchObject({ code: 0 });
    expect(promoted.ms).toBeLessThan(60_000);
    expect(JSON.parse(promoted.out)).toMatchObject({ custody: "file", doubted: 1 });

    const next = await start(second);
    await acts(next);
    const after = await call(next, of, "GET", "/threads?limit=100");
    expect(after.data).toEqual(before.data);
    expect((await call(next, of, "GET", "/labels")).data).toContainEqual(expect.objectContaining({ id: label.id }));
    expect(await statusOf(next, of, sent)).toBe("sent");
    await mail("After the failover");
    await eventually(async () => (await subjects(next, of)).includes("After the failover"), 30_000);
    const later = await send(next, of, "After the failover", 0);
    await eventually(() => leftFor("After the failover") === 1, 30_000);
    expect(later).not.toBe(sent);

    // The old primary comes back.
    const old = await start(first);
    expect((await fetch(`${old.url}/readyz`)).status).toBe(503);
    const refusal = await call(old, of, "POST", "/labels", { name: "Too late" });
    expect(refusal).toMatchObject({ error: { code: "server_paused" } });
    expect(copied(first)).toMatchObject({ lease: "taken_over" });
    await mail("Only for the new one");
    await eventually(async () => (await subjects(next, of)).includes("Only for the new one"), 30_000);
    expect(await subjects(old, of)).not.toContain("Only for the new one");
    const doctor = await postroom("doctor", "--offline", "--data", first);
    expect(doctor.out).toMatch(/continuous copy +FAULT .* has been the primary since/);
    await old.stop();

    // What was due may have left before the kill, so it is looked for, and not sent again.
    await eventually(async () => {
      const { reason } = await call(next, of, "GET", `/sends/${due}`);
      return reason === "delivery_unknown";
    }, 150_000);
    expect(leftFor("Due in between")).toBe(0);
    expect(leftFor("Before the failover")).toBe(1);

    // The old primary becomes a standby, and takes over from a server that was stopped.
    renameSync(first, join(folder, "old"));
    const third = join(folder, "third");
    follow(third, join(second, "keys/master.key"));
    await followed(third, Date.now());
    const scheduled_at = new Date(Date.now() + 3_600_000).toISOString();
    const last = await send(next, of, "Due after the stop", 0, { scheduled_at });
    await next.stop();
    const back = await postroom("promote", "--data", third, "--key-file", join(second, "keys/master.key"), "--json");
    expect(back).toMatchObject({ code: 0 });
    expect(back.ms).toBeLessThan(10_000);
    const again = await start(third);
    await acts(again);
    expect((await subjects(again, of)).includes("Only for the new one")).toBe(true);
    expect(await statusOf(again, of, last)).toBe("scheduled");
  },
);

test.skipIf(!DOVECOT)("a primary that cannot reach the store pauses in time, and acts again when it can", async () => {
  const data = join(folder, "cut-off");
  const of = install(data, dovecot.imapPort, smtp.login.port);
  writeFileSync(join(data, "postroom.toml"), settings(true, "cut-off"));
  const served = await start(data);
  await acts(served);
  await allCopied(data);
  const prefix = "/postroom-test/cut-off";
  s3.disturb = ({ path }) => (path.startsWith(prefix) ? "cut" : null);
  const from = performance.now();
  // While the lease lasts, mail is accepted, but does not leave: no other machine would know of it.
  const id = await send(served, of, "While the store is away", 0);
  await eventually(async () => (await fetch(`${served.url}/readyz`)).status === 503, 40_000);
  const stoppedMs = performance.now() - from;
  expect(stoppedMs).toBeGreaterThan(5_000);
  // 20 s after the last renewal, and at most 5 s to stop everything.
  expect(stoppedMs).toBeLessThan(25_000);
  expect(await call(served, of, "POST", "/labels", { name: "Refused" })).toMatchObject({
    error: { code: "server_paused" },
  });
  expect((await call(served, of, "GET", "/threads")).data).toBeArray();
  await mail("While it was paused");
  await Bun.sleep(3_000);
  expect(await subjects(served, of)).not.toContain("While it was paused");
  expect(leftFor("While the store is away")).toBe(0);
  s3.disturb = () => null;
  await acts(served);
  await eventually(async () => (await subjects(served, of)).includes("While it was paused"), 30_000);
  await eventually(async () => (await statusOf(served, of, id)) === "sent", 60_000);
  expect(leftFor("While the store is away")).toBe(1);
  await served.stop();
});
