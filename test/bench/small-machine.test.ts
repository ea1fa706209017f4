import { expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { smallMachine } from "./small-machine.ts";

/** A folder with the files of a control group; the kernel is not asked. */
function groupLike(files: Record<string, string>): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), "postroom-group-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

test("without a control group, a process above the limit is ended, and its peak is known", async () => {
  const small = smallMachine(30e6, null);
  expect(small.enforcedBy).toContain("no control group");
  const hungry = "const held = new Uint8Array(80e6).fill(1); setInterval(() => held.length, 1_000);";
  const child = Bun.spawn([process.execPath, "-e", hungry]);
  const stop = small.watch(child.pid);
  await child.exited;
  stop();
  expect(child.signalCode).toBe("SIGKILL");
  expect(small.exceeded()).toBe(1);
  expect(small.peak()).toBeGreaterThan(30e6);
});

test.skipIf(!Bun.which("taskset") || !Bun.which("prlimit"))("a command gets one core and the limit", async () => {
  const small = smallMachine(1_024_000_000, null);
  const child = Bun.spawn(small.within(["sh", "-c", "nproc; ulimit -d"]), { stdout: "pipe" });
  expect(await new Response(child.stdout).text()).toBe("1\n1000000\n");
});

test.each([
  [2, { "cgroup.controllers": "memory" }, "memory.max"],
  [1, {}, "memory.limit_in_bytes"],
])("a group of version %d gets the limit, and the command enters it before it runs", async (version, files, limit) => {
  const parent = groupLike(files);
  try {
    const small = smallMachine(1_000_000, parent.folder);
    const [name] = readdirSync(parent.folder).filter((entry) => entry.startsWith("postroom-small-"));
    const place = join(parent.folder, name!);
    expect(readFileSync(join(place, limit), "utf8")).toBe("1000000");
    const child = Bun.spawn(small.within(["sh", "-c", "echo $$"]), { stdout: "pipe" });
    const printed = await new Response(child.stdout).text();
    expect(readFileSync(join(place, "cgroup.procs"), "utf8")).toBe(printed);
    expect(Number(printed)).toBe(child.pid);
    expect(small.enforcedBy).toContain(`version ${version}`);
    writeFileSync(join(place, version === 2 ? "memory.peak" : "memory.max_usage_in_bytes"), "900000\n");
    writeFileSync(
      join(place, version === 2 ? "memory.events" : "memory.failcnt"),
      version === 2 ? "high 0\nmax 3\noom 0\n" : "3\n",
    );
    expect([small.peak(), small.exceeded()]).toEqual([900_000, 3]);
  } finally {
    parent.remove();
  }
});

test("a group that cannot be limited is removed and named", () => {
  const parent = groupLike({});
  try {
    const blocked = join(parent.folder, `postroom-small-${process.pid}`);
    mkdirSync(blocked);
    expect(() => smallMachine(1, parent.folder)).toThrow();
    expect(existsSync(blocked)).toBe(true);
  } finally {
    parent.remove();
  }
});
