import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { SCOPES } from "../../src/kernel/scopes.ts";
import { type ApprovalFixture, approvalFixture } from "../support/approval-fixture.ts";
import { faultsInBoth } from "../support/axe.ts";
import { noBrowser } from "../support/browser.ts";
import { OWNER, type SettingsFixture, startSettings } from "../support/settings-fixture.ts";
import { backdateSessions } from "../support/stale-sessions.ts";

/** The pages for assistants in a real browser: the tool server, policies, approvals and the consent. */

const SLOW_MS = 240_000;
const NARROWEST_PX = 320;
const skipped = noBrowser("the pages for assistants: switch, policies, approvals, consent");

describe.skipIf(skipped)("the pages for assistants", () => {
  let fixture: SettingsFixture;
  let page: Page;
  let s: ApprovalFixture;

  beforeAll(async () => {
    fixture = await startSettings();
    page = (await fixture.profile()).page;
    await fixture.setUp(page);
    const { platform } = fixture.live.app;
    const owner = platform.users.findByEmail(OWNER.email)!;
    platform.users.setPlan(owner.id, "autopilot");
    const { key } = platform.keys.create({ user_id: owner.id, name: "Claude", scopes: [...SCOPES], test: false });
    s = approvalFixture(platform, owner.id, { id: key.id, name: "Claude" });
  }, SLOW_MS);
  afterAll(() => fixture?.close(), SLOW_MS);

  async function settled(hash: string): Promise<void> {
    await fixture.open(page, hash);
    await page.waitForFunction(() => document.querySelector("main .skeleton") === null);
  }

  async function expectGoodPage(): Promise<void> {
    expect(await faultsInBoth(page)).toEqual([]);
    const size = page.viewportSize()!;
    await page.setViewportSize({ width: NARROWEST_PX, height: size.height });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(NARROWEST_PX);
    await page.setViewportSize(size);
  }

  test(
    "the owner turns the tool server on and off, and copies the settings of each assistant",
    async () => {
      await settled("#/assistants");
      await page.getByText("No assistant can connect").waitFor();
      await page.getByRole("button", { name: "Turn on" }).click();
      await page.getByRole("button", { name: "Turn off" }).waitFor();
      const select = page.getByLabel("Assistant", { exact: true });
      const names = await select.locator("option").allTextContents();
      expect(names.length).toBeGreaterThan(8);
      for (const name of names) {
        await select.selectOption({ label: name });
        const text = (await page.locator(".copy-box code").first().textContent())!;
        expect([name, text.includes("/mcp") || text.includes("postroom mcp") || text.includes('"mcp"')]).toEqual([
          name,
          true,
        ]);
        if (text.startsWith("{")) JSON.parse(text);
      }
      await select.selectOption({ label: "ChatGPT" });
      await page.getByText("needs a public HTTPS address").waitFor();
      await select.selectOption({ label: "VS Code" });
      await page.getByRole("radio", { name: "API key" }).check();
      await page.getByText("promptString").waitFor();
      await expectGoodPage();
      await page.getByRole("button", { name: "Turn off" }).click();
      await page.getByText("No assistant can connect").waitFor();
      await page.getByRole("button", { name: "Turn on" }).click();
      await page.getByRole("button", { name: "Turn off" }).waitFor();
    },
    SLOW_MS,
  );

  test(
    "a policy is loosened only after the person has authenticated again",
    async () => {
      await settled("#/assistants");
      const row = page.getByRole("listitem").filter({ hasText: "Claude" });
      await row.getByText("Sending: asks before each message").waitFor();
      backdateSessions(fixture.live.app.platform);
      await page.getByRole("button", { name: "Sending rules for Claude" }).click();
      expect(await faultsInBoth(page)).toEqual([]);
      await page.getByRole("radio", { name: /^Anyone/ }).check();
      await page.getByRole("button", { name: "Save" }).click();
      const dialog = page.getByRole("dialog", { name: "Confirm your identity" });
      await dialog.getByLabel("Password").fill(OWNER.password);
      await dialog.getByRole("button", { name: "Continue", exact: true }).click();
      await row.getByText("any recipient").waitFor();
      await page.getByRole("button", { name: "Sending rules for Claude" }).click();
      await page.getByRole("radio", { name: /^People you have written to/ }).check();
      await page.getByLabel("Messages per day").fill("0");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Enter a number from 1 to 1000.").waitFor();
      await page.getByLabel("Messages per day").fill("5");
      await page.getByRole("button", { name: "Save" }).click();
      await row.getByText("new recipients need approval, at most 5 per day").waitFor();
    },
    SLOW_MS,
  );

  test(
    "an approval shows the whole message, is approved, and can be undone",
    async () => {
      const body = '<p>See <a href="https://shop.example/pay">the offer</a>.</p>';
      const { approval_id } = s.ask(
        { subject: "Our offer", body, to: ["Zoe <zoe@new.example>", "max@new.example"] },
        30,
      );
      await settled("#/approvals");
      await page.getByRole("link", { name: "Approvals 1 waiting" }).waitFor();
      await expectGoodPage();
      await page.getByRole("link", { name: "Our offer" }).click();
      await page.getByRole("heading", { name: "Our offer" }).waitFor();
      for (const text of [
        "Zoe <zoe@new.example>",
        "max@new.example",
        "Claude (API key)",
        "never written to zoe@new.example",
      ]) {
        await page.getByText(text).first().waitFor();
      }
      await page.getByText("HTML source").first().click();
      await page.getByRole("region", { name: "HTML source" }).getByText("https://shop.example/pay").waitFor();
      await expectGoodPage();
      await page.getByRole("button", { name: "Approve and send" }).click();
      await page.getByText("You can undo until then.").waitFor();
      expect(await page.locator(".nav-count").count()).toBe(0);
      expect(await faultsInBoth(page)).toEqual([]);
      await page.getByRole("button", { name: "Undo send" }).click();
      await page.getByText("Send undone. The draft is kept.").waitFor();
      const owner = fixture.live.app.platform.users.findByEmail(OWNER.email)!;
      expect(s.sends.owned(owner.id, approval_id).state).toBe("approved");
    },
    SLOW_MS,
  );

  test(
    "an approval is rejected, and one whose draft has changed sends nothing",
    async () => {
      const first = s.ask({ subject: "To reject" });
      await settled(`#/approvals/${first.approval_id}`);
      await page.getByRole("button", { name: "Reject" }).click();
      await page.getByText("You rejected this message.").waitFor();
      const second = s.ask({ subject: "To change" });
      await settled(`#/approvals/${second.approval_id}`);
      s.change(second, "Another text.");
      await page.getByRole("button", { name: "Approve and send" }).click();
      await page.getByText("This approval sent nothing.").waitFor();
      await settled("#/approvals");
      await page.getByText("No messages waiting").waitFor();
      await page.getByText("Not sent", { exact: true }).first().waitFor();
      await expectGoodPage();
    },
    SLOW_MS,
  );

  test(
    "the addresses in the answers of tools show the mail, also that of the sandbox",
    async () => {
      const { db, users } = fixture.live.app.platform;
      const owner = users.findByEmail(OWNER.email)!;
      const sandbox = users.sandboxOf(owner.id);
      const sample = db.sql
        .query<{ id: string; thread_id: string }, [string]>(
          `SELECT m.id, m.thread_id FROM messages m WHERE m.user_id = ?
           AND (SELECT count(*) FROM messages o WHERE o.thread_id = m.thread_id) > 1 ORDER BY m.n LIMIT 1`,
        )
        .get(sandbox.id)!;
      await settled(`#/threads/${sample.thread_id}`);
      const opened = () => page.waitForURL((url) => url.hash === `#/read/${sample.thread_id}`);
      await opened();
      expect(await page.evaluate(() => localStorage.getItem("postroom.sandbox"))).toBe("1");
      await page.evaluate(() => localStorage.clear());
      await page.reload();
      await settled(`#/messages/${sample.id}`);
      await opened();
      await settled("#/messages/msg_00000000000000000000000000");
      await page.getByText("No such message").waitFor();
    },
    SLOW_MS,
  );

  test(
    "a person sees who asks for what, and the assistant gets what they allow",
    async () => {
      const { origin } = fixture;
      const program = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("Connected.") });
      const redirect_uri = `http://127.0.0.1:${program.port}/callback`;
      const registered = await fetch(`${origin}/oauth/register`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({
          client_name: "Probe",
          redirect_uris: [redirect_uri],
          token_endpoint_auth_method: "none",
        }),
      });
      const { client_id } = (await registered.json()) as { client_id: string };
      const query = new URLSearchParams({
        client_id,
        redirect_uri,
        response_type: "code",
        code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
        code_challenge_method: "S256",
        resource: `${origin}/mcp`,
        scope: "mail:read mail:send",
        state: "st",
      });
      const open = async () => {
        await page.goto(`${origin}/oauth/authorize?${query}`);
        await page.getByRole("heading", { name: "Allow “Probe” to use your mail?" }).waitFor();
      };
      const back = () => page.waitForURL((url) => url.href.startsWith(redirect_uri));
      await open();
      await page.getByText("a program on this computer").waitFor();
      expect(await page.getByRole("checkbox", { name: /^Read mail/ }).isChecked()).toBe(true);
      expect(await page.getByRole("checkbox", { name: /^Send mail/ }).isChecked()).toBe(false);
      await page.getByRole("checkbox", { name: /^Send mail/ }).check();
      await page.getByRole("radio", { name: /^Always in Postroom/ }).check();
      await expectGoodPage();
      await page.getByRole("button", { name: "Allow" }).click();
      await back();
      expect(new URL(page.url()).searchParams.get("code")).toBeString();
      await settled("#/assistants");
      await page.getByText("every message needs an approval").waitFor();
      await page.getByRole("button", { name: "Revoke Probe" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
      await page.getByText("“Probe” revoked.").waitFor();

      await open();
      await page.getByRole("button", { name: "Deny" }).click();
      await back();
      expect(new URL(page.url()).searchParams.get("error")).toBe("access_denied");
      await program.stop(true);
      await settled("#/assistants/consent?uid=unknown");
      await page.getByRole("heading", { name: "This request has expired" }).waitFor();
      expect(await faultsInBoth(page)).toEqual([]);
    },
    SLOW_MS,
  );

  test("no page broke its own policy", () => {
    expect(fixture.complaints).toEqual([]);
  });
});
