import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { bundleWebApp } from "../../web/bundle.ts";
import { faults, faultsInBoth } from "../support/axe.ts";
import { noBrowser } from "../support/browser.ts";
import { type SettingsFixture, startSettings } from "../support/settings-fixture.ts";

/** Every page of the settings page: accessibility, keyboard use, phone width and download size. */

const SLOW_MS = 240_000;
/** Served under a base path, as behind a proxy with other services, so every URL must be relative. */
const BASE = "/mail";
const PAGES = [
  "#/",
  "#/read",
  "#/read/drafts",
  "#/read/thr_01kk8f2v0c5s9w3n7r1m4q6t8x",
  "#/ask",
  "#/mailboxes",
  "#/mailboxes/connect",
  "#/mailboxes/import",
  "#/search",
  "#/rules",
  "#/rules/new",
  "#/assistants",
  "#/approvals",
  "#/agent",
  "#/agent/new",
  "#/ai",
  "#/keys",
  "#/webhooks",
  "#/usage",
  "#/audit",
  "#/notifications",
  "#/security",
  "#/people",
  "#/backup",
  "#/system",
  "#/nothing-here",
];
const NARROWEST_PX = 320;
const MAX_BYTES = 150 * 1024;
const INTERACTIVE_MS = 1_000;

const skipped = noBrowser("the pages of the settings page: accessibility, phone width, weight");

describe.skipIf(skipped)("the pages of the settings page", () => {
  let fixture: SettingsFixture;
  let page: Page;

  beforeAll(async () => {
    fixture = await startSettings({ "http.base_path": BASE });
    const { users } = fixture.live.app.platform;
    users.add({ email: "somebody.with.a.long.address@home.example", plan: "pro", role: "member", timezone: "UTC" });
    page = (await fixture.profile()).page;
  }, SLOW_MS);
  afterAll(() => fixture?.close(), SLOW_MS);

  /** Opens a page and waits until no placeholder is left. */
  async function settled(on: Page, hash: string): Promise<void> {
    await fixture.open(on, hash);
    await on.waitForFunction(() => document.querySelector("main .skeleton") === null);
  }

  test(
    "the first-run pages have no accessibility violations, in light and dark",
    async () => {
      await page.goto(fixture.live.app.setupUrl!);
      await page.getByRole("heading", { name: "Welcome to Postroom" }).waitFor();
      const found = await faults(page);
      await page.emulateMedia({ colorScheme: "dark" });
      found.push(...(await faults(page)));
      await page.emulateMedia({ colorScheme: "light" });
      await fixture.setUp(page);
      expect(found).toEqual([]);
    },
    SLOW_MS,
  );

  for (const dark of [false, true]) {
    test(
      `no page has accessibility violations, in ${dark ? "dark" : "light"}`,
      async () => {
        await page.emulateMedia({ colorScheme: dark ? "dark" : "light" });
        const found: string[] = [];
        for (const hash of PAGES) {
          await settled(page, hash);
          found.push(...(await faults(page)).map((fault) => `${hash} ${fault}`));
        }
        expect(found).toEqual([]);
      },
      SLOW_MS,
    );
  }

  test(
    "a dialog with form errors has no accessibility violations",
    async () => {
      await settled(page, "#/keys");
      await page.getByRole("button", { name: "Create key" }).click();
      await page.getByRole("radio", { name: /^Choose permissions/ }).check();
      await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
      await page.getByText("Select at least one permission").waitFor();
      expect(await faults(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      // The focus returned to the button that opened the dialog.
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Create key");
    },
    SLOW_MS,
  );

  /** Pages, and the button on each that opens a dialog. */
  const DIALOGS: [string, string][] = [
    ["#/keys", "Create key"],
    ["#/webhooks", "Add endpoint"],
    ["#/notifications", "Add target"],
    ["#/security", "Turn on"],
    ["#/security", "Create recovery key"],
    ["#/mailboxes", "Set up Google"],
    ["#/people", "Add member"],
    ["#/people", "Delete member somebody.with.a.long.address@home.example"],
  ];
  test(
    "dialogs have no accessibility violations in light and dark, and take and return the focus",
    async () => {
      const found: string[] = [];
      for (const [hash, name] of DIALOGS) {
        await settled(page, hash);
        const opener = page.getByRole("button", { name, exact: true }).first();
        await opener.click();
        const dialog = page.getByRole("dialog");
        await dialog.waitFor();
        await page.waitForFunction(() => document.querySelector("dialog .skeleton") === null);
        found.push(...(await faultsInBoth(page)).map((fault) => `${hash} ${name}: ${fault}`));
        if (!(await dialog.evaluate((shown) => shown.contains(document.activeElement))))
          found.push(`${name}: no focus`);
        await page.keyboard.press("Escape");
        await dialog.waitFor({ state: "detached" });
        if (!(await opener.evaluate((button) => button === document.activeElement))) found.push(`${name}: focus lost`);
      }
      expect(found).toEqual([]);
    },
    SLOW_MS,
  );

  test(
    "no page is wider than the narrowest phone",
    async () => {
      const { page: phone } = await fixture.profile({ width: NARROWEST_PX });
      await fixture.signIn(phone);
      const wide: string[] = [];
      for (const hash of PAGES) {
        await settled(phone, hash);
        const width = await phone.evaluate(() => document.documentElement.scrollWidth);
        if (width > NARROWEST_PX) wide.push(`${hash}: ${width}`);
      }
      expect(wide).toEqual([]);
      // The menu opens over the page. Escape or a choice closes it.
      const menu = phone.getByRole("button", { name: "Menu" });
      const state = (open: boolean) => phone.locator(`.menu-button[aria-expanded=${open}]`).waitFor();
      await menu.click();
      await state(true);
      await phone.keyboard.press("Escape");
      await state(false);
      await menu.click();
      await phone.getByRole("link", { name: "API keys" }).click();
      await phone.getByRole("heading", { name: "API keys" }).waitFor();
      await state(false);
    },
    SLOW_MS,
  );

  test(
    "all navigation works with the keyboard alone",
    async () => {
      await settled(page, "#/");
      await page.reload();
      await page.locator("h1").waitFor();
      await page.keyboard.press("Tab");
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to content");
      await page.keyboard.press("Enter");
      expect(await page.evaluate(() => document.activeElement?.id)).toBe("content");
      await page.getByRole("link", { name: "Rules" }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Rules", level: 1 }).waitFor();
      // The heading of the new page has the focus, so screen readers continue there.
      await page.waitForFunction(() => document.activeElement?.tagName === "H1");
    },
    SLOW_MS,
  );

  test(
    "the sandbox switch shows sample mail with a notice, and stays on until it is turned off",
    async () => {
      await settled(page, "#/search");
      await page.getByRole("switch", { name: "Sandbox" }).check();
      await page.getByText("You are in the sandbox").waitFor();
      await page.getByRole("button", { name: "invoice newer_than:90d" }).waitFor();
      await page.getByLabel("Search your mail").fill("climbing weekend");
      await page.getByRole("radio", { name: "Keyword", exact: true }).check();
      await page.getByRole("button", { name: "Search", exact: true }).click();
      await page
        .getByRole("button", { name: /Climbing weekend/ })
        .first()
        .waitFor();
      await settled(page, "#/mailboxes");
      await page.getByRole("link", { name: "alex@sandbox.example" }).click();
      await page.getByRole("heading", { name: "Folders" }).waitFor();
      expect(await page.getByRole("button", { name: "Pause" }).count()).toBe(0);
      await page.reload();
      await page.getByText("You are in the sandbox").waitFor();
      await page.getByRole("switch", { name: "Sandbox" }).uncheck();
      await page.getByText("You are in the sandbox").waitFor({ state: "detached" });
    },
    SLOW_MS,
  );

  test(
    "the chosen colors stay",
    async () => {
      await settled(page, "#/");
      await page.getByRole("button", { name: "Theme: Auto" }).click();
      await page.getByRole("button", { name: "Theme: Light" }).click();
      await page.reload();
      await page.getByRole("button", { name: "Theme: Dark" }).waitFor();
      expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe("dark");
      await page.getByRole("button", { name: "Theme: Dark" }).click();
    },
    SLOW_MS,
  );

  test(
    "the compressed page is smaller than 150 KB, and is interactive within a second",
    async () => {
      const { page: fresh } = await fixture.profile();
      let bytes = 0;
      const counting: Promise<void>[] = [];
      fresh.on("requestfinished", (request) => {
        const add = async () => {
          const { responseBodySize, responseHeadersSize } = await request.sizes();
          bytes += responseBodySize + responseHeadersSize;
        };
        counting.push(add());
      });
      const times: number[] = [];
      // The best of several runs counts, because other programs on this machine affect single ones.
      for (let turn = 0; turn < 5; turn++) {
        await fresh.context().clearCookies();
        await fresh.goto("about:blank");
        await fresh.goto(`${fixture.origin}/app/`);
        await fresh.getByRole("heading", { name: "Sign in" }).waitFor();
        if (turn === 0) {
          await Promise.all(counting);
          expect(bytes).toBeGreaterThan(10_000);
          expect(bytes).toBeLessThan(MAX_BYTES);
          console.info(`the settings page: ${Math.round(bytes / 1024)} KiB over the wire`);
        }
        times.push(
          await fresh.evaluate(() => {
            const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
            return navigation!.domContentLoadedEventEnd;
          }),
        );
      }
      const best = Math.min(...times);
      console.info(`interactive after ${Math.round(best)} ms`);
      expect(best).toBeLessThan(INTERACTIVE_MS);
    },
    SLOW_MS,
  );

  test("the bundle contains no address of another origin", async () => {
    const { assets } = await bundleWebApp();
    const text = assets.map(({ plain }) => new TextDecoder().decode(plain)).join("\n");
    const addresses = [...text.matchAll(/\bhttps?:\/\/[a-z0-9.-]+/gi)].map(([address]) => address);
    // XML namespaces, examples in placeholders, and the servers that a form suggests.
    const stores = "nas\\.lan|s3\\.REGION\\.backblazeb2\\.com|ACCOUNT\\.r2\\.cloudflarestorage\\.com";
    const known = new RegExp(`^https?://(www\\.w3\\.org|ntfy\\.sh|hooks\\.example\\.org|127\\.0\\.0\\.1|${stores})$`);
    expect(addresses.filter((address) => !known.test(address))).toEqual([]);
  });

  test("no request left the origin, and no page broke its own policy", () => {
    expect(fixture.strays).toEqual([]);
    expect(fixture.complaints).toEqual([]);
  });
});
