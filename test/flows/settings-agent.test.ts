import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { faultsInBoth } from "../support/axe.ts";
import { noBrowser } from "../support/browser.ts";
import { permits, type RulesFixture, startRules } from "../support/rules-fixture.ts";

/** The permissions of the agent and its actions on the settings page, with the sample mail of the sandbox. */

const SLOW_MS = 240_000;
const skipped = noBrowser("the agent on the settings page");

describe.skipIf(skipped)("the agent on the settings page", () => {
  let s: RulesFixture;
  let page: Page;

  beforeAll(async () => {
    s = await startRules();
    page = s.page;
  }, SLOW_MS);
  afterAll(() => s?.settings.close(), SLOW_MS);

  const saved = () => page.getByText("It applies to new mail.").first().waitFor();

  test(
    "the agent page says what to do without a rule, before a run, after one without a result, and while all is paused",
    async () => {
      await s.given();
      await s.show("#/agent");
      await page.getByRole("link", { name: "Allow first sender" }).waitFor();
      await page.getByText("The agent does nothing until you allow a sender.").waitFor();
      expect(await faultsInBoth(page)).toEqual([]);
      expect(await page.getByRole("button", { name: "Run now" }).count()).toBe(0);
      await s.given(permits("Nobody", "suggest", "no such sender anywhere"));
      await page.reload();
      await page.getByText("To check now, select Run now.").waitFor();
      await page.getByRole("button", { name: "Run now" }).click();
      await s.announced(/^Checked \d+ new messages?\. No entry covers the senders, or there was nothing to do\.$/);
      await page.getByText("Nothing found").waitFor();
      expect(await faultsInBoth(page)).toEqual([]);
      await page.getByRole("button", { name: "Run now" }).click();
      await s.announced(/^No new mail since the last run\.$/);
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
      const [first] = await s.given(
        permits(null, "draft", "harbourline", { actions: limited }),
        permits("All", "suggest"),
      );
      await s.show("#/agent");
      await page.getByRole("link", { name: "Edit: The sender contains “harbourline”" }).click();
      await page.getByRole("heading", { name: "Edit permissions" }).waitFor();
      expect(new URL(page.url()).hash).toBe(`#/agent/${first}`);
      await s.announced(/^The entry covers \d+ of \d+ messages\.$/);
      expect(await page.getByRole("radio", { name: /^Draft/ }).isChecked()).toBe(true);
      await page.getByLabel("Name", { exact: true }).fill("Colleagues");
      await page.getByRole("button", { name: "Save permissions" }).click();
      await saved();
      expect(await s.rules()).toMatchObject([{ name: "Colleagues", actions: limited }, { name: "All" }]);
      await page.getByRole("link", { name: "Edit: Colleagues" }).click();
      await page.getByRole("radio", { name: /^Autopilot/ }).check();
      await page.getByRole("checkbox", { name: "Archive" }).check();
      await page.getByRole("button", { name: "Save permissions" }).click();
      await page.getByText("Allowed: archive.").waitFor();
      const [autopilot] = await s.rules();
      expect(autopilot!.actions).toMatchObject([{ value: "autopilot" }, { type: "allow", value: "archive" }]);
      const done = s.reordered();
      await page.getByRole("button", { name: "Move down: Colleagues" }).press("Enter");
      await done;
      expect(await s.names()).toEqual(["All", "Colleagues"]);
    },
    SLOW_MS,
  );

  test(
    "the results of a run are sentences with the message, the reason and the undo",
    async () => {
      // Mail that a run has passed over is not read again.
      s.settings.live.app.platform.db.sql.run("DELETE FROM agent_state");
      await s.given(permits("All", "autopilot"));
      await s.show("#/agent");
      await page.getByRole("button", { name: "Run now" }).click();
      await s.announced(/^Checked \d+ new messages: \d+ actions or suggestions\. They are the first in the list\./);
      const rows = page.locator("main ul.rows > li");
      const label = rows.filter({ hasText: /^Added the label “Needs reply” to “.+” from .+\. Done/ }).first();
      await label.getByText(/^Why: .{10}/).waitFor();
      expect(await label.getByRole("link").getAttribute("href")).toMatch(/^#\/read\/thr_\w+$/);
      await rows
        .filter({ hasText: /^Archived “.+” from .+\. Done/ })
        .first()
        .waitFor();
      const draft = rows.filter({ hasText: /^Wrote a draft reply to “.+” from .+\. Done/ }).first();
      await draft.getByText("Review the draft, then send it yourself.").waitFor();
      expect(await faultsInBoth(page)).toEqual([]);
      const subject = (await label.getByRole("link").textContent())!;
      await label.getByRole("link").click();
      await page.getByRole("heading", { name: subject }).first().waitFor();
      await page.goBack();
      await draft.getByRole("link", { name: /^Open draft: / }).click();
      await page.getByLabel("Message", { exact: true }).waitFor();
      expect(new URL(page.url()).hash).toMatch(/^#\/read\/drafts\/drf_\w+$/);
      await page.goBack();
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

  test("no request left the origin, and no page broke its own policy", () => {
    expect(s.settings.strays).toEqual([]);
    expect(s.settings.complaints).toEqual([]);
  });
});
