import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { ar, gzip, tar, withFolders } from "./archives.ts";
import { npmPackage, pythonPackages, pythonVersion } from "./client-packages.ts";
import { debianPackage, debianVersion, packagedUnit } from "./debian-package.ts";
import { IMAGE_CONFIG, imageArchive } from "./image.ts";

const ROOT = resolve(import.meta.dir, "../..");
const TIME = 1_800_000_000;
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const folder = mkdtempSync(join(tmpdir(), "postroom-packages-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(command: string[], env: Record<string, string> = {}): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdout: "pipe",
    stderr: "pipe",
  });
  if (exitCode !== 0) throw new Error(`${command.join(" ")}: ${stderr}${stdout}`);
  return stdout.toString();
}

function save(name: string, bytes: Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

describe("archives", () => {
  const entries = withFolders([
    { name: "a/b/file", bytes: "text", mode: 0o600, uid: 5 },
    { name: "a/link", link: "b/file" },
    { name: `a/${"long".repeat(40)}`, bytes: "" },
  ]);

  test("tar reads names, permissions, owners, links and times", async () => {
    const path = save("one.tar.gz", gzip(await tar(entries, TIME)));
    const lines = run(["tar", "-tvzf", path, "--numeric-owner"], { TZ: "UTC" }).trim().split("\n");
    expect(lines.map((line) => line.replace(/ +/g, " "))).toEqual([
      "drwxr-xr-x 0/0 0 2027-01-15 08:00 a/",
      "drwxr-xr-x 0/0 0 2027-01-15 08:00 a/b/",
      "-rw------- 5/5 4 2027-01-15 08:00 a/b/file",
      "lrwxrwxrwx 0/0 0 2027-01-15 08:00 a/link -> b/file",
      `-rw-r--r-- 0/0 0 2027-01-15 08:00 a/${"long".repeat(40)}`,
    ]);
  });

  test.skipIf(!Bun.which("ar"))("ar reads files of odd length", () => {
    const path = save(
      "one.a",
      ar(
        [
          { name: "odd", bytes: Buffer.from("123") },
          { name: "even", bytes: Buffer.from("4567") },
        ],
        TIME,
      ),
    );
    expect(run(["ar", "p", path])).toBe("1234567");
  });
});

describe.skipIf(!Bun.which("dpkg-deb"))("the Debian package", () => {
  const input = {
    version: "1.0.0-rc.1",
    architecture: "arm64",
    time: TIME,
    executable: Buffer.from("#!/bin/sh\n"),
    unit: read("deploy/systemd/postroom.service"),
    copyright: "MIT\n",
    changelog: "# Changelog\n",
  } as const;

  test("has the fields, the files and correct checksums", async () => {
    const path = save("one.deb", await debianPackage(input));
    const field = (name: string) => run(["dpkg-deb", "--field", path, name]).trim();
    expect([field("Package"), field("Version"), field("Architecture")]).toEqual(["postroom", "1.0.0~rc.1", "arm64"]);
    run(["dpkg-deb", "--raw-extract", path, "unpacked"]);
    run(["sh", "-c", "cd unpacked && md5sum --quiet -c DEBIAN/md5sums"]);
    for (const script of ["postinst", "prerm", "postrm"]) run(["sh", "-n", `unpacked/DEBIAN/${script}`]);
    const unit = readFileSync(join(folder, "unpacked/usr/lib/systemd/system/postroom.service"), "utf8");
    expect(unit).toContain("ExecStart=/usr/bin/postroom serve");
    expect(unit).toContain("ExecPaths=/usr/bin/postroom ");
    expect(unit).not.toContain("/usr/local");
  });

  test("its version is older than the release in Debian's order", () => {
    run(["dpkg", "--compare-versions", debianVersion("1.0.0-rc.1"), "lt", debianVersion("1.0.0")]);
  });

  test("a unit that names the program in another way fails the build", () => {
    expect(() => packagedUnit("[Unit]\nExecStart=/opt/postroom\n")).toThrow("must name /usr/local/bin/postroom");
  });
});

describe("the clients", () => {
  test("the npm package has the compiled client with types, and installs nothing of this project", async () => {
    const { name, bytes } = await npmPackage(ROOT, TIME);
    expect(name).toBe(`postroom-client-${manifest.version}.tgz`);
    run(["tar", "-xzf", save(name, bytes)]);
    const unpacked = join(folder, "package");
    const { exports, dependencies, scripts } = JSON.parse(readFileSync(join(unpacked, "package.json"), "utf8"));
    expect(scripts).toBeUndefined();
    expect(Object.keys(dependencies)).toEqual(["openapi-fetch"]);
    for (const path of Object.values(exports["."]) as string[]) {
      expect(readFileSync(join(unpacked, path), "utf8").length).toBeGreaterThan(100);
    }
    expect((await npmPackage(ROOT, TIME)).bytes).toEqual(bytes);
  }, 60_000);

  test("the Python packages have the names and the modules that PyPI expects", async () => {
    const [wheel, sdist] = await pythonPackages(ROOT, TIME);
    expect(wheel!.name).toBe(`postroom_client-${manifest.version}-py3-none-any.whl`);
    expect(sdist!.name).toBe(`postroom_client-${manifest.version}.tar.gz`);
    const base = `postroom_client-${manifest.version}`;
    run(["tar", "-xzf", save(sdist!.name, sdist!.bytes)]);
    for (const name of ["client.py", "py.typed"]) {
      expect(readFileSync(join(folder, base, "postroom", name), "utf8")).toBe(read(`clients/python/postroom/${name}`));
    }
  });

  const PYTHON = Bun.which("python3");
  test.skipIf(!PYTHON)(
    "the record of the wheel is correct, pip installs it, and the module imports",
    async () => {
      const [wheel] = await pythonPackages(ROOT, TIME);
      const path = save(wheel!.name, wheel!.bytes);
      run([PYTHON!, "-m", "zipfile", "-t", path]);
      const check = `
import base64, csv, hashlib, io, sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
record = next(name for name in archive.namelist() if name.endswith("/RECORD"))
rows = {name: (digest, size) for name, digest, size in csv.reader(io.StringIO(archive.read(record).decode()))}
assert set(rows) == set(archive.namelist()), "other files than in RECORD"
for name, (digest, size) in rows.items():
    if name != record:
        data = archive.read(name)
        found = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        assert (digest, size) == ("sha256=" + found, str(len(data))), name
archive.extractall("wheel")
sys.path.insert(0, "wheel")
import postroom
from importlib.metadata import version
print(version("postroom-client"), postroom.__file__)
`;
      expect(run([PYTHON!, "-c", check, path])).toBe(
        `${manifest.version} ${join(folder, "wheel/postroom/__init__.py")}\n`,
      );
      if (Bun.spawnSync([PYTHON!, "-m", "pip", "--version"]).exitCode === 0) {
        run([PYTHON!, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--target", "installed", path]);
        run([PYTHON!, "-c", "import postroom"], { PYTHONPATH: join(folder, "installed") });
      }
    },
    60_000,
  );

  test("versions before a release have Python's form", () => {
    expect(["1.0.0", "1.0.0-rc.1", "1.0.0-beta.2"].map(pythonVersion)).toEqual(["1.0.0", "1.0.0rc1", "1.0.0b2"]);
  });
});

describe("the image", () => {
  test("has the settings of the Dockerfile", () => {
    const text = read("Dockerfile")
      .split(/^FROM /m)
      .at(-1)!;
    const value = (name: string) => new RegExp(`^${name} (.*)$`, "m").exec(text)![1]!;
    const [, ...check] =
      /^HEALTHCHECK --interval=(\d+)s --timeout=(\d+)s --start-period=(\d+)s --retries=(\d+) CMD (.*)$/m.exec(text)!;
    const { Healthcheck } = IMAGE_CONFIG;
    expect({
      User: value("USER"),
      Env: value("ENV").split(" "),
      Entrypoint: JSON.parse(value("ENTRYPOINT")),
      Cmd: JSON.parse(value("CMD")),
      Volumes: { [value("VOLUME")]: {} },
      WorkingDir: value("WORKDIR"),
      StopSignal: value("STOPSIGNAL"),
      ExposedPorts: { [`${value("EXPOSE")}/tcp`]: {} },
      Healthcheck: {
        Test: ["CMD", ...JSON.parse(check[4]!)],
        Interval: Number(check[0]) * 1e9,
        Timeout: Number(check[1]) * 1e9,
        StartPeriod: Number(check[2]) * 1e9,
        Retries: Number(check[3]),
      },
    }).toEqual({ ...IMAGE_CONFIG, Healthcheck });
  });

  test("every blob has the name of its hash, and every descriptor its size", async () => {
    const bytes = await imageArchive({
      version: "1.2.3",
      commit: "c".repeat(40),
      architecture: "arm64",
      time: TIME,
      executable: Buffer.from("program"),
      base: [{ name: "lib/libc.so.6", bytes: "library" }],
      copyright: "MIT",
    });
    mkdirSync(join(folder, "layout"));
    run(["tar", "-xf", save("image.tar", bytes), "-C", "layout"]);
    run(["sh", "-c", 'cd layout/blobs/sha256 && for each in *; do echo "$each  $each"; done | sha256sum --quiet -c']);
    const json = (path: string) => JSON.parse(readFileSync(join(folder, "layout", path), "utf8"));
    const blob = ({ digest, size }: { digest: string; size: number }) => {
      const path = `blobs/${digest.replace(":", "/")}`;
      expect(readFileSync(join(folder, "layout", path)).length).toBe(size);
      return json(path);
    };
    const [descriptor] = json("index.json").manifests;
    expect(descriptor.platform).toEqual({ architecture: "arm64", os: "linux", variant: "v8" });
    const image = blob(descriptor);
    expect(blob(image.config)).toMatchObject({ architecture: "arm64", config: { User: "10001:10001" } });
    expect(image.layers).toHaveLength(2);
  });
});

test("the workflow makes the release with the same command, and publishes what it wrote", () => {
  interface Step {
    run?: string;
    env?: Record<string, string>;
  }
  const { jobs } = Bun.YAML.parse(read(".github/workflows/release.yml")) as {
    jobs: Record<string, { steps: Step[]; permissions?: Record<string, string> }>;
  };
  const steps = Object.values(jobs).flatMap(({ steps }) => steps);
  const [making, ...others] = steps.filter(({ run }) => run?.includes("./dev release"));
  expect(others).toEqual([]);
  expect(making!.run).toMatch(/^\.\/dev release "\$\{GITHUB_REF_NAME#v\}"$/);
  // Only the step that signs gets the key.
  const withKey = steps.filter((step) => JSON.stringify(step).includes("secrets."));
  expect(withKey).toEqual([making!]);
});
