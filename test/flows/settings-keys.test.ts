import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { KEY_PRESETS } from "../../src/kernel/key-presets.ts";
import { faultsInBoth } from "../support/axe.ts";
import { noBrowser } from "../support/browser.ts";
import { type SettingsFixture, startSettings } from "../support/settings-fixture.ts";

/** API keys by what they are for: presets, their next steps, and a dialog that fits small windows. */

const SLOW_MS = 120_000;
const skipped = noBrowser("presets of API keys on the settings page");

describe.skipIf(skipped)("presets of API keys", () => {
  let fixture: SettingsFixture;
  let page: Page;

  beforeAll(async () => {
    fixture = await startSettings({ "mcp.enabled": "true" });
    page = (await fixture.profile()).page;
    await fixture.setUp(page);
  }, SLOW_MS);
  afterAll(() => fixture?.close(), SLOW_MS);

  const dialog = () => page.getByRole("dialog", { name: "Create API key" });
  const codes = () => page.locator(".copy-box code").allTextContents();
  const keyNamed = (name: string) => {
    const { keys, users } = fixture.live.app.platform;
    const people = users.list().flatMap(({ id }) => users.rowsOf(id));
    return keys.list(people).find((key) => key.name === name)!;
  };

  async function openForm(): Promise<void> {
    await fixture.open(page, "#/keys");
    await page.getByRole("button", { name: "Create key" }).first().click();
    await dialog().getByLabel("Name", { exact: true }).waitFor();
  }

  async function create(name: string, preset: RegExp): Promise<void> {
    await openForm();
    await dialog().getByLabel("Name", { exact: true }).fill(name);
    await dialog().getByRole("radio", { name: preset }).check();
    await dialog().getByRole("button", { name: "Create key" }).click();
    await page.getByRole("heading", { name: `API key “${name}” created` }).waitFor();
  }

  /** Runs a command of the page in another process, because this one is the server. */
  async function run(command: string): Promise<string> {
    const shell = Bun.spawn(["sh", "-c", `${command} --silent --noproxy '*'`], { stdout: "pipe" });
    return await new Response(shell.stdout).text();
  }

  test(
    "the form fits a laptop and a phone: its buttons stay visible, and only its inside scrolls",
    async () => {
      for (const [width, height] of [
        [1280, 720],
        [1366, 768],
        [390, 780],
        [320, 568],
      ] as const) {
        await page.setViewportSize({ width, height });
        await openForm();
        for (const purpose of [/^Read only/, /^Choose permissions/]) {
          await dialog().getByRole("radio", { name: purpose }).check();
          for (const name of ["Create key", "Cancel", "Close"]) {
            const box = (await dialog().getByRole("button", { name, exact: true }).boundingBox())!;
            const inside = box.y >= 0 && box.y + box.height <= height && box.x >= 0 && box.x + box.width <= width;
            expect([width, String(purpose), name, inside]).toEqual([width, String(purpose), name, true]);
          }
          expect(await dialog().evaluate((shown) => shown.scrollWidth > shown.clientWidth)).toBe(false);
        }
        if (width >= 1280) {
          await dialog()
            .getByRole("radio", { name: /^Read only/ })
            .check();
          expect(await dialog().evaluate((shown) => shown.scrollHeight > shown.clientHeight)).toBe(false);
        }
        await page.keyboard.press("Escape");
      }
      await page.setViewportSize({ width: 1280, height: 860 });
    },
    SLOW_MS,
  );

  test(
    "the list of permissions appears only when it is chosen, and the form has no accessibility violations",
    async () => {
      await openForm();
      expect(
        await dialog()
          .getByRole("checkbox", { name: /^Read mail/ })
          .count(),
      ).toBe(0);
      const found = await faultsInBoth(page);
      await dialog()
        .getByRole("radio", { name: /^Choose permissions/ })
        .check();
      await dialog()
        .getByRole("checkbox", { name: /^Read mail/ })
        .waitFor();
      found.push(...(await faultsInBoth(page)));
      expect(found).toEqual([]);
      await page.keyboard.press("Escape");
    },
    SLOW_MS,
  );

  test(
    "the list says what a key can do: in the words of its preset, or with its permissions",
    async () => {
      const { keys, users } = fixture.live.app.platform;
      const user_id = users.list()[0]!.id;
      const automation = KEY_PRESETS.find(({ name }) => name === "automation")!;
      const given = { user_id, test: false };
      keys.create({ ...given, name: "flows", scopes: [...automation.scopes] });
      keys.create({ ...given, name: "flows of tools", scopes: [...automation.scopes], tools_only: true });
      await fixture.open(page, "#/mailboxes");
      await fixture.open(page, "#/keys");
      const line = (name: string) =>
        page
          .getByRole("listitem")
          .filter({ has: page.getByRole("button", { name: `Revoke key ${name}`, exact: true }) });
      await line("flows").getByText(`n8n and automations: ${automation.can} ${automation.cannot}`).waitFor();
      await line("flows of tools").getByText("Read mail, Organize mail, Write drafts").waitFor();
    },
    SLOW_MS,
  );

  test(
    "a read-only key reads with the command that is shown, and changes nothing",
    async () => {
      await create("dashboard", /^Read only/);
      const [secret, command] = await codes();
      expect(JSON.parse(await run(command!))).toHaveProperty("data");
      const { status } = await fixture.live.call("POST", "/drafts", { key: secret, body: { to: ["a@b.example"] } });
      expect(status).toBe(403);
    },
    SLOW_MS,
  );

  test(
    "a key for an assistant lists its tools with the command that is shown, and leads to the settings of assistants",
    async () => {
      await create("claude", /^Assistant/);
      expect(keyNamed("claude").tools_only).toBe(true);
      const [secret, command] = await codes();
      expect(await run(command!)).toContain('"send_draft"');
      expect((await fixture.live.call("GET", "/threads", { key: secret })).status).toBe(403);
      await page.getByRole("main").getByRole("link", { name: "Assistants" }).click();
      await page.getByRole("heading", { name: "Assistants", level: 1 }).waitFor();
    },
    SLOW_MS,
  );

  test(
    "a key for n8n can manage webhooks, and its next steps lead to them",
    async () => {
      await create("n8n", /^n8n and automations/);
      expect(keyNamed("n8n").scopes).toContain("webhooks:manage");
      expect(JSON.parse(await run((await codes())[1]!))).toHaveProperty("data");
      await page.getByText("Header Auth").waitFor();
      expect(await faultsInBoth(page)).toEqual([]);
      await page.getByRole("main").getByRole("link", { name: "Webhooks" }).click();
      await page.getByRole("heading", { name: "Webhooks", level: 1 }).waitFor();
    },
    SLOW_MS,
  );
});
