import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

setDefaultTimeout(240_000);

/**
 * A real file system that is full: a small one in memory, in a separate mount namespace, which only root may create.
 */
const canMount = process.getuid?.() === 0 && Bun.spawnSync(["unshare", "--mount", "true"]).exitCode === 0;
if (!canMount) console.info("skipped: the whole program on a full disk (needs root and unshare)");

const folder = mkdtempSync(join(tmpdir(), "postroom-full-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.skipIf(!canMount)(
  "on a full disk the program accepts no writes, still answers, loses nothing, and resumes when space is available",
  async () => {
    const inside = 'mount -t tmpfs -o size=96m,mode=0700 tmpfs "$0" && exec "$@"';
    const program = [process.execPath, "run", join(import.meta.dir, "disk-full-child.ts"), folder];
    const child = Bun.spawn(["unshare", "--mount", "sh", "-c", inside, folder, ...program], { stdout: "pipe" });
    const seen = JSON.parse(await new Response(child.stdout).text());
    expect(seen).toEqual({
      before: 200,
      // While it is full.
      refused: "storage_full",
      reading: 200,
      ready: 200,
      metrics: 200,
      storedWhileFull: true,
      // With space available: all mail is there once, changes and sends work, and the database needs no repair.
      after: 200,
      sent: 200,
      stored: 45,
      check: "ok",
      code: 0,
    });
  },
);
