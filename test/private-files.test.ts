import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "./support/eventually.ts";

setDefaultTimeout(120_000);

/** What another user of the machine can read of the files that commands and the server create, under any umask. */

const MAIN = join(import.meta.dir, "../src/main.ts");
const ROOT = process.getuid?.() === 0;
const OTHER_USER = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
const CAN_SWITCH = ROOT && Bun.which("setpriv") !== null;
let folder: string;
let data: string;

/** Runs a shell line with this umask in a separate folder. */
async function sh(umask: string, line: string, env: Record<string, string> = {}) {
  const child = Bun.spawn(["sh", "-c", `umask ${umask}; ${line}`], {
    cwd: folder,
    env: {
      HOME: folder,
      PATH: process.env.PATH ?? "",
      POSTROOM_DATA: data,
      POSTROOM: `${process.execPath} ${MAIN}`,
      ...env,
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, out, err };
}

/** Returns every path below the folder that other users may use by its own mode. */
function openIn(root: string): string[] {
  return ["", ...readdirSync(root, { recursive: true }).map(String)]
    .map((name) => join(root, name))
    .filter((path) => {
      // A running server deletes temporary files between the listing and this look.
      const file = lstatSync(path, { throwIfNoEntry: false });
      return file !== undefined && !file.isSymbolicLink() && (file.mode & 0o077) !== 0;
    });
}

function openEverything(root: string): void {
  for (const name of readdirSync(root, { recursive: true }).map(String)) {
    const path = join(root, name);
    if (lstatSync(path).isDirectory()) chmodSync(path, 0o755);
    else chmodSync(path, 0o644);
  }
  chmodSync(root, 0o755);
}

beforeAll(() => {
  // Others may reach the data folder, but nothing in it.
  folder = mkdtempSync(join(tmpdir(), "postroom-files-"));
  chmodSync(folder, 0o755);
  data = join(folder, "data");
  mkdirSync(data);
  chmodSync(data, 0o755);
  writeFileSync(join(folder, "passphrase"), "correct horse battery\n");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(["022", "000"])("a command started with umask %s leaves nothing that others can read", async (umask) => {
  const done = await sh(umask, `$POSTROOM user add u${umask}@example.org`);
  expect(done).toMatchObject({ code: 0 });
  expect(openIn(data)).toEqual([]);
});

test("the next command closes what an earlier version left open", async () => {
  openEverything(data);
  for (const name of ["postroom.db-wal", "postroom.db-shm"]) {
    const path = join(data, name);
    if (!existsSync(path)) continue;
    chmodSync(path, 0o644);
  }
  expect((await sh("022", "$POSTROOM user list")).code).toBe(0);
  expect(openIn(data)).toEqual([]);
});

test("a server closes a folder that it finds open, and keeps private what it creates while it runs", async () => {
  openEverything(data);
  const server = Bun.spawn(["sh", "-c", `umask 000; exec ${process.execPath} ${MAIN} serve --port 0`], {
    cwd: folder,
    env: { HOME: folder, PATH: process.env.PATH ?? "", POSTROOM_DATA: data },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  try {
    await eventually(() => existsSync(join(data, "run", "control.sock")), 60_000);
    await eventually(() => existsSync(join(data, "postroom.db-wal")), 10_000);
    await eventually(() => openIn(data).length === 0, 10_000).catch(() => {});
    expect(openIn(data)).toEqual([]);
    if (CAN_SWITCH) {
      for (const name of ["postroom.db", "postroom.db-wal", "run/control.sock"]) {
        const { exitCode } = Bun.spawnSync([...OTHER_USER, "cat", join(data, name)], { stderr: "ignore" });
        expect({ name, read: exitCode === 0 }).toEqual({ name, read: false });
      }
    }
  } finally {
    server.kill("SIGTERM");
    await server.exited;
  }
  expect(openIn(data)).toEqual([]);
});

test("backups, exports and restored folders are private in any location", async () => {
  mkdirSync(join(folder, "out"));
  chmodSync(join(folder, "out"), 0o755);
  const env = { POSTROOM_BACKUP_PASSPHRASE: "correct horse battery staple" };
  const backup = await sh("000", "$POSTROOM backup out/all.backup", env);
  expect(backup).toMatchObject({ code: 0 });
  expect((await sh("000", "$POSTROOM user export u022@example.org out/person.tar")).code).toBe(0);
  mkdirSync(join(folder, "restored"));
  chmodSync(join(folder, "restored"), 0o755);
  const restored = await sh(
    "000",
    "$POSTROOM restore out/all.backup --key-file data/keys/master.key --data restored",
    env,
  );
  expect(restored).toMatchObject({ code: 0 });
  expect(openIn(join(folder, "restored"))).toEqual([]);
  expect(openIn(join(folder, "out"))).toEqual([join(folder, "out")]);
});

test.skipIf(!CAN_SWITCH)(
  "a folder that another user owns is served, and the log says what others may read",
  async () => {
    const shared = join(folder, "shared");
    mkdirSync(shared);
    chmodSync(shared, 0o777);
    const home = join(folder, "home");
    mkdirSync(home);
    chmodSync(home, 0o777);
    const server = Bun.spawn([...OTHER_USER, process.execPath, MAIN, "serve", "--port", "0"], {
      cwd: home,
      env: { HOME: home, PATH: process.env.PATH ?? "", POSTROOM_DATA: shared },
      stdin: "ignore",
      stdout: "ignore",
      stderr: "pipe",
    });
    let log = "";
    const reading = (async () => {
      for await (const chunk of server.stderr) log += new TextDecoder().decode(chunk);
    })();
    try {
      await eventually(() => log.includes("listening"), 60_000);
      expect(log.match(/other users of this machine can read/g)).toHaveLength(1);
      expect(openIn(shared)).toEqual([shared]);
    } finally {
      server.kill("SIGTERM");
      await server.exited;
      await reading;
    }
  },
);
