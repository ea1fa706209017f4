import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { faultsInBoth } from "../support/axe.ts";
import { noBrowser } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { permits, type RulesFixture, sorting, startRules } from "../support/rules-fixture.ts";

/** Rules on the settings page, with the sample mail of the sandbox. */

const SLOW_MS = 240_000;
const PHONE_PX = 390;
const skipped = noBrowser("rules on the settings page: editing, pausing, order, preview");

describe.skipIf(skipped)("rules on the settings page", () => {
  let s: RulesFixture;
  let page: Page;

  beforeAll(async () => {
    s = await startRules();
    page = s.page;
  }, SLOW_MS);
  afterAll(() => s?.settings.close(), SLOW_MS);

  const condition = (n: number) => page.getByRole("group", { name: `Condition ${n}`, exact: true });
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? "");
  const saved = () => page.getByText("It applies to new mail.").first().waitFor();

  test(
    "the preview appears without a button as soon as the rule is valid, and follows each change",
    async () => {
      await s.given();
      await s.show("#/rules");
      await page.getByRole("link", { name: "Create first rule" }).click();
      await page.getByText("The preview appears when each condition and action has a value.").waitFor();
      await condition(1).getByLabel("Value").fill("harbourline");
      await page.getByLabel("Label", { exact: true }).fill("Harbourline");
      await s.announced(/^The rule matches \d+ of \d+ messages and would change all of them\.$/);
      const examples = page.getByRole("list", { name: "Examples" });
      const links = await examples.getByRole("link").evaluateAll((all) => all.map((a) => a.getAttribute("href")));
      expect(links.length).toBeGreaterThan(1);
      expect(links.filter((href) => !/^#\/read\/thr_\w+$/.test(href ?? ""))).toEqual([]);
      expect(await faultsInBoth(page)).toEqual([]);
      await condition(1).getByLabel("Value").fill("no such sender anywhere");
      await s.announced(/^No match in \d+ messages\. If you expected some/);
      expect(await examples.count()).toBe(0);
      // Emptying a field hides the preview, which no longer fits.
      await condition(1).getByLabel("Value").fill("");
      await page.getByText("The preview appears when each condition and action has a value.").waitFor();
      expect(await s.rules()).toEqual([]);
    },
    SLOW_MS,
  );

  test(
    "errors are shown beside their fields, and the first one takes the focus",
    async () => {
      await s.given();
      await s.show("#/rules/new");
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
      await s.announced(/^The rule matches/);
      expect(await page.locator("[aria-invalid=true]").count()).toBe(0);
      await page.getByLabel("Name", { exact: true }).fill("x".repeat(101));
      await page.getByRole("button", { name: "Save rule" }).click();
      await page.locator("[aria-invalid=true]").waitFor();
      expect(await s.rules()).toEqual([]);
    },
    SLOW_MS,
  );

  test(
    "a rule is opened filled, renamed and edited, and the list shows its name and its sentence",
    async () => {
      const [id] = await s.given(sorting(null));
      await s.show("#/rules");
      const sentence = "If the sender's domain contains “harbourline”, add the label “Harbourline”";
      await page.getByText(`${sentence}.`).waitFor();
      await page.getByRole("link", { name: `Edit: ${sentence}` }).click();
      await page.getByRole("heading", { name: "Edit rule" }).waitFor();
      expect(new URL(page.url()).hash).toBe(`#/rules/${id}`);
      expect(await condition(1).getByLabel("Value").inputValue()).toBe("harbourline");
      expect(await page.getByLabel("Label", { exact: true }).inputValue()).toBe("Harbourline");
      await s.announced(/^The rule matches \d+/);
      await page.getByLabel("Name", { exact: true }).fill("Bills from Harbourline");
      await page.getByRole("button", { name: "Add condition" }).click();
      await condition(2).getByLabel("Value").fill("invoice");
      await page.getByRole("button", { name: "Save rule" }).click();
      await saved();
      await page.getByText("Bills from Harbourline").first().waitFor();
      await page
        .getByText("If the sender's domain contains “harbourline” and the subject contains “invoice”")
        .waitFor();
      expect(await s.rules()).toMatchObject([
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
      expect(s.refused).toEqual([]);
    },
    SLOW_MS,
  );

  test(
    "a rule is paused and resumed with the keyboard, and a paused rule cannot be applied",
    async () => {
      await s.given(sorting("Harbourline"));
      await s.show("#/rules");
      const control = page.getByRole("switch", { name: "Active: Harbourline" });
      const apply = page.getByRole("button", { name: "Apply to existing mail: Harbourline" });
      await apply.waitFor();
      await control.focus();
      const answered = () => page.waitForResponse((response) => response.request().method() === "PATCH");
      let done = answered();
      await page.keyboard.press("Space");
      await done;
      await page.getByText("Paused", { exact: true }).waitFor();
      expect([(await s.rules())[0]!.enabled, await control.isChecked(), await apply.count()]).toEqual([
        false,
        false,
        0,
      ]);
      expect(await faultsInBoth(page)).toEqual([]);
      done = answered();
      await page.keyboard.press("Space");
      await done;
      await apply.waitFor();
      expect((await s.rules())[0]!.enabled).toBe(true);
    },
    SLOW_MS,
  );

  test(
    "rules are reordered with the keyboard: the button keeps the focus, and the new position is announced",
    async () => {
      await s.given(sorting("First"), permits("Everyone", "off"), sorting("Second"), sorting("Third"));
      await s.show("#/rules");
      const shown = () => page.locator("main ol > li .row-title").allTextContents();
      await page.getByRole("button", { name: "Move up: Third" }).focus();
      let done = s.reordered();
      await page.keyboard.press("Enter");
      await s.announced(/^Third: now 2 of 3\.$/);
      await done;
      expect(await focused()).toBe("Move up: Third");
      done = s.reordered();
      await page.keyboard.press("Enter");
      await s.announced(/^Third: now 1 of 3\.$/);
      await done;
      expect(await focused()).toBe("Move up: Third");
      expect((await shown()).map((text) => text.trim())).toEqual(["Third", "First", "Second"]);
      // The rule of the agent keeps its position, and the end of the list does nothing.
      expect(await s.names()).toEqual(["Third", "Everyone", "First", "Second"]);
      await page.keyboard.press("Enter");
      expect(await focused()).toBe("Move up: Third");
      done = s.reordered();
      await page.getByRole("button", { name: "Move down: Third" }).press("Space");
      await done;
      expect(await s.names()).toEqual(["First", "Everyone", "Third", "Second"]);
      await page.reload();
      await page.getByText("Second").waitFor();
      expect((await shown()).map((text) => text.trim())).toEqual(["First", "Third", "Second"]);
      expect(s.refused).toEqual([]);
    },
    SLOW_MS,
  );

  test(
    "moves in quick succession all arrive, in order",
    async () => {
      await s.given(...["A", "B", "C", "D", "E"].map((name) => sorting(name)));
      await s.show("#/rules");
      await page.getByRole("button", { name: "Move up: E" }).focus();
      for (let turn = 0; turn < 4; turn++) await page.keyboard.press("Enter");
      await s.announced(/^E: now 1 of 5\.$/);
      await eventually(async () => (await s.names()).join("") === "EABCD");
      expect(s.refused).toEqual([]);
    },
    SLOW_MS,
  );

  test(
    "a rule that was deleted elsewhere is reported, and the list is read again",
    async () => {
      const [first] = await s.given(sorting("Gone"), sorting("Kept"));
      await s.show("#/rules");
      await page.getByRole("switch", { name: "Active: Gone" }).waitFor();
      await s.remove(first!);
      await page.getByRole("button", { name: "Move down: Gone" }).click();
      await page.getByText("No such rule.").waitFor();
      await page.getByText("Gone", { exact: true }).waitFor({ state: "detached" });
      expect(await s.names()).toEqual(["Kept"]);
      await s.show(`#/rules/${first}`);
      await page.getByText("This rule does not exist").waitFor();
      await page.getByRole("link", { name: "Go to the list" }).click();
      await page.getByRole("button", { name: "Delete: Kept" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete rule" }).click();
      await page.getByText("No rules yet").waitFor();
      expect(await s.rules()).toEqual([]);
    },
    SLOW_MS,
  );

  test(
    "a deleted rule is restored with its name, its state and its position",
    async () => {
      await s.given(
        sorting("First"),
        sorting("Second", { enabled: false }),
        permits("Everyone", "off"),
        sorting("Third"),
      );
      const before = await s.rules();
      await s.show("#/rules");
      // Toasts of earlier tests.
      await page.reload();
      await page.getByRole("button", { name: "Delete: Second" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete rule" }).click();
      await page.getByText("Rule deleted.").waitFor();
      expect(await s.names()).toEqual(["First", "Everyone", "Third"]);
      await page.getByRole("button", { name: "Undo" }).click();
      await page.getByText("Restored.").waitFor();
      const content = ({ id: _, ...rule }: (typeof before)[number]) => rule;
      expect((await s.rules()).map(content)).toEqual(before.map(content));
      await page.getByRole("switch", { name: "Active: Second" }).waitFor();
      expect(await page.getByRole("switch", { name: "Active: Second" }).isChecked()).toBe(false);
    },
    SLOW_MS,
  );

  test(
    "a deleted rule for one mailbox is restored for that mailbox",
    async () => {
      const { mailbox } = s.settings.live.app;
      const sample = mailbox.accounts.list().find(({ provider }) => provider === "sandbox")!;
      await s.given(sorting("Bound", { account_id: sample.id }));
      await s.show("#/rules");
      await page.reload();
      await page.getByText(`Only ${sample.email}`).waitFor();
      await page.getByRole("button", { name: "Delete: Bound" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete rule" }).click();
      await page.getByText("Rule deleted.").waitFor();
      await page.getByRole("button", { name: "Undo" }).click();
      await page.getByText("Restored.").waitFor();
      expect(await s.rules()).toMatchObject([{ name: "Bound", account_id: sample.id }]);
    },
    SLOW_MS,
  );

  test(
    "the progress of a run is shown after the page is loaded again",
    async () => {
      const [id] = await s.given(sorting("Harbourline", { actions: [{ type: "star" }] }));
      const { db } = s.settings.live.app.platform;
      const insert = `INSERT INTO rule_runs (rule_id, user_id, state, since, next_n, done, total, matched, changed, started_at)
        SELECT id, user_id, 'running', 0, 1, 120, 200, 3, 3, 0 FROM rules WHERE id = ?`;
      db.write(() => db.sql.query(insert).run(id!));
      await s.show("#/rules");
      await page.reload();
      await s.announced(/^Checked 120 of 200 messages: 3 messages match, 3 changed\.$/);
      await page.getByRole("progressbar", { name: "Applying rule" }).waitFor();
      db.write(() => db.sql.query("UPDATE rule_runs SET state = 'done', done = total WHERE rule_id = ?").run(id!));
      await s.announced(/^Checked 200 messages: 3 messages match, 3 changed\.$/);
    },
    SLOW_MS,
  );

  test(
    "applying a rule ends with a sentence about the result",
    async () => {
      await s.given(sorting("Harbourline", { actions: [{ type: "star" }] }));
      await s.show("#/rules");
      await page.getByRole("button", { name: "Apply to existing mail: Harbourline" }).click();
      await page.getByRole("dialog").getByText("star it").waitFor();
      await page.getByRole("dialog").getByRole("button", { name: "Apply rule" }).click();
      await s.announced(/^Checked \d+ messages: \d+ messages match, \d+ changed\.$/);
    },
    SLOW_MS,
  );

  test(
    "on a phone, all pages fit and have no accessibility violations",
    async () => {
      const [inbox, , agent] = await s.given(
        sorting("A long name of a rule that wraps on a phone because it has so many words"),
        sorting(null, { enabled: false }),
        permits(null, "suggest"),
      );
      const { page: phone } = await s.settings.profile({ width: PHONE_PX });
      await s.settings.signIn(phone);
      await phone.evaluate(() => localStorage.setItem("postroom.sandbox", "1"));
      await phone.reload();
      const found: string[] = [];
      for (const hash of ["#/rules", "#/rules/new", `#/rules/${inbox}`, "#/agent", `#/agent/${agent}`]) {
        await s.settings.open(phone, hash);
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
    expect(s.settings.strays).toEqual([]);
    expect(s.settings.complaints).toEqual([]);
  });
});
