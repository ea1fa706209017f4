/**
 * Runs the flow of deploy/compose/node-red in a real Node-RED against a served Postroom:
 * bun test/clients/node-red-real.ts [--install]
 */
import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { signatureHeaders } from "../../src/features/webhooks/signature.ts";
import { eventually } from "../support/eventually.ts";
import { install, serve } from "../support/served-program.ts";
import { freePort, type RealProgram, type Running, realProgram, run } from "./real-program.ts";

const FLOWS = resolve(import.meta.dir, "../../deploy/compose/node-red/flows.json");

// biome-ignore lint/suspicious/noExplicitAny: a test reads answers of every shape
type Json = Record<string, any>;

async function main({ folder, node }: RealProgram): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), "postroom-node-red-"));
  const { testKey: key } = install(join(home, "postroom"), 1, 1);
  const server = await serve(join(home, "postroom"));
  const url = `http://127.0.0.1:${await freePort()}/postroom`;
  const call = async (method: string, path: string, body?: Json, headers = {}): Promise<Json> => {
    const sent = body && { body: JSON.stringify(body) };
    const all = { "Content-Type": "application/json", ...headers };
    const response = await server.fetch(path, key, { method, headers: all, ...sent });
    assert(response.ok, `${method} ${path}: ${response.status}`);
    return response.json() as Promise<Json>;
  };
  const deliver = (subject: string) =>
    call(
      "POST",
      "/messages/send",
      { to: ["maria@acme.example"], subject, body: "Hello", undo_window_s: 0 },
      { "Idempotency-Key": crypto.randomUUID() },
    );
  const has = async (state: string, subject: string) =>
    (await call("GET", `/threads?state=${state}&q=${encodeURIComponent(`subject:"${subject}"`)}`)).data.length > 0;

  let running: Running | null = null;
  try {
    // The sandbox is filled after the start.
    await eventually(async () => (await call("GET", "/accounts")).data.length > 0, 60_000);
    const { secret } = (await call("POST", "/webhooks", { url, events: ["message.received"] })).data;
    mkdirSync(join(home, "data"));
    copyFileSync(FLOWS, join(home, "data/flows.json"));
    writeFileSync(
      join(home, "data/settings.js"),
      'module.exports = { uiHost: "127.0.0.1", flowFile: "flows.json" };\n',
    );
    const env = {
      PATH: process.env.PATH ?? "",
      HOME: home,
      POSTROOM_URL: server.url,
      POSTROOM_KEY: key,
      POSTROOM_WEBHOOK_SECRET: secret,
    };
    const program = join(folder, "node_modules/node-red/red.js");
    running = run([node, program, "--userDir", join(home, "data"), "--port", new URL(url).port], env, home);
    const log = running.log;
    await eventually(() => log().includes("Started flows"), 60_000);

    await deliver("Winter Sale");
    await eventually(() => has("archived", "Winter Sale"), 30_000);
    console.info("passed: a signed event arrived, its signature was verified, and the flow archived the thread");
    await deliver("Lunch");
    const delivered = async () => {
      const [endpoint] = (await call("GET", "/webhooks")).data;
      const { data } = await call("GET", `/webhooks/${endpoint.id}/deliveries`);
      return data.length >= 2 && data.every(({ status }: Json) => status === "delivered");
    };
    await eventually(delivered, 30_000);
    assert(await has("inbox", "Lunch"));
    console.info("passed: other mail stays in the inbox");

    const body = Buffer.from(
      JSON.stringify({ id: "evt_x", event: "message.received", data: { tags: [], subject: "" } }),
    );
    const post = async (headers: Record<string, string>) =>
      (await fetch(url, { method: "POST", body, headers: { "Content-Type": "application/json", ...headers } })).status;
    const signed = (at: number) => signatureHeaders({ id: "evt_x", body }, at, [secret]);
    assert.equal(await post({}), 401);
    assert.equal(await post(signed(Date.now() - 301_000)), 401);
    assert.equal(await post({ "X-Service-Signature": `t=${Math.floor(Date.now() / 1000)},v1=${"0".repeat(64)}` }), 401);
    assert.equal(await post(signed(Date.now())), 200);
    console.info("passed: unsigned, forged and old requests are refused with 401");
  } catch (error) {
    for (const { id } of (await call("GET", "/webhooks")).data) {
      console.error(JSON.stringify(await call("GET", `/webhooks/${id}/deliveries`)));
    }
    console.error(running?.log().slice(-4000));
    throw error;
  } finally {
    await running?.stop();
    await server.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

const program = realProgram("node-red", "5.0.7");
if (program) await main(program);
