import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { availableMemory } from "./memory.ts";

const folder = mkdtempSync(join(tmpdir(), "postroom-memory-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;
function machine(files: Record<string, string>): string {
  const root = join(folder, String(count++));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

const MEMINFO = "MemTotal:       16000000 kB\nMemFree:         1000000 kB\nMemAvailable:    8000000 kB\n";
const AVAILABLE = 8_000_000 * 1_024;

test("without a limit, what the machine has available counts", () => {
  const files = { "proc/meminfo": MEMINFO, "proc/self/cgroup": "0::/user.slice\n" };
  expect(availableMemory(machine(files))).toEqual({ bytes: AVAILABLE, limited: false });
  const unlimited = {
    "sys/fs/cgroup/user.slice/memory.max": "max\n",
    "sys/fs/cgroup/user.slice/memory.current": "5\n",
  };
  expect(availableMemory(machine({ ...files, ...unlimited }))).toEqual({ bytes: AVAILABLE, limited: false });
});

test("the limit of a control group counts, less what is in use, without cached files", () => {
  const root = machine({
    "proc/meminfo": MEMINFO,
    "proc/self/cgroup": "0::/system.slice/postroom.service\n",
    "sys/fs/cgroup/system.slice/memory.max": "max\n",
    "sys/fs/cgroup/system.slice/postroom.service/memory.max": "2000000000\n",
    "sys/fs/cgroup/system.slice/postroom.service/memory.current": "700000000\n",
    "sys/fs/cgroup/system.slice/postroom.service/memory.stat": "anon 200000000\ninactive_file 500000000\n",
  });
  expect(availableMemory(root)).toEqual({ bytes: 1_800_000_000, limited: true });
});

test("version 1 of control groups is read as well", () => {
  const files = {
    "proc/meminfo": MEMINFO,
    "proc/self/cgroup": "4:memory:/docker/abc\n1:name=systemd:/docker/abc\n",
    "sys/fs/cgroup/memory/memory.limit_in_bytes": "1000000000\n",
    "sys/fs/cgroup/memory/memory.usage_in_bytes": "400000000\n",
  };
  expect(availableMemory(machine(files))).toEqual({ bytes: 600_000_000, limited: true });
  const none = { ...files, "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n" };
  expect(availableMemory(machine(none))).toEqual({ bytes: AVAILABLE, limited: false });
});

test("a machine that does not say still has memory", () => {
  expect(availableMemory(machine({ "proc/other": "" })).bytes).toBeGreaterThan(0);
});
