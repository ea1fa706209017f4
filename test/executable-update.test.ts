import { Database } from "bun:sqlite";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import manifest from "../package.json" with { type: "json" };
import { eventually } from "./support/eventually.ts";
import {
  createSigner,
  type ReleaseServer,
  type Signer,
  scriptOf,
  serveReleases,
  writeRelease,
} from "./support/release-fixture.ts";

/** `postroom update` with built executables: this version, and one that calls itself newer. */

setDefaultTimeout(120_000);
const ROOT = resolve(import.meta.dir, "..");
const NEWER = "99.0.0";
const THIS = manifest.version;
const root = mkdtempSync(join(tmpdir(), "postroom-update-"));
const built = (version: string) => join(root, version, "postroom");
const isRoot = process.getuid?.() === 0;
const RUNSV = Bun.which("runsv");
if (!RUNSV) console.info("skipped: updates of a supervised server (runit is not installed)");

let home: string;
let data: string;
let executable: string;
let signer: Signer;
let server: ReleaseServer;
let served: string;

async function run(command: string[], env: Record<string, string> = {}) {
  const child = Bun.spawn(command, {
    cwd: home ?? root,
    env: { HOME: home ?? root, PATH: process.env.PATH!, ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: 110_000,
  });
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, said: stdout + stderr };
}

/** Runs a command of the installed executable. */
const postroom = (...args: string[]) =>
  run([executable, ...args, ...(args[0] === "version" ? [] : ["--data", data])], {
    POSTROOM_UPDATE_URL: server.url,
    POSTROOM_UPDATE_PUBLIC_KEY: signer.publicKey,
  });
const versionOf = async (path: string) => (await run([path, "version"])).said.split(" ")[1];

/** Makes the release folder that of a version. */
function publish(version: string, content: Uint8Array | string): void {
  rmSync(join(root, "release"), { recursive: true, force: true });
  writeRelease(join(root, "release"), signer, { version, executable: content });
  if (typeof content === "string") served = content;
}

beforeAll(async () => {
  for (const version of [THIS, NEWER]) {
    const env = { HOME: process.env.HOME ?? root };
    const args = ["build", "--outfile", built(version), "--version", version];
    const child = Bun.spawn([join(ROOT, "dev"), ...args], {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stderr: "pipe",
    });
    const said = await new Response(child.stderr).text();
    if ((await child.exited) !== 0) throw new Error(`./dev build failed: ${said}`);
  }
}, 300_000);
afterAll(() => rmSync(root, { recursive: true, force: true }));

beforeEach(async () => {
  home = mkdtempSync(join(root, "h-"));
  data = join(home, "data");
  mkdirSync(join(home, "bin"));
  executable = join(home, "bin", "postroom");
  linkSync(built(THIS), executable);
  signer = createSigner();
  server = serveReleases(join(root, "release"), () => served);
  publish(NEWER, built(NEWER));
});
afterEach(async () => {
  await server.stop();
  rmSync(home, { recursive: true, force: true });
});

/** A data folder after its first start. */
async function firstStart(): Promise<void> {
  const first = Bun.spawn([executable, "serve", "--data", data, "--port", "0"], {
    env: { HOME: home, PATH: process.env.PATH! },
    stdout: "ignore",
    stderr: "pipe",
  });
  const log = new Response(first.stderr).text();
  await eventually(async () => (await postroom("status")).code === 0, 60_000);
  first.kill();
  await first.exited;
  await log;
}

const rowsOf = (sql: string) => {
  const db = new Database(join(data, "postroom.db"), { readonly: true });
  try {
    return db.query(sql).all() as Record<string, unknown>[];
  } finally {
    db.close();
  }
};

describe("without a running server", () => {
  beforeEach(firstStart);

  test("a check shows the newer version, and every request is recorded", async () => {
    expect(await postroom("update", "--requests")).toMatchObject({ said: "This command has made no requests.\n" });
    expect(await postroom("update", "--check")).toEqual({
      code: 0,
      said: `Version ${NEWER} is available. This is version ${THIS}.\n`,
    });
    const { said } = await postroom("update", "--requests", "--json");
    expect(JSON.parse(said)).toMatchObject([
      { file: "SHA256SUMS", host: new URL(server.url).host, result: "200" },
      { file: "SHA256SUMS.minisig", result: "200" },
    ]);
    expect(await versionOf(executable)).toBe(THIS);
  });

  test("an update backs up and swaps the executable; --rollback returns to the earlier one", async () => {
    const { code, said } = await postroom("update");
    expect({ code, said }).toMatchObject({ code: 0, said: expect.stringContaining("No server is running.") });
    expect(await versionOf(executable)).toBe(NEWER);
    expect(await versionOf(`${executable}.previous`)).toBe(THIS);
    expect(readdirSync(join(home, "bin")).sort()).toEqual(["postroom", "postroom.previous"]);
    const [backup] = readdirSync(join(data, "backups"));
    const verified = await run([
      executable,
      "restore",
      "--verify",
      join(data, "backups", backup!),
      "--key-file",
      join(data, "keys/master.key"),
    ]);
    expect(verified).toMatchObject({ code: 0 });
    expect(await postroom("update")).toMatchObject({ code: 0, said: `This is the newest version, ${NEWER}.\n` });
    expect(await postroom("update", "--rollback")).toMatchObject({ code: 0 });
    expect(await versionOf(executable)).toBe(THIS);
    expect(await postroom("update", "--rollback")).toMatchObject({
      code: 1,
      said: expect.stringContaining("no update to undo"),
    });
    expect(rowsOf("SELECT action FROM audit WHERE action LIKE 'program.%' ORDER BY id")).toEqual([
      { action: "program.update" },
      { action: "program.rollback" },
    ]);
  });

  test("a database that the newer version has upgraded is put back only on request", async () => {
    expect(await postroom("update", "--no-backup")).toMatchObject({ code: 0 });
    upgradeDatabase(data);
    const earlier = join(home, "bin/postroom.previous");
    for (const path of [executable, earlier]) {
      const asked = await run([path, "update", "--rollback", "--data", data]);
      expect(asked).toMatchObject({ code: 1, said: expect.stringContaining("add --restore-database") });
    }
    const back = await run([earlier, "update", "--rollback", "--restore-database", "--data", data]);
    expect(back).toMatchObject({ code: 0, said: expect.stringContaining("The database of the newer version is in") });
    expect(await versionOf(executable)).toBe(THIS);
    expect(await postroom("user", "list")).toMatchObject({ code: 0 });
    expect(rowsOf("SELECT name FROM migrations WHERE name LIKE '9%'")).toEqual([]);
    expect(readdirSync(join(data, "upgrades")).filter((name) => name.startsWith("9999_"))).toHaveLength(1);
  });

  test("a release that is older, changed, foreign or does not work is refused, and nothing changes", async () => {
    const refused = async (why: string, ...more: string[]) => {
      const { code, said } = await postroom("update", ...more);
      expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining(why) });
      expect(readdirSync(join(home, "bin"))).toEqual(["postroom"]);
    };
    publish("0.0.1", scriptOf("0.0.1"));
    await refused("older than this version");
    publish(NEWER, scriptOf(NEWER));
    for (const name of readdirSync(join(root, "release")).filter((one) => one.startsWith("postroom-"))) {
      writeFileSync(join(root, "release", name), scriptOf(NEWER, "evil) ;;"));
    }
    await refused("does not have the signed checksum");
    publish(NEWER, scriptOf("98.0.0"));
    await refused("instead of version 99.0.0");
    publish(
      NEWER,
      Buffer.from("#!/bin/sh\n[ $1 = version ] && echo 'postroom 99.0.0 (x)' && exit; echo broken >&2; exit 1\n"),
    );
    await refused("does not work on this machine: broken");
    writeFileSync(join(root, "release/SHA256SUMS"), "");
    await refused("The signature of the release is wrong");
    const foreign = createSigner();
    const env = { POSTROOM_UPDATE_URL: server.url, POSTROOM_UPDATE_PUBLIC_KEY: foreign.publicKey };
    expect((await run([executable, "update", "--data", data], env)).said).toContain("was signed with key");
    const none = { POSTROOM_UPDATE_URL: server.url };
    expect((await run([executable, "update", "--check", "--data", data], none)).said).toContain("no key to verify");
    expect((await run([executable, "update", "--check", "--data", data])).said).toContain("Set update.url");
    publish("0.0.1", scriptOf("0.0.1"));
    expect(await postroom("update", "--allow-downgrade", "--no-backup")).toMatchObject({ code: 0 });
  });

  test.skipIf(!isRoot)("root updates an installation of another user, whose files stay that user's", async () => {
    const OWNER = 65_534;
    for (const path of [root, home, join(home, "bin")]) chmodSync(path, 0o755);
    for (const name of ["", ...(readdirSync(data, { recursive: true }) as string[])])
      chownSync(join(data, name), OWNER, OWNER);
    const { code, said } = await postroom("update");
    expect({ code, said }).toMatchObject({ code: 0 });
    expect(statSync(executable).uid).toBe(0);
    expect(await versionOf(executable)).toBe(NEWER);
    const foreign = (readdirSync(data, { recursive: true }) as string[]).filter(
      (name) => statSync(join(data, name)).uid !== OWNER,
    );
    expect(foreign).toEqual([]);
  });
});

/** Does to the database what a newer version with another migration does. */
function upgradeDatabase(folder: string): void {
  const result = Bun.spawnSync([process.execPath, join(import.meta.dir, "support/upgrade-database.ts"), folder]);
  if (result.exitCode !== 0) throw new Error(result.stderr.toString());
}

describe.skipIf(!RUNSV)("of a server under runit", () => {
  let supervisor: Bun.Subprocess;
  let service: string;

  beforeEach(async () => {
    service = join(home, "service");
    mkdirSync(service);
    const script = `#!/bin/sh\nexec ${executable} serve --data ${data} --port 0 >>${home}/log 2>&1\n`;
    writeFileSync(join(service, "run"), script, { mode: 0o755 });
    supervisor = Bun.spawn([RUNSV!, service], { env: { PATH: process.env.PATH! }, stdout: "ignore", stderr: "ignore" });
    await eventually(async () => (await status()).version === THIS, 60_000);
  });
  afterEach(async () => {
    await run(["sv", "-w", "20", "force-shutdown", service]);
    supervisor.kill();
    await supervisor.exited;
  });

  const status = async () =>
    JSON.parse((await postroom("status", "--json")).said.split("\n")[0]!) as { version: string; pid: number };

  test("the update restarts it into the new version, and --rollback into the earlier one", async () => {
    const before = await status();
    const { code, said } = await postroom("update");
    expect({ code, said }).toMatchObject({
      code: 0,
      said: expect.stringContaining("was restarted and is ready (runit"),
    });
    const after = await status();
    expect([after.version, after.pid === before.pid]).toEqual([NEWER, false]);
    expect(await postroom("update", "--rollback")).toMatchObject({ code: 0 });
    expect((await status()).version).toBe(THIS);
  });

  test("a new version that does not start is undone, with the database that it has upgraded", async () => {
    const upgrade = join(import.meta.dir, "support/upgrade-database.ts");
    publish(NEWER, scriptOf(NEWER, `serve) ${process.execPath} ${upgrade} ${data}; exit 1 ;;`));
    const { code, said } = await postroom("update", "--wait", "15");
    expect({ code, said }).toMatchObject({ code: 1 });
    expect(said).toContain(`Version ${NEWER} did not become ready: `);
    expect(said).toContain(`Version ${THIS} is in place again. The server was restarted and is ready.`);
    expect((await status()).version).toBe(THIS);
    expect(rowsOf("SELECT name FROM migrations WHERE name LIKE '9%'")).toEqual([]);
    expect(existsSync(join(data, "upgrades", "last-update.json"))).toBe(false);
    expect(readFileSync(join(home, "log"), "utf8")).toContain("sandbox mailbox ready");
  });
});

test("a server without a supervisor keeps running, and the command says what to do", async () => {
  await firstStart();
  const running = Bun.spawn([executable, "serve", "--data", data, "--port", "0"], {
    env: { HOME: home, PATH: process.env.PATH! },
    stdout: "ignore",
    stderr: "ignore",
  });
  try {
    await eventually(async () => (await postroom("status")).code === 0, 60_000);
    const { code, said } = await postroom("update", "--no-backup");
    expect({ code, said }).toMatchObject({
      code: 0,
      said: expect.stringContaining(`stop it with 'kill ${running.pid}'`),
    });
    expect((await postroom("status")).said).toContain(`postroom ${THIS} `);
    const back = await postroom("update", "--rollback", "--restart", "exit 3");
    expect(back).toMatchObject({ code: 0, said: expect.stringContaining("failed with exit code 3") });
    const refused = await postroom("update", "--no-backup", "--restart", "exit 3");
    expect(refused).toMatchObject({ code: 0, said: expect.stringContaining(`still runs version ${THIS}`) });
    expect(await versionOf(executable)).toBe(NEWER);
  } finally {
    running.kill();
    await running.exited;
  }
});
