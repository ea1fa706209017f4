import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { approvalFixture } from "../support/approval-fixture.ts";
import { noBrowser } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { type HttpsReceiver, startReceiver } from "../support/https-receiver.ts";
import { type ReadPage, readPage } from "../support/read-page.ts";
import { type SettingsFixture, startSettings } from "../support/settings-fixture.ts";

/** The Notifications page in a real browser, with the whole program and a server that receives the messages. */

const SLOW_MS = 240_000;
const skipped = noBrowser("the Notifications page");

describe.skipIf(skipped)("the Notifications page", () => {
  let fixture: SettingsFixture;
  let receiver: HttpsReceiver;
  let page: Page;
  let r: ReadPage;

  beforeAll(async () => {
    receiver = await startReceiver(null);
    receiver.behave = () => ({ status: 200, body: '{"id":"kXw1","event":"message"}' });
    fixture = await startSettings({ "webhooks.allow": "127.0.0.1" });
    page = (await fixture.profile()).page;
    await fixture.setUp(page);
    r = readPage(fixture, page, fixture.live.newKey({ test: true }));
  }, SLOW_MS);
  afterAll(async () => {
    await fixture?.close();
    await receiver?.stop();
  }, SLOW_MS);

  const sent = () => receiver.received.map(({ body }) => JSON.parse(body));
  const dialog = () => page.getByRole("dialog");

  test(
    "a target is added, with errors at their fields, and its test shows the answer of the server",
    async () => {
      await r.fresh("#/notifications");
      await page.getByText("No targets yet").waitFor();
      await r.expectGoodPage();
      await r.button("Add target").click();
      const suggested = await dialog().getByLabel("Topic", { exact: true }).inputValue();
      expect(suggested).toMatch(/^postroom-\w{10}$/);
      await dialog().getByRole("button", { name: "Add target" }).click();
      await dialog().getByText("Enter a name, such as My phone.").waitFor();
      await dialog().getByLabel("Name", { exact: true }).fill("My phone");
      await dialog().getByLabel("Server", { exact: true }).fill("http://ntfy.example");
      await dialog().getByText("Not encrypted").waitFor();
      await r.expectGoodPage();
      await dialog().getByRole("button", { name: "Add target" }).click();
      await dialog().getByText("This URL cannot be used").waitFor();
      await dialog().getByLabel("Server", { exact: true }).fill(receiver.origin);
      await dialog().getByRole("radio", { name: "Access token" }).check();
      await dialog().locator("input[type=password]").fill("tk_phone");
      await dialog().getByRole("button", { name: "Add target" }).click();
      await r.toast("Target “My phone” added. Send a test.").waitFor();
      await page.getByText("Also during quiet hours: Approvals, Health").waitFor();
      await r.button("Test My phone").click();
      await page.getByText("Test: the server answered 200").waitFor();
      await page.getByText("Response", { exact: true }).click();
      await page.getByText('"event":"message"').waitFor();
      await r.expectGoodPage();
      expect(receiver.received[0]!.headers.authorization).toBe("Bearer tk_phone");
      expect(sent()).toMatchObject([{ topic: suggested, title: "Test from Postroom" }]);
    },
    SLOW_MS,
  );

  test(
    "a message that waits for approval arrives within seconds, and says nothing about it",
    async () => {
      const { platform } = fixture.live.app;
      const owner = platform.users.list()[0]!;
      const { key } = platform.keys.create({ user_id: owner.id, name: "Claude", scopes: ["mail:send"], test: false });
      approvalFixture(platform, owner.id, { id: key.id, name: "Claude" }).ask({ subject: "Secret" });
      await eventually(() => sent().length === 2, 20_000);
      expect(sent()[1]).toMatchObject({ title: "Approval needed", message: "A message waits for your approval." });
    },
    SLOW_MS,
  );

  test(
    "an edit keeps the token, and changes what is said",
    async () => {
      await r.button("Edit My phone").click();
      await dialog().getByText("Leave this empty to keep the stored value.").waitFor();
      await dialog()
        .getByRole("radio", { name: /^Sender and subject/ })
        .check();
      await dialog().getByLabel("Digest", { exact: true }).selectOption("daily");
      await dialog().getByLabel("Time", { exact: true }).fill("18:30");
      await dialog().getByRole("button", { name: "Save" }).click();
      await r.toast("Target saved.").waitFor();
      await page.getByText("daily at 18:30").waitFor();
      await r.button("Test My phone").click();
      await eventually(() => sent().length === 3);
      expect(receiver.received[2]!.headers.authorization).toBe("Bearer tk_phone");
    },
    SLOW_MS,
  );

  test(
    "quiet hours and senders are saved, and wrong ones are explained",
    async () => {
      await page.getByLabel("Keep quiet every day").check();
      await page.getByLabel("From").fill("21:00");
      await page.getByLabel("Until").fill("21:00");
      await r.button("Save quiet hours").click();
      await page.getByText("Quiet hours must end at another time than they start.").waitFor();
      await page.getByLabel("Until").fill("06:30");
      await r.button("Save quiet hours").click();
      await r.toast("Quiet hours saved.").waitFor();
      await page.getByLabel("Senders", { exact: true }).fill("vera@harbourline.example\nnobody");
      await r.button("Save senders").click();
      await page.getByText("“nobody” is neither an email address").waitFor();
      await page.getByLabel("Senders", { exact: true }).fill("Vera@harbourline.example\n*@club.example");
      await r.button("Save senders").click();
      await r.toast("Senders saved.").waitFor();
      await r.fresh("#/notifications");
      expect(await page.getByLabel("Senders", { exact: true }).inputValue()).toBe(
        "vera@harbourline.example\n*@club.example",
      );
      expect(await page.getByLabel("Until").inputValue()).toBe("06:30");
    },
    SLOW_MS,
  );

  test(
    "a failing target needs the person on Today, and is turned on again on its page",
    async () => {
      const { sql } = fixture.live.app.platform.db;
      const { id } = sql.query<{ id: string }, []>("SELECT id FROM notification_targets").get()!;
      fixture.live.app.platform.grants.update("notification_targets", { id }, { status: "failing" });
      await r.fresh("#/");
      await page.getByRole("link", { name: "Open notifications: My phone" }).click();
      await page.getByText("Postroom has stopped trying").waitFor();
      await r.expectGoodPage();
      await r.button("Turn on again").click();
      await r.toast("Target turned on.").waitFor();
      await r.fresh("#/");
      await page.getByRole("heading", { name: "Needs you" }).waitFor();
      expect(await page.getByRole("link", { name: "Open notifications: My phone" }).count()).toBe(0);
    },
    SLOW_MS,
  );

  test(
    "a target is turned off and deleted, and the sandbox says that it notifies no one",
    async () => {
      await r.fresh("#/notifications");
      await r.button("Turn off My phone").click();
      await r.button("Turn on My phone").waitFor();
      await page.getByRole("switch", { name: "Sandbox" }).check();
      await page.getByText("The sandbox notifies no one.").waitFor();
      await r.expectGoodPage();
      await page.getByRole("switch", { name: "Sandbox" }).uncheck();
      await r.button("Delete My phone").click();
      await dialog().getByRole("button", { name: "Delete target" }).click();
      await page.getByText("No targets yet").waitFor();
      expect(fixture.strays).toEqual([]);
      expect(fixture.complaints).toEqual([]);
    },
    SLOW_MS,
  );
});
