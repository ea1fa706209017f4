/**
 * Runs the n8n package in a real n8n against a served Postroom: bun test/clients/n8n-real.ts [--install]
 * A workflow with the webhook trigger archives, drafts and sends; one with the event log trigger resumes after a restart.
 */
import { Database } from "bun:sqlite";
import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { eventually } from "../support/eventually.ts";
import { install, serve } from "../support/served-program.ts";
import { freePort, type RealProgram, type Running, realProgram, run } from "./real-program.ts";

const CLIENT = resolve(import.meta.dir, "../../clients/n8n");

/** The workflow that people import. */
const EXAMPLE = resolve(import.meta.dir, "../../deploy/compose/n8n/workflow.json");

const KEY_ID = "postroomkey00001";
const credentials = { postroomApi: { id: KEY_ID, name: "Postroom" } };

function node(name: string, type: string, parameters: object, x: number, more: object = {}) {
  return { id: crypto.randomUUID(), name, type, typeVersion: 1, position: [x, 0], parameters, ...more };
}
const postroom = (name: string, parameters: object, x: number) =>
  node(name, "n8n-nodes-postroom.postroom", parameters, x, { credentials });

/** A node that passes only events about mail with this subject: the flow would otherwise answer its own mail. */
function onlySubject(subject: string) {
  const condition = {
    id: crypto.randomUUID(),
    leftValue: "={{ $json.data.subject }}",
    rightValue: subject,
    operator: { type: "string", operation: "equals" },
  };
  const options = { caseSensitive: true, leftValue: "", typeValidation: "strict", version: 2 };
  const conditions = { options, conditions: [condition], combinator: "and" };
  return node("Filter", "n8n-nodes-base.filter", { conditions, options: {} }, 200, { typeVersion: 2.2 });
}

function workflow(id: string, nodes: { name: string }[]) {
  const connections = Object.fromEntries(
    nodes.slice(1).map(({ name }, i) => [nodes[i]!.name, { main: [[{ node: name, type: "main", index: 0 }]] }]),
  );
  return { id, name: id, nodes, connections, settings: { executionOrder: "v1" }, active: false };
}

const BY_WEBHOOK = workflow("bywebhook0000001", [
  node("Trigger", "n8n-nodes-postroom.postroomTrigger", { events: ["message.received"] }, 0, {
    credentials,
    webhookId: crypto.randomUUID(),
  }),
  onlySubject("Ping"),
  postroom("Archive", { resource: "thread", operation: "archive", threadId: "={{ $json.data.thread_id }}" }, 400),
  postroom(
    "Draft",
    { resource: "draft", operation: "create", to: "maria@acme.example", subject: "Pong", body: "By n8n", options: {} },
    600,
  ),
  postroom(
    "Send",
    { resource: "draft", operation: "send", draftId: "={{ $json.id }}", options: { undoWindow: 0 } },
    800,
  ),
]);

const BY_LOG = workflow("bylog00000000001", [
  node(
    "Trigger",
    "n8n-nodes-postroom.postroomEventLogTrigger",
    {
      events: ["message.received"],
      // n8n polls once a minute at most.
      pollTimes: { item: [{ mode: "everyMinute" }] },
    },
    0,
    { credentials },
  ),
  onlySubject("Poll"),
  postroom(
    "Label",
    { resource: "thread", operation: "label", threadId: "={{ $json.data.thread_id }}", addLabels: "polled" },
    400,
  ),
]);

/** The example, with our credentials. */
function example() {
  const flow = JSON.parse(readFileSync(EXAMPLE, "utf8")) as { id: string; nodes: { credentials?: object }[] };
  for (const one of flow.nodes) if (one.credentials) one.credentials = credentials;
  return flow;
}

/** Returns the data of a workflow that n8n has stored. */
function stored(home: string, id: string): string {
  const db = new Database(join(home, ".n8n/database.sqlite"), { readonly: true });
  try {
    return String(
      db.query<{ data: string }, string>("select staticData as data from workflow_entity where id = ?").get(id)?.data,
    );
  } finally {
    db.close();
  }
}

/** Creates the owner of n8n, and tests credentials as its page does. */
async function checkCredentials(url: string, credential: { data: { apiKey: string } }): Promise<void> {
  let cookie = "";
  const post = async (path: string, body: object): Promise<Json> => {
    const headers = { "Content-Type": "application/json", "browser-id": "test", cookie };
    const response = await fetch(`${url}/rest${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    cookie = response.headers.get("set-cookie")?.split(";")[0] ?? cookie;
    const text = await response.text();
    assert(response.ok, `${path}: ${response.status} ${text}`);
    return JSON.parse(text).data as Json;
  };
  const owner = { email: "owner@mail.test", firstName: "A", lastName: "B", password: "Correct-horse-7" };
  await post("/owner/setup", owner);
  const test = async (apiKey: string) =>
    (await post("/credentials/test", { credentials: { ...credential, data: { ...credential.data, apiKey } } })).status;
  assert.equal(await test(credential.data.apiKey), "OK");
  assert.equal(await test("service_test_wrong"), "Error");
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads answers of every shape
type Json = Record<string, any>;

async function main({ folder, node: nodeProgram }: RealProgram): Promise<void> {
  assert(existsSync(join(CLIENT, "dist")), "clients/n8n is not built: npm ci && npm run build");
  const home = mkdtempSync(join(tmpdir(), "postroom-n8n-"));
  const data = join(home, "postroom");
  const port = await freePort();
  const env = {
    PATH: `${join(nodeProgram, "..")}:${process.env.PATH}`,
    HOME: home,
    N8N_USER_FOLDER: home,
    N8N_PORT: String(port),
    N8N_LISTEN_ADDRESS: "127.0.0.1",
    N8N_RUNNERS_BROKER_PORT: String(await freePort()),
    WEBHOOK_URL: `http://127.0.0.1:${port}/`,
    N8N_DIAGNOSTICS_ENABLED: "false",
    N8N_VERSION_NOTIFICATIONS_ENABLED: "false",
    N8N_TEMPLATES_ENABLED: "false",
  };
  const n8n = [nodeProgram, join(folder, "node_modules/n8n/bin/n8n")];
  const command = (...args: string[]) => {
    const { exitCode, stdout, stderr } = Bun.spawnSync([...n8n, ...args], { env, cwd: home });
    assert.equal(exitCode, 0, `n8n ${args[0]}: ${stdout}${stderr}`);
  };
  const start = async (): Promise<Running> => {
    const running = run([...n8n, "start"], env, home);
    await eventually(() => running.log().includes("Editor is now accessible"), 120_000).catch(async (error) => {
      await running.stop();
      throw new Error(`n8n does not start: ${running.log()}`, { cause: error });
    });
    return running;
  };

  const { testKey: key } = install(data, 1, 1);
  const server = await serve(data);
  let running: Running | null = null;
  try {
    // As n8n installs it: package.json and the published files.
    const installed = join(home, ".n8n/nodes/node_modules/n8n-nodes-postroom");
    mkdirSync(installed, { recursive: true });
    for (const name of ["package.json", "dist"]) cpSync(join(CLIENT, name), join(installed, name), { recursive: true });
    const imported = (name: string, value: object) => {
      writeFileSync(join(home, name), JSON.stringify([value]));
      return `--input=${join(home, name)}`;
    };
    const secret = { id: KEY_ID, name: "Postroom", type: "postroomApi", data: { url: server.url, apiKey: key } };
    command("import:credentials", imported("credentials.json", secret));
    const flows = [BY_WEBHOOK, BY_LOG, example()];
    for (const flow of flows) {
      command("import:workflow", imported(`${flow.id}.json`, flow));
      command("publish:workflow", `--id=${flow.id}`);
    }
    running = await start();

    const get = async (path: string) => (await server.fetch(path, key)).json() as Promise<Json>;
    const deliver = async (subject: string) => {
      const response = await server.fetch("/messages/send", key, {
        method: "POST",
        headers: { "Content-Type": "application/json", "Idempotency-Key": crypto.randomUUID() },
        body: JSON.stringify({ to: ["maria@acme.example"], subject, body: "Hello", undo_window_s: 0 }),
      });
      assert.equal(response.status, 200, await response.text());
    };
    const threads = async (query: string, state = "inbox") =>
      (await get(`/threads?state=${state}&q=${encodeURIComponent(query)}`)).data as Json[];

    await checkCredentials(`http://127.0.0.1:${port}`, secret);
    console.info("passed: n8n's test accepts the credentials, and refuses a wrong key");

    await eventually(async () => (await get("/webhooks")).data.length === 2, 60_000);
    const { data: endpoints } = await get("/webhooks");
    for (const { url } of endpoints) assert.match(url, new RegExp(`^http://127\\.0\\.0\\.1:${port}/webhook/`));
    console.info("passed: the triggers registered their endpoints");

    // n8n stores the secret after it has registered the endpoint; until then, the trigger refuses deliveries.
    for (const { id } of [BY_WEBHOOK, example()]) await eventually(() => stored(home, id).includes('"secret"'), 60_000);
    await deliver("Ping");
    await eventually(async () => (await threads("subject:Ping", "archived")).length === 1, 60_000);
    console.info("passed: a signed event started the workflow, which archived the thread");
    await eventually(async () => {
      const { data: sends } = await get("/sends?status=sent");
      return sends.filter(({ subject }: { subject: string }) => subject === "Pong").length === 1;
    }, 60_000);
    console.info("passed: the workflow created a draft and sent it once");

    await deliver("Your invoice of May");
    await eventually(async () => (await threads("subject:invoice label:invoice subject:May")).length === 1, 60_000);
    console.info("passed: the workflow of deploy/compose/n8n labeled an invoice");

    const unsigned = await fetch(endpoints[0].url, { method: "POST", body: '{"event":"message.received","data":{}}' });
    assert.equal(unsigned.status, 401);
    console.info("passed: a request without a signature is refused with 401");

    // The first poll stores the end of the log.
    await eventually(() => stored(home, BY_LOG.id).includes('"cursor"'), 60_000);
    await deliver("Poll");
    await eventually(async () => (await threads("subject:Poll label:polled")).length === 1, 100_000);
    console.info("passed: the event log started the workflow");

    await running.stop();
    running = null;
    await deliver("Poll");
    running = await start();
    await eventually(async () => (await threads("subject:Poll label:polled")).length === 2, 100_000);
    console.info("passed: after a restart of n8n, the workflow read the event that it missed");
    assert.equal((await get("/webhooks")).data.length, 2);
    console.info("passed: the restart registered no further endpoints");
  } catch (error) {
    for (const { id } of (await (await server.fetch("/webhooks", key)).json()).data) {
      console.error(await (await server.fetch(`/webhooks/${id}/deliveries`, key)).text());
    }
    console.error(running?.log().slice(-4000));
    throw error;
  } finally {
    await running?.stop();
    await server.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

const program = realProgram("n8n", "2.40.7", ["sqlite3"]);
if (program) await main(program);
