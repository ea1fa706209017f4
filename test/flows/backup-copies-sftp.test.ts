import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runBackup } from "../../src/backup/run.ts";
import { createMailbox } from "../../src/mailbox/mailbox.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { openPlatform } from "../../src/platform/platform.ts";
import { eventually } from "../support/eventually.ts";
import { seedMailbox } from "../support/seed-mail.ts";
import { type SftpServer, SSHD, startSftp } from "../support/sftp-server.ts";

/** The real program sends a backup to OpenSSH's server, is killed meanwhile, and what is there is restored. */
setDefaultTimeout(240_000);

/** POSTROOM_EXECUTABLE: the executable to test instead of the source. */
const PROGRAM = process.env.POSTROOM_EXECUTABLE
  ? [process.env.POSTROOM_EXECUTABLE]
  : [process.execPath, join(import.meta.dir, "../../src/main.ts")];

describe.skipIf(!SSHD)("a place over SSH", () => {
  const folder = mkdtempSync(join(tmpdir(), "postroom-copies-sftp-"));
  const data = join(folder, "data");
  const key = ["--key-file", join(data, "keys/master.key")];
  let server: SftpServer;
  let place: string;
  let env: Record<string, string>;

  beforeAll(async () => {
    server = await startSftp();
    server.options("home");
    place = server.place("home");
    writeFileSync(join(folder, "id"), server.key, { mode: 0o600 });
    env = {
      HOME: folder,
      PATH: process.env.PATH ?? "",
      POSTROOM_BACKUP_SFTP_KEY_FILE: join(folder, "id"),
      POSTROOM_HTTP_PORT: "0",
    };
  });
  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function postroom(...args: string[]): Promise<{ code: number; out: string; err: string }> {
    const child = Bun.spawn([...PROGRAM, ...args], { env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
    const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    return { code: await child.exited, out, err };
  }

  const rowsOf = (path: string, query: string) => {
    const db = new Database(join(path, "postroom.db"), { readonly: true });
    try {
      return db.query(query).all();
    } finally {
      db.close();
    }
  };
  const content = (path: string) =>
    ["users", "accounts", "threads", "messages", "bodies", "labels"].map((table) =>
      rowsOf(path, `SELECT * FROM ${table} ORDER BY rowid`),
    );
  const objects = () => {
    const path = join(server.root, "home/objects");
    return existsSync(path) ? readdirSync(path).map((name) => ({ name, bytes: statSync(join(path, name)).size })) : [];
  };

  test("shows the fingerprint first, survives kills during an upload, and a restore elsewhere equals the source", async () => {
    const platform = openPlatform({ config: loadConfig({ data_dir: data, env: {} }), clock: systemClock });
    const user = platform.users.add({ email: "ada@example.org", plan: "autopilot", role: "owner", timezone: "UTC" });
    const seeded = seedMailbox(platform, user.id, { mailbox: createMailbox(platform) });
    for (let i = 0; i < 5; i++) seeded.deliver({ subject: `Invoice ${i}`, text: `Number ${i}.\n` });
    // Files make the backup large enough for several parts.
    mkdirSync(join(data, "blobs"), { recursive: true });
    for (let i = 0; i < 4; i++) writeFileSync(join(data, "blobs", `filler-${i}`), randomBytes(10 * 1024 * 1024));
    mkdirSync(join(data, "backups"));
    const file = join(data, "backups", "postroom-2026-11-20T02-30-00-full.age");
    await runBackup({ platform, version: "0.0.0", file, kept: true });
    const source = content(data);
    platform.close();

    const first = await postroom("restore", place, "--verify", ...key);
    const shown = /SHA256:[A-Za-z0-9+/]{43}/.exec(first.err)?.[0];
    expect(first).toMatchObject({
      code: 1,
      err: expect.stringContaining("set the host key (backup.sftp.host_key) to it"),
    });
    expect(shown).toBe(server.fingerprints.ed25519);
    env.POSTROOM_BACKUP_SFTP_HOST_KEY = shown!;

    const serve = () =>
      Bun.spawn([...PROGRAM, "serve", "--data", data], {
        env: { ...env, POSTROOM_BACKUP_TO: place },
        stdin: "ignore",
        stdout: "ignore",
        stderr: "ignore",
      });
    const complete = () => objects().some(({ name }) => /^[0-9a-f]{32}$/.test(name));
    for (let kill = 1; kill <= 3 && !complete(); kill++) {
      const before = objects().reduce((sum, { bytes }) => sum + bytes, 0);
      const child = serve();
      await eventually(() => objects().reduce((sum, { bytes }) => sum + bytes, 0) > before || complete(), 60_000);
      child.kill("SIGKILL");
      await child.exited;
      const found = await postroom("restore", place, "--verify", ...key);
      if (found.code !== 0) expect(found.err).toContain("has no backups");
    }
    const last = serve();
    const pending = "SELECT 1 FROM jobs WHERE kind = 'backup-copy' AND state <> 'done'";
    await eventually(() => complete() && rowsOf(data, pending).length === 0, 120_000);
    last.kill("SIGTERM");
    await last.exited;

    const verified = await postroom("restore", place, "--only-backups", "--verify", ...key);
    expect(verified).toMatchObject({ code: 0, out: expect.stringContaining("is intact: full backup of") });
    const elsewhere = join(folder, "elsewhere");
    const restored = await postroom("restore", place, "--only-backups", "--data", elsewhere, ...key);
    expect(restored).toMatchObject({ code: 0, err: expect.stringContaining(`the newest of 1 in ${place}`) });
    expect(content(elsewhere)).toEqual(source);
    const calls = rowsOf(data, "SELECT DISTINCT host FROM store_egress") as { host: string }[];
    expect(calls).toEqual([{ host: `127.0.0.1:${server.port}` }]);
  });

  test("a server that is away is named, after all attempts", async () => {
    const away = place.replace(/:\d+\//, ":1/");
    const found = await postroom("restore", away, "--verify", ...key);
    expect(found).toMatchObject({ code: 1, err: expect.stringContaining("nothing is listening at this address") });
    const incomplete = await postroom("restore", "sftp://nas.lan/x", "--verify", ...key);
    expect(incomplete.err).toContain("is not a place of backups. Name it like s3://BUCKET/PREFIX or sftp://USER@HOST");
  });
});
