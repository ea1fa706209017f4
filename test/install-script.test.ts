import { afterAll, afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { RELEASE_KEY } from "../src/platform/update/release-key.ts";
import {
  createSigner,
  type ReleaseServer,
  scriptOf,
  serveReleases,
  serveTruncated,
  writeRelease,
} from "./support/release-fixture.ts";

/** install.sh, against a local server with good and bad releases. */

setDefaultTimeout(30_000);
const SCRIPT = resolve(import.meta.dir, "../install.sh");
const PROGRAMS =
  "cat chmod cp cut dd expr grep head id ldd ln mkdir mktemp mv od printf rm sed sh sha256sum sysctl tr uname wc".split(
    " ",
  );
const isLinux = process.platform === "linux";

const root = mkdtempSync(join(tmpdir(), "postroom-install-"));
const releases = join(root, "releases");
const signer = createSigner();
/** Folders with links to programs: a machine that lacks the others. */
const tools = (name: string, ...more: string[]) => {
  const folder = join(root, `tools-${name}`);
  if (existsSync(folder)) return folder;
  mkdirSync(folder);
  for (const program of [...PROGRAMS, ...more]) {
    const path = Bun.which(program);
    if (path) symlinkSync(path, join(folder, program));
  }
  return folder;
};

let home: string;
let server: ReleaseServer;
beforeEach(() => {
  home = mkdtempSync(join(root, "home-"));
  rmSync(releases, { recursive: true, force: true });
  server = serveReleases(releases);
});
afterEach(() => server.stop());
afterAll(() => rmSync(root, { recursive: true, force: true }));

const isRoot = process.getuid?.() === 0;

/** Runs the script. Root, as in a container, must name the folder that others get by default. */
async function install(args: string[], { path = process.env.PATH!, shell = "sh", prefix = true } = {}) {
  const more = isRoot && prefix && !args.includes("--prefix") ? ["--prefix", join(home, ".local")] : [];
  const child = Bun.spawn([Bun.which(shell)!, SCRIPT, ...args, ...more], {
    env: { HOME: home, PATH: path, TMPDIR: root },
    cwd: home,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, said: stdout + stderr };
}

const release = (version = "0.2.0", folder = releases) =>
  writeRelease(folder, signer, { version, executable: scriptOf(version) });
const installed = () => join(home, ".local/bin/postroom");
const key = ["--key", signer.publicKey];
const from = () => ["--url", server.url];

/** Nothing was installed, and nothing was left. */
function expectNothing(): void {
  const bin = join(home, ".local/bin");
  expect(existsSync(bin) ? readdirSync(bin) : []).toEqual([]);
}

const VERIFIERS = [
  ["minisign", ["minisign"]],
  ["openssl", ["openssl"]],
] as const;
const CAN = VERIFIERS.filter(([, [program]]) => Bun.which(program) !== null);
for (const [name] of VERIFIERS)
  if (!CAN.some(([one]) => one === name)) console.info(`skipped: ${name} is not installed`);

describe.each(CAN)("with %s", (verifier, programs) => {
  const path = () => tools(verifier, "curl", ...programs);
  const run = (...args: string[]) => install([...from(), ...key, ...args], { path: path() });

  test("a good release is verified and installed for this user, with a hint how to remove it", async () => {
    release();
    const { code, said } = await run("--require-signature");
    expect({ code, said }).toMatchObject({ code: 0 });
    expect(said).toContain(`The signature is correct (${verifier}).`);
    expect(said).toContain(`Uninstall: rm -f ${installed()}`);
    expect(said).toContain("is not in your PATH");
    expect(Bun.spawnSync([installed(), "version"]).stdout.toString()).toBe("postroom 0.2.0 (0123456789ab)\n");
    expect(statSync(installed()).mode & 0o777).toBe(0o755);
    expect(readdirSync(join(home, ".local/bin"))).toEqual(["postroom"]);
  });

  test("so is one that was signed without prehashing", async () => {
    writeRelease(releases, signer, { version: "0.2.0", executable: scriptOf("0.2.0"), legacy: true });
    expect(await run()).toMatchObject({ code: 0, said: expect.stringContaining("The signature is correct") });
  });

  test("a changed list, executable, comment or key is refused", async () => {
    const change = async (name: string, act: (text: string) => string, why: string) => {
      release();
      const file = join(releases, name);
      writeFileSync(file, act(readFileSync(file, "latin1")), "latin1");
      const { code, said } = await run();
      expect({ name, code, said }).toMatchObject({ code: 1, said: expect.stringContaining(why) });
      expectNothing();
    };
    const wrong = "the signature of the release is wrong";
    await change("SHA256SUMS", (text) => text.replace("0.2.0", "0.3.0"), wrong);
    await change("SHA256SUMS.minisig", (text) => text.replace("1700000000", "1800000000"), wrong);
    await change("SHA256SUMS.minisig", () => "not a signature\n", wrong);
    await change("SHA256SUMS.minisig", () => createSigner().sign(readFileSync(join(releases, "SHA256SUMS"))), wrong);
    for (const target of readdirSync(releases).filter((name) => name.startsWith("postroom-"))) {
      if (!target.startsWith(`postroom-${process.platform}-`)) continue;
      release();
      writeFileSync(join(releases, target), scriptOf("0.2.0", "evil) ;;"));
    }
    expect(await run()).toMatchObject({ code: 1, said: expect.stringContaining("does not have the checksum") });
    expectNothing();
  });

  test("a release without a signature is refused: someone may have removed it", async () => {
    release();
    rmSync(join(releases, "SHA256SUMS.minisig"));
    expect(await run()).toMatchObject({ code: 1, said: expect.stringContaining("has no signature (status 404)") });
    expectNothing();
  });
});

describe("without a way to verify signatures", () => {
  const path = () => tools("plain", "curl");

  test("the checksum is verified, and the script says what was not", async () => {
    release();
    rmSync(join(releases, "SHA256SUMS.minisig"));
    const { code, said } = await install([...from(), ...key], { path: path() });
    expect(code).toBe(0);
    expect(said).toContain("NOT VERIFIED: the signature of the release, because neither minisign nor OpenSSL 3 is");
    expect(existsSync(installed())).toBe(true);
  });

  test("so it is without a key", async () => {
    release();
    const { code, said } = await install(from());
    expect({ code, said }).toMatchObject({ code: 0, said: expect.stringContaining("because there is no public key") });
  });

  test("--require-signature installs nothing", async () => {
    release();
    for (const args of [[...from(), ...key], from()]) {
      const { code, said } = await install([...args, "--require-signature"], { path: path() });
      expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining("cannot be verified") });
    }
    expectNothing();
  });

  test("an http:// address of another machine requires the signature", async () => {
    const { code, said } = await install(["--url", "http://releases.invalid/x"], { path: path() });
    expect({ code, said }).toMatchObject({ code: 1 });
    expect(said).not.toContain("NOT VERIFIED");
  });
});

test("a truncated download is refused, whether or not the server admits it", async () => {
  release();
  for (const name of readdirSync(releases).filter((one) => one.startsWith("postroom-"))) {
    server.answers.set(name, () => new Response(new Uint8Array(scriptOf("0.2.0").subarray(0, 40))));
  }
  expect(await install([...from(), ...key])).toMatchObject({
    code: 1,
    said: expect.stringContaining("damaged or incomplete"),
  });
  expectNothing();
  const cut = serveTruncated(Buffer.from("abc"), 1000);
  try {
    const { code, said } = await install(["--url", cut.url, ...key]);
    expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining("there is no release at") });
  } finally {
    cut.stop();
  }
  expectNothing();
});

test("an executable that does not start, or is another version, is not installed", async () => {
  writeRelease(releases, signer, { version: "0.2.0", executable: Buffer.from("#!/bin/sh\nexit 3\n") });
  expect(await install([...from(), ...key])).toMatchObject({
    code: 1,
    said: expect.stringContaining("does not start"),
  });
  writeRelease(releases, signer, { version: "0.2.0", executable: scriptOf("0.1.0") });
  expect(await install([...from(), ...key])).toMatchObject({
    code: 1,
    said: expect.stringContaining("instead of version 0.2.0"),
  });
  expectNothing();
});

test("a dry run verifies and changes nothing", async () => {
  release();
  const { code, said } = await install([...from(), ...key, "--dry-run"]);
  expect({ code, said }).toMatchObject({ code: 0, said: expect.stringContaining("Would install version 0.2.0 for") });
  expect(existsSync(join(home, ".local"))).toBe(false);
  expect(server.requests).toEqual(["/SHA256SUMS", "/SHA256SUMS.minisig"]);
  expect(readdirSync(root).filter((name) => name.startsWith("tmp."))).toEqual([]);
});

test("--version selects the folder of a release on GitHub, and refuses another version elsewhere", async () => {
  release("0.2.1", join(releases, "o/r/releases/latest/download"));
  release("0.2.0", join(releases, "o/r/releases/download/v0.2.0"));
  const latest = ["--url", `${server.url}/o/r/releases/latest/download`, ...key];
  expect(await install([...latest, "--dry-run"])).toMatchObject({ said: expect.stringContaining("version 0.2.1") });
  expect(await install([...latest, "--version", "v0.2.0", "--dry-run"])).toMatchObject({
    code: 0,
    said: expect.stringContaining("version 0.2.0"),
  });
  release("0.2.1");
  expect(await install([...from(), ...key, "--version", "0.2.0"])).toMatchObject({
    code: 1,
    said: expect.stringContaining("the release is version 0.2.1, not 0.2.0"),
  });
});

test("an installed executable is kept as postroom.previous", async () => {
  release("0.2.0");
  await install([...from(), ...key]);
  release("0.2.1");
  expect(await install([...from(), ...key])).toMatchObject({ code: 0 });
  const version = (path: string) => Bun.spawnSync([path, "version"]).stdout.toString();
  expect(version(installed())).toStartWith("postroom 0.2.1 ");
  expect(version(`${installed()}.previous`)).toStartWith("postroom 0.2.0 ");
});

test.skipIf(!Bun.which("wget"))("works with wget instead of curl", async () => {
  release();
  const { code, said } = await install([...from(), ...key], { path: tools("wget", "wget", "openssl") });
  expect({ code, said }).toMatchObject({ code: 0, said: expect.stringContaining("The signature is correct") });
});

test.skipIf(!isRoot)("root must name a prefix", async () => {
  release();
  const { code, said } = await install([...from(), ...key], { prefix: false });
  expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining("this is root") });
  expect(server.requests).toEqual([]);
});

test.skipIf(!isRoot || !Bun.which("setpriv"))("another user installs into the own home without a prefix", async () => {
  release();
  for (const path of [root, home]) chmodSync(path, 0o777);
  const script = join(root, "install.sh");
  writeFileSync(script, readFileSync(SCRIPT), { mode: 0o755 });
  const command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "sh", script, ...from(), ...key];
  const child = Bun.spawn(command, { env: { HOME: home, PATH: process.env.PATH! }, cwd: "/", stderr: "pipe" });
  const said = await new Response(child.stderr).text();
  expect({ code: await child.exited, said }).toMatchObject({ code: 0 });
  expect(statSync(installed()).uid).toBe(65_534);
});

test("wrong arguments are refused", async () => {
  const said = async (...args: string[]) => (await install(args)).said;
  expect(await said()).toContain("there is no address for releases");
  expect(await said("--url", "ftp://example.org")).toContain("is not an https:// address");
  expect(await said("--url", server.url, "--version", "1;2")).toContain("is not a version");
  expect(await said("--frobnicate")).toContain("unknown option --frobnicate");
  expect((await install(["--url"], { prefix: false })).said).toContain("--url needs a value");
  expect(await said("--help")).toContain("Usage: sh install.sh");
});

test("a script that broke off does nothing", () => {
  const text = readFileSync(SCRIPT, "utf8");
  const last = text.lastIndexOf("main");
  for (const length of [Math.floor(text.length / 3), Math.floor(text.length / 2), last]) {
    const { stdout, stderr } = Bun.spawnSync({
      cmd: ["sh"],
      stdin: Buffer.from(text.slice(0, length)),
      env: { HOME: home },
    });
    expect(stdout.toString()).toBe("");
    expect(stderr.toString()).not.toContain("Download");
  }
  expectNothing();
});

test("has the key of the program", () => {
  expect(/^default_key='(.*)'$/m.exec(readFileSync(SCRIPT, "utf8"))![1]).toBe(RELEASE_KEY ?? "");
});

const SHELLCHECK = Bun.which("shellcheck");
if (!SHELLCHECK) console.info("skipped: install.sh and dev are not linted (shellcheck is not installed)");
test.skipIf(!SHELLCHECK)("ShellCheck has no remarks", () => {
  const { stdout } = Bun.spawnSync([SHELLCHECK!, "--shell=sh", SCRIPT]);
  expect(stdout.toString()).toBe("");
});

test.skipIf(!isLinux || !Bun.which("dash"))("runs in dash", async () => {
  release();
  expect(await install([...from(), ...key], { shell: "dash" })).toMatchObject({ code: 0 });
});
