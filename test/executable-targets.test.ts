import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Spec, Validation } from "@cyclonedx/cyclonedx-library";
import { eventually } from "./support/eventually.ts";

/** Executables for other platforms than this machine's, built here as `./dev build --target` builds them. */

const ROOT = resolve(import.meta.dir, "..");
const QEMU = Bun.which("qemu-aarch64");
/** The C and C++ libraries of arm64, from Debian's cross packages. */
const ARM64_ROOT = "/usr/aarch64-linux-gnu";
const canRunArm64 = QEMU !== null && existsSync(join(ARM64_ROOT, "lib/libstdc++.so.6"));
if (!canRunArm64) {
  console.info("skipped: starting the arm64 executable (qemu-user or libstdc++6-arm64-cross is not installed)");
}

const folder = mkdtempSync(join(tmpdir(), "postroom-targets-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(command: string[], cwd: string, env: Record<string, string>) {
  const child = Bun.spawn(command, { cwd, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, stdout, stderr };
}

/** Builds for a target; the executable, its checksum and its bill of materials are in a separate folder. */
async function build(target: string): Promise<string> {
  const outfile = join(folder, target, `postroom-${target}`);
  const env = { ...process.env, PATH: process.env.PATH ?? "/usr/bin:/bin" } as Record<string, string>;
  const built = await run([join(ROOT, "dev"), "build", "--target", target, "--outfile", outfile], ROOT, env);
  if (built.code !== 0) throw new Error(`./dev build --target ${target} failed:\n${built.stdout}${built.stderr}`);
  return outfile;
}

async function expectSumsAndBom(outfile: string): Promise<void> {
  const sums = await run(["sha256sum", "-c", `${outfile}.sha256`], resolve(outfile, ".."), { PATH: "/usr/bin:/bin" });
  expect({ code: sums.code, stdout: sums.stdout.trim().split("\n") }).toEqual({
    code: 0,
    stdout: [outfile, `${outfile}.cdx.json`].map((path) => `${path.split("/").at(-1)}: OK`),
  });
  const bom = readFileSync(`${outfile}.cdx.json`, "utf8");
  expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(bom)).toBeNull();
}

describe("linux-arm64", () => {
  test("is an executable for that processor, with checksums and a bill of materials beside it", async () => {
    const executable = await build("linux-arm64");
    // ELF, 64 bit; machine 183 is AArch64.
    const head = readFileSync(executable).subarray(0, 20);
    expect([head.subarray(1, 4).toString(), head[4], head.readUInt16LE(18)]).toEqual(["ELF", 2, 183]);
    await expectSumsAndBom(executable);
  }, 400_000);

  test.skipIf(!canRunArm64)(
    "loads its native libraries and serves, under qemu-user",
    async () => {
      const executable = join(folder, "linux-arm64", "postroom-linux-arm64");
      const empty = join(folder, "empty");
      mkdirSync(empty);
      const env = { HOME: empty, PATH: "/usr/bin:/bin" };
      const arm64 = [QEMU!, "-L", ARM64_ROOT, executable];
      const doctor = await run([...arm64, "doctor", "--data", "new"], empty, env);
      expect({ code: doctor.code, out: doctor.stdout }).toMatchObject({
        code: 0,
        out: expect.stringContaining("Exact search of three vectors is correct"),
      });
      expect(doctor.stdout).toContain("A one-node model computes correctly");

      const server = Bun.spawn([...arm64, "serve", "--data", "served", "--port", "0"], {
        cwd: empty,
        env,
        stdin: "ignore",
        stdout: "ignore",
        stderr: "pipe",
      });
      let log = "";
      const decoder = new TextDecoder();
      const follow = (async () => {
        for await (const chunk of server.stderr) log += decoder.decode(chunk, { stream: true });
      })();
      try {
        await eventually(() => /listening.* port=\d+/.test(log), 120_000);
        const port = /listening.* port=(\d+)/.exec(log)![1];
        await eventually(async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status === 200, 60_000);
        expect((await fetch(`http://127.0.0.1:${port}/v1/openapi.json`)).status).toBe(200);
      } finally {
        // Under emulation its workers take minutes to start, and an orderly stop waits for them.
        server.kill("SIGKILL");
        await server.exited;
        await follow;
      }
    },
    300_000,
  );
});

test("darwin-arm64 is a signed Mach-O executable with checksums and a bill of materials; it cannot be started here", async () => {
  const executable = await build("darwin-arm64");
  const bytes = readFileSync(executable);
  expect([bytes.readUInt32LE(0), bytes.readUInt32LE(4)]).toEqual([0xfeedfacf, 0x0100000c]);
  expect(loadCommands(bytes)).toContain(LC_CODE_SIGNATURE);
  await expectSumsAndBom(executable);
}, 400_000);

/** Apple's processors start nothing without a signature, even if only an ad-hoc one. */
const LC_CODE_SIGNATURE = 0x1d;

/** Returns the kinds of the load commands in a Mach-O header (mach-o/loader.h). */
function loadCommands(bytes: Buffer): number[] {
  const commands: number[] = [];
  for (let at = 32, left = bytes.readUInt32LE(16); left > 0; left--) {
    commands.push(bytes.readUInt32LE(at));
    at += bytes.readUInt32LE(at + 4);
  }
  return commands;
}
