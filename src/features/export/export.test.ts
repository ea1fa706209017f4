import { afterEach, beforeEach, expect, test } from "bun:test";
import { createHarness, type Harness } from "../../../test/support/http-harness.ts";
import { MemoryContent } from "../../../test/support/memory-content.ts";
import { type SeededMailbox, seedMailbox } from "../../../test/support/seed-mail.ts";
import { createMailbox } from "../../mailbox/mailbox.ts";
import { exportAppRoutes } from "./app-routes.ts";

let h: Harness;
let content: MemoryContent;
let seeded: SeededMailbox;
beforeEach(() => {
  content = new MemoryContent();
  h = createHarness({
    appRoutes: (platform) => exportAppRoutes({ platform, mailbox: createMailbox(platform), content }),
  });
});
afterEach(() => h.close());

const BOB = { name: "Bob", email: "bob@example.net" };
const SOURCE = "Subject: One\r\n\r\nFrom the server\r\n";

function seed(user_id: string): void {
  seeded = seedMailbox(h.platform, user_id, { email: "ada@mail.test" });
  const { message_id } = seeded.deliver({ subject: "One", from: BOB });
  content.files.set(message_id, Buffer.from(SOURCE));
  seeded.deliver({ subject: "Two", from: BOB, text: "kept here" });
}

test("a person exports a mailbox: the server's sources, and a rebuilt message where there is no source", async () => {
  const ada = h.session();
  seed(ada.user.id);
  const body = { account_id: seeded.account.id, format: "mbox" };
  const { status, headers, text } = await ada.call("POST", "/exports", { body });
  expect([status, headers.get("content-type")]).toEqual([200, "application/mbox"]);
  expect(headers.get("content-disposition")).toMatch(/^attachment; filename="ada@mail\.test-\d{4}-\d\d-\d\d\.mbox"$/);
  expect(text).toContain("Status: RO\nSubject: One\n\n>From the server\n\nFrom bob@example.net ");
  expect(text).toMatch(/\nX-Postroom-Rebuilt: [^\n]+\n[\s\S]*Subject: Two\n[\s\S]*\nkept here/);
  expect(h.platform.audit.list(ada.user.id, { limit: 5 }).map(({ action }) => action)).toContain("account.export");
});

test("the number of rebuilt messages is reported at the end, and the archive marks each of them", async () => {
  const ada = h.session();
  seed(ada.user.id);
  const exportAs = (format: string) =>
    ada.call("POST", "/exports", { body: { account_id: seeded.account.id, format } });
  for (const format of ["mbox", "eml"]) {
    const { text } = await exportAs(format);
    const [row] = h.platform.audit.list(ada.user.id, { limit: 1, action: "account.exported" });
    expect(row).toMatchObject({ target: seeded.account.id, after: { format, total: 2, whole: 1, rebuilt: 1 } });
    if (format === "eml")
      expect(text.match(/"rebuilt":(true|false)/g)?.sort()).toEqual(['"rebuilt":false', '"rebuilt":true']);
  }
});

test("an unreachable mail server is not asked for every message", async () => {
  const ada = h.session();
  seed(ada.user.id);
  for (let i = 0; i < 10; i++) seeded.deliver({ from: BOB });
  content.down = true;
  await ada.call("POST", "/exports", { body: { account_id: seeded.account.id, format: "eml" } });
  expect(content.asked).toHaveLength(3);
});

test("another user's mailbox is not found, and an unknown format is refused", async () => {
  seed(h.session().user.id);
  const bo = h.session("bo@example.org");
  const ask = (body: object) => bo.call("POST", "/exports", { body });
  expect((await ask({ account_id: seeded.account.id, format: "mbox" })).status).toBe(404);
  expect((await ask({ account_id: seeded.account.id, format: "pst" })).json.error.code).toBe("invalid_params");
});
