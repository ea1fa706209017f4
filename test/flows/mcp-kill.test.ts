import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { APP_HEADER } from "../../src/http/guard/app-guard.ts";
import { SESSION_COOKIE } from "../../src/http/guard/session-cookie.ts";
import { SendingPolicies, type SendingPolicy } from "../../src/outbound/approvals/policies.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { SYSTEM_ACTOR } from "../../src/platform/ledger/audit.ts";
import { openPlatform } from "../../src/platform/platform.ts";
import { eventually } from "../support/eventually.ts";
import { install, type Served, serve } from "../support/served-program.ts";
import { type ScriptedSmtp, startScriptedSmtp } from "../support/smtp-server.ts";

/** An assistant sends while the program is killed: the repeated second step returns the outcome, and nothing leaves twice. */

const ROUNDS = 6;
const SLOW_MS = 900_000;
/** A send that was cut off looks for its copy for 30 seconds, and a refused connection is tried again after a minute. */
const WAIT_MS = 120_000;

let data_dir: string;
let smtp: ScriptedSmtp;
let key: string;

beforeAll(async () => {
  data_dir = mkdtempSync(join(tmpdir(), "postroom-mcp-kill-"));
  writeFileSync(join(data_dir, "postroom.toml"), "[mcp]\nenabled = true\n");
  smtp = await startScriptedSmtp();
  // No mail server answers: sending needs none.
  key = install(data_dir, 9, smtp.login.port).key;
  policy({ confirm: "token", recipients: "anyone", sends_per_day: 1_000 });
}, SLOW_MS);
afterAll(async () => {
  await smtp.stop();
  rmSync(data_dir, { recursive: true, force: true });
});

/** Changes the sending rules of the key. Without a person, only the crash decides what happens. */
function policy(given: Partial<SendingPolicy>): void {
  const platform = openPlatform({ config: loadConfig({ data_dir, env: {} }), clock: systemClock });
  const { id, user_id } = platform.keys.find(key)!;
  new SendingPolicies(platform).set(user_id, id, given, { actor: SYSTEM_ACTOR, request_id: null });
  platform.close();
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads answers of every shape
async function tool({ url }: Served, name: string, args: object): Promise<any> {
  const headers = {
    Authorization: `Bearer ${key}`,
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
  };
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } };
  const text = await (await fetch(`${url}/mcp`, { method: "POST", headers, body: JSON.stringify(call) })).text();
  const { result } = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
  if (result.isError) throw new Error(result.content[0].text);
  return result.structuredContent;
}

/** Signs the owner in, as the settings page does. */
function signIn(): string {
  const platform = openPlatform({ config: loadConfig({ data_dir, env: {} }), clock: systemClock });
  const owner = platform.users.list()[0]!;
  const about = { user_id: owner.id, method: "password", address: "127.0.0.1", user_agent: "test" } as const;
  const { token } = platform.sessions.create(about);
  platform.close();
  return `${SESSION_COOKIE}=${token}`;
}

test(
  "killed while a send waits for the person, the approval is kept once and the message leaves once",
  async () => {
    const cookie = signIn();
    const page = async ({ url }: Served, method: string, path: string) => {
      const headers = { Cookie: cookie, [APP_HEADER]: "1", Origin: url };
      const response = await fetch(`${url}/app/api${path}`, { method, headers });
      return { status: response.status, json: await response.json() };
    };
    let served = await serve(data_dir);
    const subject = "Waits";
    const { id: draft_id } = await tool(served, "save_draft", { to: ["bob@mail.test"], subject, body: "Hello." });
    const { confirmation } = await tool(served, "prepare_send", { draft_id, undo_window_s: 0 });
    const send = { draft_id, confirmation };
    const restart = async (how: "kill" | "stop") => {
      await served[how]();
      served = await serve(data_dir);
    };
    policy({ confirm: "approve" });
    // Killed while the answer is on its way: a repeated call returns the same approval.
    const answered = tool(served, "send_draft", send).catch(() => null);
    await Bun.sleep(3);
    await restart("kill");
    await answered;
    const { approval_id } = await tool(served, "send_draft", send);
    for (const how of ["kill", "stop"] as const) {
      await restart(how);
      expect((await tool(served, "send_draft", send)).approval_id).toBe(approval_id);
      const { json } = await page(served, "GET", "/approvals?waiting=true");
      expect(json.data.map(({ id }: { id: string }) => id)).toEqual([approval_id]);
    }
    // Killed during the decision: it is repeated, and either the first or the second one sends.
    const deciding = page(served, "POST", `/approvals/${approval_id}/approve`).catch(() => null);
    await Bun.sleep(5);
    await restart("kill");
    await deciding;
    expect((await page(served, "POST", `/approvals/${approval_id}/approve`)).status).toBeOneOf([200, 409]);
    expect((await page(served, "POST", `/approvals/${approval_id}/approve`)).status).toBe(409);
    const { send_id } = await tool(served, "send_draft", send);
    const status = async () => (await (await served.fetch(`/sends/${send_id}`, key)).json()).status;
    await eventually(async () => !["scheduled", "sending"].includes(await status()), WAIT_MS);
    const delivered = smtp.accepted.filter(({ raw }) => raw.includes(`Subject: ${subject}\r\n`)).length;
    expect([delivered, await status()]).toBeOneOf([
      [1, "sent"],
      [1, "failed"],
      [0, "failed"],
    ]);
    const { data } = await (await served.fetch("/sends?limit=100", key)).json();
    expect(data.filter((sent: { subject: string }) => sent.subject === subject).length).toBe(1);
    await served.stop();
    policy({ confirm: "token" });
  },
  SLOW_MS,
);

test(
  "killed between the two steps or during the second, an assistant's message leaves once",
  async () => {
    let served = await serve(data_dir);
    for (let round = 0; round < ROUNDS; round++) {
      const subject = `Round ${round}`;
      const { id: draft_id } = await tool(served, "save_draft", { to: ["bob@mail.test"], subject, body: "Hello." });
      const { confirmation } = await tool(served, "prepare_send", { draft_id, undo_window_s: 0 });
      const send = { draft_id, confirmation };
      // Round 0 is killed before the second step, the others a little later each.
      const answered = round === 0 ? null : tool(served, "send_draft", send).catch(() => null);
      await Bun.sleep(round === 0 ? 0 : 3 * (round - 1));
      served.kill();
      await answered;
      served = await serve(data_dir);
      const again = await tool(served, "send_draft", send);
      expect((await tool(served, "send_draft", send)).send_id).toBe(again.send_id);
      const status = async () => (await (await served.fetch(`/sends/${again.send_id}`, key)).json()).status;
      await eventually(async () => !["scheduled", "sending"].includes(await status()), WAIT_MS);
      const delivered = smtp.accepted.filter(({ raw }) => raw.includes(`Subject: ${subject}\r\n`)).length;
      // A message that may have been submitted when the program was killed is never submitted again.
      expect([delivered, await status()]).toBeOneOf([
        [1, "sent"],
        [1, "failed"],
        [0, "failed"],
      ]);
      const { data } = await (await served.fetch("/sends?limit=100", key)).json();
      expect(data.filter((sent: { subject: string }) => sent.subject === subject).length).toBe(1);
    }
    await served.stop();
  },
  SLOW_MS,
);
