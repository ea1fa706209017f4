import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Page } from "playwright-core";
import { noBrowser } from "../support/browser.ts";
import { OAuthStore } from "../support/oauth-store.ts";
import { OWNER, type SettingsFixture, startSettings } from "../support/settings-fixture.ts";

/** The whole authorization of an assistant: the client of the official SDK, the whole server, and a person in a browser. */

const SLOW_MS = 240_000;
const skipped = noBrowser("the authorization of an assistant in a browser");

describe.skipIf(skipped)("an assistant that uses OAuth", () => {
  let fixture: SettingsFixture;
  let page: Page;
  let program: ReturnType<typeof Bun.serve>;
  let store: OAuthStore;

  beforeAll(async () => {
    fixture = await startSettings({ "mcp.enabled": "true" });
    page = (await fixture.profile()).page;
    await fixture.setUp(page);
    const { platform } = fixture.live.app;
    platform.users.setPlan(platform.users.findByEmail(OWNER.email)!.id, "autopilot");
    program = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("You can close this page.") });
    store = new OAuthStore(`http://127.0.0.1:${program.port}/callback`);
  }, SLOW_MS);
  afterAll(async () => {
    await program?.stop(true);
    await fixture?.close();
  }, SLOW_MS);

  const address = () => new URL(`${fixture.origin}/mcp`);
  function open() {
    const client = new Client({ name: "probe", version: "1" }, { versionNegotiation: { mode: "auto" } });
    return { client, transport: new StreamableHTTPClientTransport(address(), { authProvider: store }) };
  }
  async function connect(): Promise<Client> {
    const { client, transport } = open();
    await client.connect(transport);
    return client;
  }
  /** The person decides on the page to which the program sent them; the program then gets its tokens. */
  async function decide(asked: URL, choose: () => Promise<unknown>): Promise<void> {
    await page.goto(asked.href);
    await page.getByRole("heading", { name: "Allow “Probe” to use your mail?" }).waitFor();
    await choose();
    await page.getByRole("button", { name: "Allow" }).click();
    await page.waitForURL((url) => url.href.startsWith(store.redirectUrl));
    await open().transport.finishAuth(new URL(page.url()).searchParams);
  }
  const scopes = () => (store.kept.tokens.scope as string).split(" ").sort();
  const call = async (client: Client, name: string, args: Record<string, unknown> = {}) =>
    JSON.stringify(await client.callTool({ name, arguments: args }));

  test(
    "is refused, registers, is allowed by a person, gains a permission, refreshes, and is revoked",
    async () => {
      const refused = await fetch(address(), { method: "POST", body: "{}" });
      expect(refused.status).toBe(401);
      expect(refused.headers.get("www-authenticate")).toContain("/.well-known/oauth-protected-resource/mcp");

      await expect(connect()).rejects.toThrow();
      expect(store.kept.client.client_id).toBeString();
      const box = (name: RegExp) => page.getByRole("checkbox", { name });
      await decide(store.asked[0]!, async () => {
        const checked = page.getByRole("checkbox", { checked: true });
        while ((await checked.count()) > 0) await checked.first().uncheck();
        await box(/^Read mail/).check();
      });
      expect(scopes()).toEqual(["brief:read", "drafts:read", "mail:read", "search:read"]);

      const client = await connect();
      expect(await call(client, "get_overview")).toContain("mailboxes");
      const star = { ids: ["thr_01jz4t9h2m8q5r7v3w6x0y1z2a"], starred: true };
      await expect(call(client, "update_threads", star)).rejects.toThrow();
      expect(store.asked.at(-1)!.searchParams.get("scope")).toContain("mail:write");
      await decide(store.asked.at(-1)!, () => box(/^Organize mail/).check());
      expect(scopes()).toContain("mail:write");
      expect(await call(await connect(), "update_threads", star)).toContain("not_found");

      const before = store.kept.tokens;
      store.kept.tokens = { ...before, access_token: "expired" };
      expect(await call(await connect(), "get_overview")).toContain("mailboxes");
      expect(store.kept.tokens.access_token).not.toBe("expired");
      expect(store.kept.tokens.refresh_token).not.toBe(before.refresh_token);

      const last = await connect();
      await fixture.open(page, "#/assistants");
      await page.getByRole("button", { name: "Revoke Probe" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
      await page.getByText("“Probe” revoked.").waitFor();
      const asked = store.asked.length;
      await expect(call(last, "get_overview")).rejects.toThrow();
      expect(store.asked.length).toBeGreaterThan(asked);
    },
    SLOW_MS,
  );
});
