import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { PostroomError, postroom, take, verifyWebhook } from "../../clients/typescript/src/client.ts";
import { newSecret, signatureHeaders } from "../../src/features/webhooks/signature.ts";
import { type LiveApp, startLiveApp } from "../support/live-app.ts";
import { FAULT_CASES, type FaultServer, startFaultServer } from "./fault-server.ts";
import { readmeBlock } from "./readme-block.ts";

setDefaultTimeout(60_000);

const CLIENT = resolve(import.meta.dir, "../../clients/typescript");
const ROOT = resolve(import.meta.dir, "../..");

describe("when a server fails", () => {
  let faults: FaultServer;
  beforeAll(() => {
    faults = startFaultServer();
  });
  afterAll(() => faults.stop());

  test.each(FAULT_CASES.map((one) => [one.name, one] as const))(
    "%s",
    async (name, { method, idempotency_key, expected }) => {
      const waits: (number | "own")[] = [];
      const sleep = async (ms: number) => void waits.push(ms % 1000 === 0 ? ms / 1000 : "own");
      const api = postroom({ url: faults.url, key: "service_test_x", sleep, random: () => 0.123 });
      const params = { path: { id: name } };
      const headers = idempotency_key ? { "Idempotency-Key": idempotency_key } : {};
      const call = async () => {
        if (method === "GET") await take(api.GET("/threads/{id}", { params }));
        else await take(api.PATCH("/threads/{id}", { params, headers, body: { read: true } }));
        return "ok";
      };
      const outcome = await call().catch((error: unknown) => {
        if (!(error instanceof PostroomError)) throw error;
        const { status, code, retry_after, request_id, param } = error;
        return [status, code, retry_after, request_id, ...(param ? [param] : [])].map(String).join(" ");
      });
      expect({ requests: faults.requests(name), waits, outcome }).toEqual(expected);
    },
  );
});

test("distinguishes genuine webhooks from forged, changed and old ones", async () => {
  const [secret, other] = [newSecret(), newSecret()];
  const body = Buffer.from(JSON.stringify({ id: "evt_1", event: "message.received" }));
  const at = 1_800_000_000_000;
  const header = signatureHeaders({ id: "evt_1", body }, at, [other, secret])["X-Service-Signature"]!;
  expect(await verifyWebhook(body, header, secret, at)).toBe(true);
  expect(await verifyWebhook(body.toString(), header, other, at + 299_000)).toBe(true);
  expect(await verifyWebhook(body, header, newSecret(), at)).toBe(false);
  expect(await verifyWebhook(`${body}x`, header, secret, at)).toBe(false);
  expect(await verifyWebhook(body, header, secret, at + 301_000)).toBe(false);
  for (const odd of [null, "", "t=1", "t=x,v1=00", header.slice(0, -1)]) {
    expect(await verifyWebhook(body, odd, other, at)).toBe(odd === header.slice(0, -1));
  }
});

describe("against a real server", () => {
  const folder = mkdtempSync(join(tmpdir(), "postroom-client-"));
  let live: LiveApp;
  beforeAll(async () => {
    live = await startLiveApp();
  });
  afterAll(async () => {
    await live.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test("the quick start of the README, with and without /v1 in the address, from the built package, under Node where it is installed", async () => {
    const installed = join(folder, "node_modules", "postroom-client");
    mkdirSync(installed, { recursive: true });
    cpSync(join(CLIENT, "package.json"), join(installed, "package.json"));
    symlinkSync(join(ROOT, "node_modules/openapi-fetch"), join(folder, "node_modules", "openapi-fetch"));
    symlinkSync(
      join(ROOT, "node_modules/openapi-typescript-helpers"),
      join(folder, "node_modules", "openapi-typescript-helpers"),
    );
    const tsc = [join(ROOT, "node_modules/.bin/tsc"), "-p", CLIENT, "--outDir", join(installed, "dist")];
    const built = Bun.spawnSync(tsc, { stdout: "pipe", stderr: "pipe" });
    expect(built.stdout.toString()).toBe("");

    // Types are checked as well, because people copy the listing.
    const types =
      "declare const process: { env: Record<string, string | undefined> };\ndeclare const console: { log(text: string): void };\n";
    writeFileSync(join(folder, "quick-start.ts"), types + readmeBlock(join(CLIENT, "README.md"), "quick-start.ts"));
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    const options = [
      "--target",
      "ES2023",
      "--module",
      "NodeNext",
      "--strict",
      "--types",
      "",
      "--lib",
      "ES2023,DOM,DOM.Iterable",
      "--skipLibCheck",
    ];
    const compile = [join(ROOT, "node_modules/.bin/tsc"), ...options, "quick-start.ts"];
    const compiled = Bun.spawnSync(compile, { cwd: folder, stdout: "pipe" });
    expect(compiled.stdout.toString()).toBe("");

    const key = live.newKey({ test: true });
    const program = Bun.which("node") ?? process.execPath;
    for (const path of ["", "/v1", "/v1/"]) {
      const url = `http://127.0.0.1:${live.app.server.port}${path}`;
      const env = { PATH: process.env.PATH ?? "", POSTROOM_URL: url, POSTROOM_KEY: key };
      const child = Bun.spawn([program, "quick-start.js"], { cwd: folder, env, stdout: "pipe", stderr: "pipe" });
      const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
      const unread = await unreadThreads(live, key);
      const output = `unread: ${unread}\nsent: scheduled\nerror: 404 not_found\n`;
      expect({ path, out, err }).toEqual({ path, out: output, err: "" });
    }
  });
});

async function unreadThreads(live: LiveApp, key: string): Promise<number> {
  let count = 0;
  let cursor = "";
  do {
    const { json } = await live.call("GET", `/threads?unread=true&limit=100${cursor && `&cursor=${cursor}`}`, { key });
    count += json.data.length;
    cursor = json.next_cursor ?? "";
  } while (cursor !== "");
  return count;
}
