import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { execPath } from "node:process";
import { mappedFiles, releaseFilePages } from "./file-pages.ts";

test("files in memory are read from the list of the system, without other memory", () => {
  const maps = [
    "01a40000-01a42000 r-xp 01840000 fe:00 3932 /usr/bin/postroom",
    "06867000-0cd67000 rw-p 06667000 fe:00 3932                             /usr/bin/postroom",
    "7f55dc000000-7f55de600000 rw-p 00000000 00:00 0 ",
    "7ffd3a5fe000-7ffd3a61f000 rw-p 00000000 00:00 0                          [stack]",
    "7f55e1afc000-7f55e36fc000 r--p 00000000 fe:00 77 /data/with space/lib.so.1 (deleted)",
  ].join("\n");
  expect(mappedFiles(maps)).toEqual([
    { path: "/usr/bin/postroom", start: 0x01a40000n, bytes: 0x2000n, code: true },
    { path: "/usr/bin/postroom", start: 0x06867000n, bytes: 0x6500000n, code: false },
    { path: "/data/with space/lib.so.1 (deleted)", start: 0x7f55e1afc000n, bytes: 0x1c00000n, code: false },
  ]);
});

/** Returns how much of the program's machine code is in memory, kB. */
function codeInMemory(): number {
  const parts = readFileSync("/proc/self/smaps", "utf8").split(/^(?=[0-9a-f]+-)/m);
  const code = parts.filter((part) => part.split("\n")[0]!.endsWith(execPath) && / r-xp /.test(part));
  return code.reduce((sum, part) => sum + Number(/^Rss: +(\d+) kB$/m.exec(part)![1]), 0);
}

test.skipIf(process.platform !== "linux")("the program continues to work without these pages", () => {
  const isOurs = mappedFiles(readFileSync("/proc/self/maps", "utf8")).some(({ path }) => path === execPath);
  expect(isOurs).toBe(true);
  const before = codeInMemory();
  releaseFilePages("/nowhere", true);
  expect(codeInMemory()).toBeLessThan(before);
  releaseFilePages("/nowhere", false);
  expect(JSON.parse(JSON.stringify({ still: "works" }))).toEqual({ still: "works" });
});
