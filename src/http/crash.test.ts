import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHarness } from "../../test/support/http-harness.ts";
import { createSample, sampleRoutes } from "../../test/support/sample-routes.ts";

const KEYS = 60;
const KILLS = 3;

let data_dir: string;
let secret: string;
let user_id: string;

beforeAll(() => {
  data_dir = mkdtempSync(join(tmpdir(), "postroom-kill-"));
  const h = createHarness({ data_dir });
  secret = h.key;
  user_id = h.user.id;
  h.close();
});
afterAll(() => rmSync(data_dir, { recursive: true, force: true }));

async function startProcess() {
  const script = join(import.meta.dir, "../../test/support/sample-server.ts");
  const child = Bun.spawn([process.execPath, script, data_dir], { stdout: "pipe", stderr: "inherit" });
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  return { child, url: `http://127.0.0.1:${new TextDecoder().decode(value).trim()}/v1/notes` };
}

const post = (url: string, key: number) =>
  fetch(url, {
    method: "POST",
    headers: { Authorization: `Bearer ${secret}`, "Content-Type": "application/json", "Idempotency-Key": `k${key}` },
    body: JSON.stringify({ text: `note ${key}` }),
  });

test(
  "when killed repeatedly under load, every retried change happens exactly once",
  async () => {
    const replies = new Map<number, string>();
    for (let round = 0; round <= KILLS; round++) {
      const { child, url } = await startProcess();
      const last = round === KILLS;
      const work = Array.from({ length: KEYS }, async (_, key) => {
        const response = await post(url, key).catch(() => null);
        if (response === null) return;
        const text = await response.text().catch(() => null);
        if (text === null) return;
        expect(response.status).toBe(201);
        // Once a client has received a reply, every retry must receive the same one.
        expect(text).toBe(replies.get(key) ?? text);
        replies.set(key, text);
        if (!last && replies.size >= (KEYS / (KILLS + 1)) * (round + 1)) child.kill("SIGKILL");
      });
      await Promise.all(work);
      child.kill("SIGKILL");
      await child.exited;
    }
    expect(replies.size).toBe(KEYS);
    const after = createHarness({ routes: sampleRoutes(createSample()), data_dir });
    const notes = after.platform.audit.list(user_id, { limit: KEYS * 2, action: "note" });
    expect(notes.map((row) => row.after).sort()).toEqual(
      Array.from({ length: KEYS }, (_, key) => `note ${key}`).sort(),
    );
    after.close();
  },
  { timeout: 30_000 },
);
