import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { type Authority, createAuthority, OPENSSL } from "../support/certificates.ts";
import { type HttpsReceiver, startReceiver } from "../support/https-receiver.ts";
import { type LiveApp, startLiveApp } from "../support/live-app.ts";

/** `postroom webhook …` beside a running server. */

const MAIN = join(import.meta.dir, "../../src/main.ts");

if (!OPENSSL) console.info("skipped: postroom webhook (openssl is not installed)");

describe.skipIf(!OPENSSL)("postroom webhook", () => {
  let authority: Authority;
  let receiver: HttpsReceiver;
  let live: LiveApp;
  let id: string;

  beforeAll(async () => {
    authority = createAuthority();
    receiver = await startReceiver(authority.issue(["127.0.0.1"]));
    live = await startLiveApp({ "webhooks.allow": "127.0.0.1", "webhooks.ca_file": authority.ca_file });
    const body = { url: `${receiver.origin}/hook`, events: ["draft.created"] };
    id = (await live.call("POST", "/webhooks", { body })).json.data.id;
  }, 60_000);
  afterAll(async () => {
    await live?.close();
    await receiver?.stop();
    authority?.remove();
  }, 30_000);

  const postroom = (...args: string[]) => run(["webhook", ...args]);

  async function run(args: string[], more: Record<string, string> = {}) {
    const child = Bun.spawn([process.execPath, MAIN, ...args], {
      env: {
        PATH: process.env.PATH ?? "",
        POSTROOM_DATA: live.app.platform.config.data_dir,
        POSTROOM_WEBHOOKS_ALLOW: "127.0.0.1",
        POSTROOM_WEBHOOKS_CA_FILE: authority.ca_file,
        ...more,
      },
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    return { code: await child.exited, out, err };
  }

  test("lists endpoints", async () => {
    const { code, out } = await postroom("list", "--json");
    expect([code, JSON.parse(out)]).toEqual([
      0,
      [
        {
          id,
          user: "owner@localhost",
          test: false,
          url: `${receiver.origin}/hook`,
          events: "draft.created",
          status: "active",
          why: null,
          failures: 0,
          last_failure_at: null,
        },
      ],
    ]);
  }, 30_000);

  test("sends a ping and reports the answer", async () => {
    const { code, out, err } = await postroom("test", id);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/\/hook responded with 200 after \d+ ms\.\n$/);
    expect(JSON.parse(receiver.received.at(-1)!.body)).toMatchObject({
      event: "webhook.test",
      data: { endpoint_id: id },
    });
    const { json } = await live.call("GET", `/webhooks/${id}/deliveries`);
    expect(json.data[0]).toMatchObject({ event: "webhook.test", status: "delivered" });
  }, 30_000);

  test("reports configuration errors", async () => {
    receiver.behave = () => ({ status: 503 });
    expect(await postroom("test", id)).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining("answered 503"),
    });
    receiver.behave = () => "reset";
    expect((await postroom("test", id)).err).toContain("closed the connection");
    expect(await postroom("test", "whk_nope")).toMatchObject({
      code: 1,
      err: expect.stringContaining("no webhook endpoint"),
    });
  }, 30_000);

  test.each([
    [{ POSTROOM_WEBHOOKS_ALLOW: "10.0.0.0/40" }, "webhooks.allow: 10.0.0.0/40 is neither"],
    [{ POSTROOM_WEBHOOKS_CA_FILE: "/nowhere.pem" }, "webhooks.ca_file names a file that does not exist"],
  ])(
    "an invalid setting is named: %p",
    async (env, words) => {
      expect(await run(["webhook", "test", id], env)).toMatchObject({ code: 1, err: expect.stringContaining(words) });
      expect((await run(["doctor"], env)).out).toContain(words);
    },
    30_000,
  );
});
