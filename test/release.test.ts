import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import manifest from "../package.json" with { type: "json" };
import { eventually } from "./support/eventually.ts";
import { killInside } from "./support/kill-inside.ts";

/**
 * `./dev release` in a clone of this project, for two targets. It builds twice and compares; then the Debian package is
 * installed and the container image is run, as far as a machine without Docker allows.
 */

const ROOT = resolve(import.meta.dir, "..");
const { version } = manifest;
const MINISIGN = Bun.which("minisign");
const SKOPEO = Bun.which("skopeo");
const QEMU = Bun.which("qemu-aarch64");
const canRelease =
  Bun.which("apt-get") !== null &&
  Bun.which("dpkg-deb") !== null &&
  existsSync(join(ROOT, ".git")) &&
  MINISIGN !== null;
if (!canRelease) console.info("skipped: releases (they need a git checkout, Debian's tools and minisign)");
/** Root may have separate mounts here, and so install packages in a layer above this system that is dropped afterwards. */
const canIsolate =
  process.getuid?.() === 0 &&
  process.arch === "x64" &&
  Bun.spawnSync(["unshare", "--mount", "--pid", "--fork", "true"]).exitCode === 0;
if (!canIsolate) console.info("skipped: installing the package and running the image (needs root and unshare on x64)");
if (!SKOPEO) console.info("skipped: reading the image with skopeo, which is not installed");

const folder = mkdtempSync(join(tmpdir(), "postroom-released-"));
const clone = join(folder, "clone");
const out = join(folder, "out");
const deb = `postroom_${version}_amd64.deb`;

async function run(command: string[], options: { cwd?: string; env?: Record<string, string>; input?: string } = {}) {
  const child = Bun.spawn(command, {
    cwd: options.cwd ?? folder,
    env: { ...process.env, ...options.env },
    stdin: Buffer.from(options.input ?? ""),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, stdout, stderr };
}

async function succeed(...args: Parameters<typeof run>): Promise<string> {
  const { code, stdout, stderr } = await run(...args);
  if (code !== 0) throw new Error(`${args[0].join(" ")} failed:\n${stdout}${stderr}`);
  return stdout + stderr;
}

const release = (...args: string[]) => run([join(clone, "dev"), "release", ...args], { cwd: clone });

/** Commits the files of this project, as they are now, in a new repository. */
async function makeClone(): Promise<void> {
  const listed = await succeed(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: ROOT });
  for (const name of new Set(listed.split("\0").filter((one) => one !== "" && existsSync(join(ROOT, one))))) {
    mkdirSync(dirname(join(clone, name)), { recursive: true });
    cpSync(join(ROOT, name), join(clone, name));
  }
  symlinkSync(join(ROOT, "node_modules"), join(clone, "node_modules"));
  mkdirSync(join(clone, ".cache"), { recursive: true });
  for (const name of ["bun", "debian"]) {
    mkdirSync(join(ROOT, ".cache", name), { recursive: true });
    symlinkSync(join(ROOT, ".cache", name), join(clone, ".cache", name));
  }
  const git = (...args: string[]) =>
    succeed(["git", "-c", "user.name=t", "-c", "user.email=t@example.org", ...args], { cwd: clone });
  await git("init", "-q");
  await git("add", "-A");
  await git("commit", "-qm", "Release");
}

describe.skipIf(!canRelease)("./dev release", () => {
  let output = "";

  beforeAll(async () => {
    await makeClone();
    await succeed([MINISIGN!, "-G", "-W", "-p", "key.pub", "-s", "key"]);
    const targets = ["--targets", "linux-x64-baseline,linux-arm64"];
    const made = await release(version, "--key", join(folder, "key"), "--out", out, ...targets);
    if (made.code !== 0) throw new Error(made.stdout + made.stderr);
    output = made.stdout + made.stderr;
  }, 1_800_000);

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("refuses another version and a changed tree, and says why", async () => {
    const other = await release("9.9.9");
    expect([other.code, other.stderr]).toEqual([
      1,
      expect.stringContaining(`cannot make the release: package.json has version ${version}, not 9.9.9`),
    ]);
    await Bun.write(join(clone, "src/new.ts"), "");
    const dirty = await release(version);
    expect([dirty.code, dirty.stderr]).toEqual([1, expect.stringContaining("not as in the last commit: src/new.ts.")]);
    rmSync(join(clone, "src/new.ts"));
  }, 60_000);

  test("builds twice with the same result, and lists every file with size and hash", () => {
    expect(output).toContain("both builds are equal, byte for byte");
    const names = readdirSync(out).sort();
    expect(names).toEqual(
      [
        `CHANGELOG-${version}.md`,
        "install.sh",
        "SHA256SUMS",
        "SHA256SUMS.minisig",
        ...["amd64", "arm64"].map((architecture) => `postroom-${version}-oci-${architecture}.tar`),
        ...["linux-arm64", "linux-x64-baseline"].flatMap((target) => [
          `postroom-${target}`,
          `postroom-${target}.cdx.json`,
        ]),
        ...["amd64", "arm64"].map((architecture) => `postroom_${version}_${architecture}.deb`),
        `postroom-client-${version}.tgz`,
        `postroom_client-${version}-py3-none-any.whl`,
        `postroom_client-${version}.tar.gz`,
        "release.json",
      ].sort(),
    );
    const { files } = JSON.parse(readFileSync(join(out, "release.json"), "utf8")) as {
      files: { name: string; bytes: number }[];
    };
    for (const { name, bytes } of files) {
      expect(Bun.file(join(out, name)).size).toBe(bytes);
      expect(output).toMatch(new RegExp(`^${RegExp.escape(name)} +${bytes}  [0-9a-f]{64}$`, "m"));
    }
  });

  test("minisign and sha256sum verify all files", async () => {
    const verified = await succeed([MINISIGN!, "-V", "-H", "-m", "SHA256SUMS", "-p", join(folder, "key.pub")], {
      cwd: out,
    });
    expect(verified).toContain(`version:${version}`);
    await succeed(["sha256sum", "--quiet", "--strict", "-c", "SHA256SUMS"], { cwd: out });
    const listed = readFileSync(join(out, "SHA256SUMS"), "utf8").trim().split("\n");
    expect(listed.map((line) => line.split("  ")[1]!).sort()).toEqual(
      readdirSync(out)
        .filter((name) => !name.startsWith("SHA256SUMS"))
        .sort(),
    );
  });

  test.skipIf(!canIsolate)(
    "Debian installs the package, its unit is valid, its program serves as the new user, and removal keeps the mail",
    async () => {
      const script = `
set -e
mount -t tmpfs none "$0" && mkdir "$0/upper" "$0/work" "$0/system"
mount -t overlay overlay -o "lowerdir=/,upperdir=$0/upper,workdir=$0/work" "$0/system"
mount -t proc proc "$0/system/proc" && mount --bind /dev "$0/system/dev"
cp "$1" "$0/system/tmp/postroom.deb"
exec chroot "$0/system" sh -c "$2"
`;
      const inside = `
set -e
dpkg -i /tmp/postroom.deb
dpkg --verify postroom
if command -v systemd-analyze >/dev/null; then systemd-analyze verify postroom.service && systemctl is-enabled postroom; fi
getent passwd postroom
# What the unit does: the folder of StateDirectory, and ExecStart as its user.
install -d -o postroom -g postroom -m 0700 /var/lib/postroom /var/lib/postroom/cache
cd /
command=$(sed -n 's/^ExecStart=//p' /usr/lib/systemd/system/postroom.service)
setpriv --reuid postroom --regid postroom --clear-groups $command --port 0 >/tmp/log 2>&1 &
for each in $(seq 300); do
  port=$(sed -n 's/.*listening.* port=\\([0-9]*\\).*/\\1/p' /tmp/log | head -n 1)
  [ -n "$port" ] && setpriv --reuid postroom --regid postroom --clear-groups \\
    postroom health --data /var/lib/postroom --port "$port" 2>/dev/null && break
  sleep 0.2
done
kill -0 $! || cat /tmp/log
kill $! && wait $! || true
dpkg -P postroom
ls -d /var/lib/postroom/postroom.db
! command -v postroom
`;
      const mount = mkdtempSync(join(folder, "system-"));
      const command = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", script];
      const done = await run([...command, mount, join(out, deb), inside], { env: { LC_ALL: "C" } });
      expect({ code: done.code, output: done.stdout + done.stderr }).toMatchObject({ code: 0 });
      expect(done.stdout).toContain(":Postroom:/var/lib/postroom:/usr/sbin/nologin");
      expect(done.stdout).toContain("\nready\n");
      expect(done.stdout).toContain("your mail and keys are kept in /var/lib/postroom");
    },
    180_000,
  );

  /** Unpacks the layers of an image as root would, and returns the folder and the settings of the container. */
  async function unpackImage(architecture: string) {
    const layout = mkdtempSync(join(folder, `layout-${architecture}-`));
    await succeed(["tar", "-xf", join(out, `postroom-${version}-oci-${architecture}.tar`), "-C", layout]);
    const blob = ({ digest }: { digest: string }) => join(layout, "blobs", digest.replace(":", "/"));
    const json = (path: string) => JSON.parse(readFileSync(path, "utf8"));
    const image = json(blob(json(join(layout, "index.json")).manifests[0]));
    const system = join(layout, "system");
    mkdirSync(system);
    for (const layer of image.layers) await succeed(["tar", "-xzpf", blob(layer), "--numeric-owner", "-C", system]);
    return { system, config: json(blob(image.config)).config };
  }

  test.skipIf(!canIsolate)(
    "the image runs as its user, with nothing but its own files, and serves at the first start",
    async () => {
      const { system, config } = await unpackImage("amd64");
      for (const path of ["proc", "dev"]) mkdirSync(join(system, path), { recursive: true });
      for (const name of ["null", "urandom"]) await Bun.write(join(system, "dev", name), "");
      const script = `mount -t proc proc "$0/proc"
for each in null urandom; do mount --bind /dev/$each "$0/dev/$each"; done
user=$1 && shift
exec "$(PATH=/usr/sbin:/usr/bin:/sbin:/bin command -v chroot)" --userspec="$user" "$0" "$@"`;
      const separate = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-e", "-c", script, system];
      const inImage = (...args: string[]) => [...separate, config.User, ...config.Entrypoint, ...args];
      const env = Object.fromEntries(config.Env.map((pair: string) => pair.split("=")));
      const doctor = await run(inImage("doctor"), { env });
      expect(doctor).toMatchObject({ code: 0 });
      expect(doctor.stdout).toContain("A one-node model computes correctly");
      const port = 20_000 + (process.pid % 20_000);
      const args = config.Cmd.map((arg: string) => (arg === "8025" ? String(port) : arg));
      const server = Bun.spawn(inImage(...args), {
        cwd: folder,
        env,
        stdin: "ignore",
        stdout: "ignore",
        stderr: "ignore",
      });
      try {
        // Without "CMD" and the program.
        const check = [...config.Healthcheck.Test.slice(2), "--port", String(port)];
        await eventually(async () => (await run(inImage(...check), { env })).stdout === "ready\n", 60_000);
        expect(readdirSync(join(system, "data"))).toContain("postroom.db");
      } finally {
        killInside(server.pid);
        await server.exited;
      }
    },
    180_000,
  );

  test.skipIf(!QEMU)(
    "the arm64 image has the libraries that its executable needs, under qemu-user",
    async () => {
      const { system } = await unpackImage("arm64");
      const program = join(system, "usr/local/bin/postroom");
      const doctor = await run([QEMU!, "-L", system, program, "doctor", "--data", join(folder, "arm64-data")]);
      expect(doctor.stdout).toContain("A one-node model computes correctly");
      expect(doctor.code).toBe(0);
    },
    300_000,
  );

  test.skipIf(!SKOPEO)(
    "skopeo copies the image as any registry client would",
    async () => {
      for (const architecture of ["amd64", "arm64"]) {
        const archive = `oci-archive:${join(out, `postroom-${version}-oci-${architecture}.tar`)}:${version}`;
        const copy = join(folder, `copy-${architecture}`);
        await succeed([SKOPEO!, "--insecure-policy", "copy", "--quiet", archive, `dir:${copy}`]);
        const shown = JSON.parse(await succeed([SKOPEO!, "inspect", `dir:${copy}`]));
        expect(shown).toMatchObject({ Architecture: architecture, Os: "linux" });
      }
    },
    120_000,
  );
});
