import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { faultsInBoth } from "../support/axe.ts";
import { noBrowser } from "../support/browser.ts";
import { type SettingsFixture, startSettings } from "../support/settings-fixture.ts";

/** Rules and the permissions of the agent on the settings page, with the sample mail of the sandbox. */

const SLOW_MS = 240_000;
const PHONE_PX = 390;
const skipped = noBrowser("rules on the settings page: editing, pausing, order, preview");

interface Rule {
  id: string;
  kind: string;
  name: string | null;
  enabled: boolean;
  conditions: unknown[];
  actions: unknown[];
}

describe.skipIf(skipped)("rules on the settings page", () => {
  let fixture: SettingsFixture;
  let page: Page;
  let key: string;
  let refused: string[] = [];

  beforeAll(async () => {
    fixture = await startSettings();
    page = (await fixture.profile()).page;
    await fixture.setUp(page);
    await page.evaluate(() => localStorage.setItem("postroom.sandbox", "1"));
    await page.reload();
    await page.getByText("You are in the sandbox").waitFor();
    key = fixture.live.newKey({ test: true });
    page.on("response", (response) => {
      if (response.status() >= 400) refused.push(`${response.request().method()} ${response.url()}`);
    });
  }, SLOW_MS);
  afterAll(() => fixture?.close(), SLOW_MS);

  const rules = async (): Promise<Rule[]> => (await fixture.live.call("GET", "/rules", { key })).json.data;
  const titles = async () => (await rules()).map(({ name }) => name);
  /** Replaces all rules. */
  async function given(...bodies: object[]): Promise<string[]> {
    for (const { id } of await rules()) await fixture.live.call("DELETE", `/rules/${id}`, { key });
    const ids: string[] = [];
    for (const body of bodies) {
      const { status, json } = await fixture.live.call("POST", "/rules", { key, body });
      expect(status).toBe(200);
      ids.push(json.id);
    }
    refused = [];
    return ids;
  }
  const sorting = (name: string | null, more = {}) => ({
    name,
    conditions: [{ field: "from_domain", op: "contains", value: "harbourline" }],
    actions: [{ type: "addLabel", value: "Harbourline" }],
    ...more,
  });
  const permits = (name: string | null, mode: string, value = "@", more = {}) => ({
    kind: "agent",
    name,
    conditions: [{ field: "from", op: "contains", value }],
    actions: [{ type: "setMode", value: mode }],
    ...more,
  });
  const condition = (n: number, on = page) => on.getByRole("group", { name: `Condition ${n}`, exact: true });
  const outcome = (text: RegExp, on = page) => on.getByRole("status").filter({ hasText: text }).waitFor();
  const focused = (on = page) => on.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? "");
  const saved = () => page.getByText("It applies to new mail.").first().waitFor();

  test(
    "the preview appears without a button as soon as the rule is valid, and follows each change",
    async () => {
      await given();
      await fixture.open(page, "#/rules");
      await page.getByRole("link", { name: "Create first rule" }).click();
      await page.getByText("The preview appears when each condition and action has a value.").waitFor();
      await condition(1).getByLabel("Value").fill("harbourline");
      await page.getByLabel("Label", { exact: true }).fill("Harbourline");
      await outcome(/^The rule matches \d+ of \d+ messages and would change all of them\.$/);
      const examples = page.getByRole("list", { name: "Examples" });
      const links = await examples.getByRole("link").evaluateAll((all) => all.map((a) => a.getAttribute("href")));
      expect(links.length).toBeGreaterThan(1);
      expect(links.filter((href) => !/^#\/read\/thr_\w+$/.test(href ?? ""))).toEqual([]);
      expect(await faultsInBoth(page)).toEqual([]);
      await condition(1).getByLabel("Value").fill("no such sender anywhere");
      await outcome(/^No match in \d+ messages\. If you expected some/);
      expect(await examples.count()).toBe(0);
      // Emptying a field hides the preview, which no longer fits.
      await condition(1).getByLabel("Value").fill("");
      await page.getByText("The preview appears when each condition and action has a value.").waitFor();
      expect(await rules()).toEqual([]);
    },
    SLOW_MS,
  );

  test(
    "errors are shown beside their fields, and the first one takes the focus",
    async () => {
      await given();
      await fixture.open(page, "#/");
      await fixture.open(page, "#/rules/new");
      await page.getByRole("button", { name: "Save rule" }).click();
      const value = condition(1).getByLabel("Value");
      await condition(1).getByText("Enter a value.").waitFor();
      await page.getByText("Enter a label.").waitFor();
      expect(await value.evaluate((input) => input === document.activeElement)).toBe(true);
      expect(await faultsInBoth(page)).toEqual([]);
      await value.fill("harbourline");
      // The server's own check, reached through the preview.
      const label = page.getByLabel("Label", { exact: true });
      await label.fill("\\Seen");
      await page.locator(`[aria-invalid=true]`).waitFor();
      const described = await label.evaluate((input) =>
        (input.getAttribute("aria-describedby") ?? "")
          .split(" ")
          .map((id) => document.getElementById(id)?.textContent)
          .join(),
      );
      expect(described.length).toBeGreaterThan(10);
      await label.fill("Harbourline");
      await outcome(/^The rule matches/);
      expect(await page.locator("[aria-invalid=true]").count()).toBe(0);
      await page.getByLabel("Name", { exact: true }).fill("x".repeat(101));
      await page.getByRole("button", { name: "Save rule" }).click();
      await page.locator("[aria-invalid=true]").waitFor();
      expect(await rules()).toEqual([]);
    },
    SLOW_MS,
  );

  test(
    "a rule is opened filled, renamed and edited, and the list shows its name and its sentence",
    async () => {
      const [id] = await given(sorting(null));
      await fixture.open(page, "#/rules");
      const sentence = "If the sender's domain contains “harbourline”, add the label “Harbourline”";
      await page.getByText(`${sentence}.`).waitFor();
      await page.getByRole("link", { name: `Edit: ${sentence}` }).click();
      await page.getByRole("heading", { name: "Edit rule" }).waitFor();
      expect(new URL(page.url()).hash).toBe(`#/rules/${id}`);
      expect(await condition(1).getByLabel("Value").inputValue()).toBe("harbourline");
      expect(await page.getByLabel("Label", { exact: true }).inputValue()).toBe("Harbourline");
      await outcome(/^The rule matches \d+/);
      await page.getByLabel("Name", { exact: true }).fill("Bills from Harbourline");
      await page.getByRole("button", { name: "Add condition" }).click();
      await condition(2).getByLabel("Value").fill("invoice");
      await page.getByRole("button", { name: "Save rule" }).click();
      await saved();
      await page.getByText("Bills from Harbourline").first().waitFor();
      await page
        .getByText("If the sender's domain contains “harbourline” and the subject contains “invoice”")
        .waitFor();
      expect(await rules()).toMatchObject([
        {
          id,
          name: "Bills from Harbourline",
          conditions: [
            { field: "from_domain", op: "contains", value: "harbourline" },
            { field: "subject", op: "contains", value: "invoice" },
          ],
          actions: [{ type: "addLabel", value: "Harbourline" }],
        },
      ]);
      expect(await faultsInBoth(page)).toEqual([]);
      expect(refused).toEqual([]);
    },
    SLOW_MS,
  );

  test(
    "a rule is paused and resumed with the keyboard, and a paused rule cannot be applied",
    async () => {
      await given(sorting("Harbourline"));
      await fixture.open(page, "#/");
      await fixture.open(page, "#/rules");
      const control = page.getByRole("switch", { name: "Active: Harbourline" });
      const apply = page.getByRole("button", { name: "Apply to existing mail: Harbourline" });
      await apply.waitFor();
      await control.focus();
      const answered = () => page.waitForResponse((response) => response.request().method() === "PATCH");
      let done = answered();
      await page.keyboard.press("Space");
      await done;
      await page.getByText("Paused", { exact: true }).waitFor();
      expect([(await rules())[0]!.enabled, await control.isChecked(), await apply.count()]).toEqual([false, false, 0]);
      expect(await faultsInBoth(page)).toEqual([]);
      done = answered();
      await page.keyboard.press("Space");
      await done;
      await apply.waitFor();
      expect((await rules())[0]!.enabled).toBe(true);
    },
    SLOW_MS,
  );

  test(
    "rules are reordered with the keyboard: the button keeps the focus, and the new position is announced",
    async () => {
      await given(sorting("First"), permits("Everyone", "off"), sorting("Second"), sorting("Third"));
      await fixture.open(page, "#/");
      await fixture.open(page, "#/rules");
      const shown = () => page.locator("main ol > li .row-title").allTextContents();
      await page.getByRole("button", { name: "Move up: Third" }).focus();
      let done = page.waitForResponse((response) => response.url().endsWith("/rules/order"));
      await page.keyboard.press("Enter");
      await outcome(/^Third: now 2 of 3\.$/);
      await done;
      expect(await focused()).toBe("Move up: Third");
      done = page.waitForResponse((response) => response.url().endsWith("/rules/order"));
      await page.keyboard.press("Enter");
      await outcome(/^Third: now 1 of 3\.$/);
      await done;
      expect(await focused()).toBe("Move up: Third");
      expect((await shown()).map((text) => text.trim())).toEqual(["Third", "First", "Second"]);
      // The rule of the agent keeps its position, and the end of the list does nothing.
      expect(await titles()).toEqual(["Third", "Everyone", "First", "Second"]);
      await page.keyboard.press("Enter");
      expect(await focused()).toBe("Move up: Third");
      done = page.waitForResponse((response) => response.url().endsWith("/rules/order"));
      await page.getByRole("button", { name: "Move down: Third" }).press("Space");
      await done;
      expect(await titles()).toEqual(["First", "Everyone", "Third", "Second"]);
      await page.reload();
      await page.getByText("Second").waitFor();
      expect((await shown()).map((text) => text.trim())).toEqual(["First", "Third", "Second"]);
      expect(refused).toEqual([]);
    },
    SLOW_MS,
  );

  test(
    "moves in quick succession all arrive, in order",
    async () => {
      await given(...["A", "B", "C", "D", "E"].map((name) => sorting(name)));
      await fixture.open(page, "#/");
      await fixture.open(page, "#/rules");
      await page.getByRole("button", { name: "Move up: E" }).focus();
      for (let turn = 0; turn < 4; turn++) await page.keyboard.press("Enter");
      await outcome(/^E: now 1 of 5\.$/);
      await page.waitForLoadState("networkidle");
      expect(await titles()).toEqual(["E", "A", "B", "C", "D"]);
      expect(refused).toEqual([]);
    },
    SLOW_MS,
  );

  test(
    "a rule that was deleted elsewhere is reported, and the list is read again",
    async () => {
      const [first] = await given(sorting("Gone"), sorting("Kept"));
      await fixture.open(page, "#/");
      await fixture.open(page, "#/rules");
      await page.getByRole("switch", { name: "Active: Gone" }).waitFor();
      await fixture.live.call("DELETE", `/rules/${first}`, { key });
      await page.getByRole("button", { name: "Move down: Gone" }).click();
      await page.getByText("No such rule.").waitFor();
      await page.getByText("Gone", { exact: true }).waitFor({ state: "detached" });
      expect(await titles()).toEqual(["Kept"]);
      await fixture.open(page, `#/rules/${first}`);
      await page.getByText("This rule does not exist").waitFor();
      await page.getByRole("link", { name: "Go to the list" }).click();
      await page.getByRole("button", { name: "Delete: Kept" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete rule" }).click();
      await page.getByText("No rules yet").waitFor();
      expect(await rules()).toEqual([]);
    },
    SLOW_MS,
  );

  test(
    "applying a rule ends with a sentence about the result",
    async () => {
      await given(sorting("Harbourline", { actions: [{ type: "star" }] }));
      await fixture.open(page, "#/");
      await fixture.open(page, "#/rules");
      await page.getByRole("button", { name: "Apply to existing mail: Harbourline" }).click();
      await page.getByRole("dialog").getByText("star it").waitFor();
      await page.getByRole("dialog").getByRole("button", { name: "Apply rule" }).click();
      await outcome(/^Checked \d+ messages: \d+ messages match, \d+ changed\.$/);
    },
    SLOW_MS,
  );

  test(
    "the agent page says what to do without a rule, before a run, after one without a result, and while all is paused",
    async () => {
      await given();
      await fixture.open(page, "#/");
      await fixture.open(page, "#/agent");
      await page.getByRole("link", { name: "Allow first sender" }).waitFor();
      await page.getByText("Allow a sender first.").waitFor();
      expect(await page.getByRole("button", { name: "Run now" }).count()).toBe(0);
      await given(permits("Nobody", "suggest", "no such sender anywhere"));
      await page.reload();
      await page.getByText("To check now, select Run now.").waitFor();
      await page.getByRole("button", { name: "Run now" }).click();
      await outcome(/^Checked \d+ new messages?\. No entry covers the senders, or there was nothing to do\.$/);
      await page.getByText("Nothing found").waitFor();
      expect(await faultsInBoth(page)).toEqual([]);
      await page.getByRole("button", { name: "Run now" }).click();
      await outcome(/^No new mail since the last run\.$/);
      await page.getByRole("switch", { name: "Active: Nobody" }).uncheck();
      await page.getByText("Every entry is paused or off").waitFor();
      await page.getByText("The agent is paused").waitFor();
      expect(await page.getByRole("button", { name: "Run now" }).count()).toBe(0);
      expect(await faultsInBoth(page)).toEqual([]);
    },
    SLOW_MS,
  );

  test(
    "an entry of the agent is edited, renamed and moved, and only what changed is written",
    async () => {
      // The editor offers no limits in the mode "draft", and must not drop them.
      const limited = [
        { type: "setMode", value: "draft" },
        { type: "allow", value: "draft" },
        { type: "allow", value: "label" },
      ];
      const [first] = await given(
        permits(null, "draft", "harbourline", { actions: limited }),
        permits("All", "suggest"),
      );
      await fixture.open(page, "#/");
      await fixture.open(page, "#/agent");
      await page.getByRole("link", { name: "Edit: The sender contains “harbourline”" }).click();
      await page.getByRole("heading", { name: "Edit permissions" }).waitFor();
      expect(new URL(page.url()).hash).toBe(`#/agent/${first}`);
      await outcome(/^The entry covers \d+ of \d+ messages\.$/);
      expect(await page.getByRole("radio", { name: /^Draft/ }).isChecked()).toBe(true);
      await page.getByLabel("Name", { exact: true }).fill("Colleagues");
      await page.getByRole("button", { name: "Save permissions" }).click();
      await saved();
      expect(await rules()).toMatchObject([{ name: "Colleagues", actions: limited }, { name: "All" }]);
      await page.getByRole("link", { name: "Edit: Colleagues" }).click();
      await page.getByRole("radio", { name: /^Autopilot/ }).check();
      await page.getByRole("checkbox", { name: "Archive" }).check();
      await page.getByRole("button", { name: "Save permissions" }).click();
      await page.getByText("Allowed: archive.").waitFor();
      const [autopilot] = await rules();
      expect(autopilot!.actions).toMatchObject([{ value: "autopilot" }, { type: "allow", value: "archive" }]);
      const done = page.waitForResponse((response) => response.url().endsWith("/rules/order"));
      await page.getByRole("button", { name: "Move down: Colleagues" }).press("Enter");
      await done;
      expect(await titles()).toEqual(["All", "Colleagues"]);
    },
    SLOW_MS,
  );

  test(
    "the results of a run are sentences with the message, the reason and the undo",
    async () => {
      // Mail that a run has passed over is not read again.
      fixture.live.app.platform.db.sql.run("DELETE FROM agent_state");
      await given(permits("All", "autopilot"));
      await fixture.open(page, "#/");
      await fixture.open(page, "#/agent");
      await page.getByRole("button", { name: "Run now" }).click();
      await outcome(/^Checked \d+ new messages: \d+ actions or suggestions\. They are the first in the list\./);
      const rows = page.locator("main ul.rows > li");
      const label = rows.filter({ hasText: /^Added the label “Needs reply” to “.+” from .+\. Done/ }).first();
      await label.getByText(/^Why: .{10}/).waitFor();
      expect(await label.getByRole("link").getAttribute("href")).toMatch(/^#\/read\/thr_\w+$/);
      await rows
        .filter({ hasText: /^Archived “.+” from .+\. Done/ })
        .first()
        .waitFor();
      const draft = rows.filter({ hasText: /^Wrote a draft reply to “.+” from .+\. Done/ }).first();
      await draft.getByText("The draft is in your Drafts folder.").waitFor();
      expect(await faultsInBoth(page)).toEqual([]);
      const name = await label.getByRole("button", { name: /^Undo: / }).getAttribute("aria-label");
      await page.getByRole("button", { name: name!, exact: true }).click();
      await page.getByText("Action undone.").waitFor();
      await page
        .locator("main ul.rows > li")
        .filter({ hasText: /^Added the label .+ Undone/ })
        .first()
        .waitFor();
    },
    SLOW_MS,
  );

  test(
    "on a phone, all pages fit and have no accessibility violations",
    async () => {
      const [inbox, , agent] = await given(
        sorting("A long name of a rule that wraps on a phone because it has so many words"),
        sorting(null, { enabled: false }),
        permits(null, "suggest"),
      );
      const { page: phone } = await fixture.profile({ width: PHONE_PX });
      await fixture.signIn(phone);
      await phone.evaluate(() => localStorage.setItem("postroom.sandbox", "1"));
      await phone.reload();
      const found: string[] = [];
      for (const hash of ["#/rules", "#/rules/new", `#/rules/${inbox}`, "#/agent", `#/agent/${agent}`]) {
        await fixture.open(phone, hash);
        await phone.waitForFunction(() => document.querySelector("main .skeleton") === null);
        const width = await phone.evaluate(() => document.documentElement.scrollWidth);
        if (width > PHONE_PX) found.push(`${hash} is ${width} px wide`);
        found.push(...(await faultsInBoth(phone)).map((fault) => `${hash} ${fault}`));
      }
      expect(found).toEqual([]);
    },
    SLOW_MS,
  );

  test("no request left the origin, and no page broke its own policy", () => {
    expect(fixture.strays).toEqual([]);
    expect(fixture.complaints).toEqual([]);
  });
});
