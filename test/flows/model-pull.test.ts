import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BUILT_IN_ID } from "../../src/ml/embedding/model.ts";
import { pullModel } from "../../src/ml/embedding/pull.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { openPlatform } from "../../src/platform/platform.ts";
import { eventually } from "../support/eventually.ts";
import { type ModelHub, startModelHub } from "../support/model-hub.ts";
import { install, one, type Served, serve } from "../support/served-program.ts";

/**
 * `postroom model pull` against a hub on this machine, from the download to the search with the new model. The files are
 * those of the built-in model, because no other model is part of the source.
 */
setDefaultTimeout(120_000);

const MAIN = join(import.meta.dir, "../../src/main.ts");
const folder = mkdtempSync(join(tmpdir(), "postroom-model-pull-"));
const data = join(folder, "data");
let hub: ModelHub;
beforeAll(async () => {
  hub = await startModelHub(folder);
});
const servers: Served[] = [];
afterAll(async () => {
  for (const server of servers) server.kill();
  await hub.close();
  rmSync(folder, { recursive: true, force: true });
});

async function pull(...more: string[]): Promise<{ code: number; out: string; err: string }> {
  const args = [MAIN, "model", "pull", hub.model, "--data", data, ...more];
  const env = { PATH: process.env.PATH ?? "", HOME: folder, POSTROOM_EMBEDDING_HUB: hub.url };
  const child = Bun.spawn([process.execPath, ...args], { env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, out, err };
}

function ledger() {
  const platform = openPlatform({ config: loadConfig({ data_dir: data, env: {} }), clock: systemClock });
  try {
    return platform.modelCalls.list(platform.users.list()[0]!.id, null, 100).reverse();
  } finally {
    platform.close();
  }
}

test("from an interrupted download to a search with the new model, which never stops answering", async () => {
  const { testKey } = install(data, 1, 1);
  const isEmbeddedBy = (model: string) =>
    eventually(() => {
      const left = one<{ n: number }>(data, "SELECT count(*) AS n FROM vectors WHERE model NOT LIKE ? || '%'", model);
      const done = one<{ n: number }>(data, "SELECT count(*) AS n FROM vectors WHERE model LIKE ? || '%'", model);
      return left.n === 0 && done.n > 100;
    }, 60_000);
  const before = await serve(data);
  servers.push(before);
  await isEmbeddedBy(BUILT_IN_ID);

  // While the server runs, the download is interrupted, then continued.
  hub.cutAfter = 3_000_000;
  const interrupted = await pull();
  expect([interrupted.code, interrupted.out]).toEqual([1, ""]);
  expect(interrupted.err).toContain("run the command again. It keeps what was downloaded.");
  expect(readdirSync(join(data, "models/tester"))).toEqual(["small-model.partial"]);
  hub.cutAfter = null;
  hub.asked = [];
  const pulled = await pull("--json");
  expect([pulled.code, pulled.err]).toEqual([0, ""]);
  expect(JSON.parse(pulled.out)).toMatchObject({ model: hub.model, revision: hub.revision, files: hub.pinned });
  expect(hub.asked.at(-1)).toMatch(/^\/cdn\/onnx\/model_quantized\.onnx bytes=\d{6,7}-$/);
  expect(readdirSync(join(data, "models/tester"))).toEqual(["small-model"]);

  // Each request is in the ledger, and no mail was sent.
  const calls = ledger();
  expect(calls.length).toBeGreaterThan(8);
  for (const call of calls)
    expect(call).toMatchObject({ purpose: "download", host: hub.host, bytes_out: 0, message_ids: [] });
  expect(calls.filter(({ result }) => result !== "ok").length).toBe(1);
  const size = hub.pinned.reduce((sum, { bytes }) => sum + bytes, 0);
  expect(calls.reduce((sum, { bytes_in }) => sum + (bytes_in ?? 0), 0)).toBeGreaterThanOrEqual(size);
  await before.stop();

  const after = await serve(data, ["env", `POSTROOM_EMBEDDING_MODEL=${hub.model}`]);
  servers.push(after);
  const search = async () => {
    const body = JSON.stringify({ query: "when does my plane leave", mode: "semantic", limit: 3 });
    const headers = { "content-type": "application/json" };
    const response = await after.fetch("/search", testKey, { method: "POST", headers, body });
    return (await response.json()) as { data: { subject: string }[] };
  };
  // Searches answer at once with the vectors of the previous model, and later with those of the new one.
  const { data: first } = await search();
  expect(first.length).toBe(3);
  let searches = 0;
  const ready = isEmbeddedBy("small-model@").then(() => true);
  while (!(await Promise.race([ready, search().then((found) => found.data.length === 0)]))) searches++;
  expect(searches).toBeGreaterThan(0);
  // The files are the same, so the results are, too.
  expect((await search()).data.map(({ subject }) => subject)).toEqual(first.map(({ subject }) => subject));
  await after.stop();
});

const TMPFS = ["unshare", "--map-root-user", "--mount"];
const canMount =
  process.platform === "linux" &&
  Bun.which("unshare") !== null &&
  Bun.spawnSync([...TMPFS, "sh", "-c", `mount -t tmpfs -o size=1m tmpfs ${folder}`], { stderr: "ignore" }).exitCode ===
    0;
if (!canMount) console.info("skipped: this system does not allow mounts in a namespace (unshare --mount)");

test.skipIf(!canMount)("a disk that becomes full leaves no model, and says what to do", async () => {
  const small = join(folder, "small");
  mkdirSync(small);
  const source = JSON.stringify(join(import.meta.dir, "../../src/ml/embedding/pull.ts"));
  const options = { data_dir: small, model: hub.model, revision: "main", hub: hub.url, nowMs: 0 };
  const script = `const { pullModel } = await import(${source});
    const { readdirSync } = await import("node:fs");
    const left = () => readdirSync(${JSON.stringify(small)} + "/models/tester").join();
    await pullModel({ ...${JSON.stringify(options)}, freeBytes: () => 1e12 }).catch((error) => console.log(error.message, left()));`;
  const mount = 'mount -t tmpfs -o size=2m tmpfs "$1" && shift && exec "$@"';
  const child = Bun.spawn([...TMPFS, "sh", "-c", mount, "sh", small, process.execPath, "-e", script], {
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  expect(err).toBe("");
  expect(out).toBe(
    "The disk is full. Free some space, then run the command again. It keeps what was downloaded. small-model.partial\n",
  );
});

test("the hashes that the program pins decide, not those of the hub", async () => {
  const data_dir = join(folder, "pinned");
  const options = { data_dir, model: hub.model, revision: hub.revision, hub: hub.url, nowMs: 0 };
  const last = hub.pinned.length - 1;
  const other = hub.pinned.map((file, i) => (i === last ? { ...file, sha256: "0".repeat(64) } : file));
  await expect(pullModel({ ...options, pinned: other })).rejects.toThrow("Nothing was downloaded.");
  expect(existsSync(join(data_dir, "models"))).toBe(false);
  expect((await pullModel({ ...options, pinned: hub.pinned })).files).toEqual(hub.pinned);
});
