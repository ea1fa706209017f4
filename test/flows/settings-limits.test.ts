import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { faultsInBoth } from "../support/axe.ts";
import { noBrowser } from "../support/browser.ts";
import { type SettingsFixture, startSettings } from "../support/settings-fixture.ts";

/** The limits for programs in the page, and how little an owner who is alone meets of plans. */

const SLOW_MS = 120_000;
const PAGES = ["#/", "#/keys", "#/assistants", "#/usage", "#/people", "#/ai", "#/agent", "#/webhooks", "#/security"];

/** Returns the texts of an element, with spaces between them. */
async function wordsOf(element: Locator): Promise<string> {
  return await element.evaluate((root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts: string[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode.textContent ?? "");
    return texts.join(" ").replaceAll(/\s+/g, " ");
  });
}

describe.skipIf(noBrowser("the limits for programs on the settings page"))("the limits for programs", () => {
  let fixture: SettingsFixture;
  let page: Page;

  beforeAll(async () => {
    fixture = await startSettings({ "limits.autopilot.requests_per_day": "20000" });
    page = (await fixture.profile()).page;
    page.setDefaultTimeout(10_000);
    await fixture.setUp(page);
  }, SLOW_MS);
  afterAll(() => fixture?.close(), SLOW_MS);

  async function settled(hash: string): Promise<string> {
    await fixture.open(page, hash);
    await page.waitForFunction(() => document.querySelector("main .skeleton") === null);
    return await wordsOf(page.locator("main"));
  }
  const option = (name: string) => page.getByRole("group", { name: "Limits" }).getByRole("radio", { name });
  const limit = async () => (await fixture.live.call("GET", "/usage")).json.requests.limit;

  test(
    "an owner who is alone meets no plan and no credits",
    async () => {
      for (const hash of PAGES) {
        const text = await settled(hash);
        expect([hash, /\bplans?\b(?!ned)|autopilot plan|AI credits/i.exec(text)?.[0]]).toEqual([hash, undefined]);
      }
      await settled("#/keys");
      await page.getByRole("button", { name: "Create key" }).click();
      expect(await wordsOf(page.getByRole("dialog"))).not.toMatch(/\bplan\b/i);
    },
    SLOW_MS,
  );

  test(
    "are lifted and applied again by the owner",
    async () => {
      expect(await settled("#/usage")).toContain("of 20,000");
      expect(await option("Standard").isChecked()).toBe(true);
      await option("None").check();
      await page.getByText("Programs are no longer limited.").last().waitFor();
      expect(await limit()).toBe(1_000_000_000);
      await page.waitForFunction(() => !document.querySelector("main")?.textContent?.includes("of 20,000"));
      expect(await wordsOf(page.locator("main"))).not.toContain("1,000,000,000");
      expect(await faultsInBoth(page)).toEqual([]);
      expect(await settled("#/audit")).toMatch(/changed the limits for programs/);
      await settled("#/usage");
      expect(await option("None").isChecked()).toBe(true);
      await option("Standard").check();
      await page.getByText("The standard limits apply to programs.").last().waitFor();
      expect(await limit()).toBe(20_000);
    },
    SLOW_MS,
  );

  test("say how to get assistants to an owner who is alone and whose plan has none", async () => {
    const { users } = fixture.live.app.platform;
    const owner = users.list()[0]!;
    users.setPlan(owner.id, "pro");
    expect(await settled("#/assistants")).toContain("The limits for programs exclude assistants");
    await page.locator("main").getByRole("link", { name: "Limits for programs" }).click();
    await option("None").check();
    await page.getByText("Programs are no longer limited.").last().waitFor();
    expect(await settled("#/assistants")).not.toContain("exclude assistants");
    await settled("#/usage");
    await option("Standard").check();
    await page.getByText("The standard limits apply to programs.").last().waitFor();
    users.setPlan(owner.id, "autopilot");
  });

  test(
    "plans appear when there are several people, and only the owner sees the switch",
    async () => {
      await settled("#/people");
      await page.getByRole("button", { name: "Add member" }).click();
      await page.getByLabel("Email address").fill("bob@home.example");
      await page.getByRole("dialog").getByRole("button", { name: "Add member" }).click();
      await page.getByLabel("Plan of bob@home.example").waitFor();
      await page.keyboard.press("Escape");
      expect(await settled("#/usage")).toMatch(/Plan\s+autopilot/);
      const { users, invitations, db } = fixture.live.app.platform;
      const { token } = db.write(() => invitations.create(users.findByEmail("bob@home.example")!.id));
      const other = (await fixture.profile()).page;
      await other.goto(`${fixture.origin}/app/#invitation=${token}`);
      for (const label of ["Password", "Confirm password"]) {
        await other.getByLabel(label, { exact: true }).fill("a loud evening in June");
      }
      await other.getByRole("button", { name: "Accept invitation" }).click();
      await other.getByRole("heading", { name: "Today" }).waitFor();
      await fixture.open(other, "#/usage");
      await other.getByText("Plan", { exact: false }).first().waitFor();
      expect(await other.getByRole("heading", { name: "Limits for programs" }).count()).toBe(0);
    },
    SLOW_MS,
  );

  test("no request left the origin, and no page broke its own policy", () => {
    expect([fixture.strays, fixture.complaints]).toEqual([[], []]);
  });
});
