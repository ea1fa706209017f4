import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { unzipSync } from "fflate";
import { type MemberFixture, memberFixture } from "../../../test/support/member-fixture.ts";
import { BlobFiles } from "../../platform/blobs/files.ts";

let s: MemberFixture;
beforeEach(() => {
  s = memberFixture();
});
afterEach(() => s.h.close());

describe("members", () => {
  test("can be managed only by the owner", async () => {
    const calls: [string, string][] = [
      ["GET", "/members"],
      ["POST", "/members"],
      ["PATCH", `/members/${s.h.user.id}`],
      ["DELETE", `/members/${s.h.user.id}`],
      ["POST", `/members/${s.h.user.id}/invite`],
      ["GET", `/members/${s.owner.user.id}/export`],
      ["GET", "/teams"],
      ["PUT", "/ai"],
    ];
    for (const [method, path] of calls) {
      const { status, json } = await s.ada.call(method, path, method === "GET" ? {} : { body: {} });
      expect([method, path, status, json.error.code]).toEqual([method, path, 403, "owner_required"]);
      const key = await s.h.call(method, `//app/api${path}`, { headers: { "X-Postroom-App": "1" } });
      expect(key.status).toBe(401);
    }
  });

  test("are listed with their usage", async () => {
    s.arrive();
    s.arrive();
    const { json } = await s.owner.call("GET", "/members");
    expect(json.data.find(({ email }: { email: string }) => email === "ada@example.org")).toMatchObject({
      role: "member",
      plan: "autopilot",
      mailboxes: 1,
      messages: 2,
      storage_bytes: 2_000,
      last_sign_in_at: null,
      invited_until: null,
    });
  });

  test("are added with a plan, and can be moved to another plan together with their sandbox", async () => {
    const added = await s.owner.call("POST", "/members", { body: { email: "bo@example.org", plan: "free" } });
    expect([added.status, added.json.plan]).toEqual([201, "free"]);
    const bo = s.h.platform.users.get(added.json.id)!;
    const live = s.h.newKey({ user_id: bo.id }).secret;
    const test = s.h.newKey({ user_id: s.h.platform.users.sandboxOf(bo.id).id, test: true }).secret;
    const usage = async () =>
      Promise.all([live, test].map(async (key) => (await s.h.call("GET", "/usage", { key })).status));
    expect(await usage()).toEqual([402, 402]);
    expect((await s.owner.call("PATCH", `/members/${bo.id}`, { body: { plan: "pro" } })).json.plan).toBe("pro");
    expect(await usage()).toEqual([200, 200]);
    const [row] = s.h.platform.audit.list(bo.id, { limit: 1, action: "user.plan" });
    expect(row).toMatchObject({ before: { plan: "free" }, after: { plan: "pro" }, actor: { id: s.owner.user.id } });
  });

  test.each([
    [{ email: "ADA@example.org", plan: "pro" }, "email"],
    [{ email: "no address", plan: "pro" }, "email"],
    [{ email: "bo@example.org", plan: "team" }, "plan"],
    [{ email: "bo@example.org", plan: "pro", timezone: "Mars/Olympus" }, "timezone"],
  ])("%j is refused", async (body, param) => {
    const { status, json } = await s.owner.call("POST", "/members", { body });
    expect([status, json.error.param]).toEqual([400, param]);
  });
});

describe("an invitation", () => {
  const invite = async () => (await s.owner.call("POST", `/members/${s.h.user.id}/invite`)).json;
  const tokenOf = ({ url }: { url: string }) => new URL(url).hash.replace("#invitation=", "");

  test("is a link that activates the account once", async () => {
    const link = await invite();
    expect(link.url).toMatch(/^http:\/\/localhost\/app\/#invitation=[\w-]{43}$/);
    const { invitations } = s.h.platform;
    expect(invitations.open(tokenOf(link))?.user_id).toBe(s.h.user.id);
    expect([invitations.accept(tokenOf(link)), invitations.accept(tokenOf(link))]).toEqual([s.h.user.id, null]);
  });

  test("replaces an earlier one, expires after a week, and can be withdrawn", async () => {
    const { invitations } = s.h.platform;
    const first = tokenOf(await invite());
    const second = tokenOf(await invite());
    expect([invitations.open(first), invitations.open(second)?.user_id]).toEqual([null, s.h.user.id]);
    s.h.clock.advance(7 * 86_400_000);
    expect([invitations.open(second), invitations.accept(second)]).toEqual([null, null]);
    const owner = s.h.session("owner@example.org");
    const third = tokenOf((await owner.call("POST", `/members/${s.h.user.id}/invite`)).json);
    expect((await owner.call("DELETE", `/members/${s.h.user.id}/invite`)).status).toBe(204);
    expect(invitations.open(third)).toBeNull();
    expect((await owner.call("DELETE", `/members/${s.h.user.id}/invite`)).status).toBe(404);
  });

  test("is not available for the owner: with it, an open browser could set a new password without the current one", async () => {
    const { status, json } = await s.owner.call("POST", `/members/${s.owner.user.id}/invite`);
    expect([status, json.error.param]).toEqual([400, "id"]);
    expect(s.h.platform.invitations.pending(s.owner.user.id)).toBeNull();
  });

  test("is not stored in plaintext on the disk", async () => {
    const token = tokenOf(await invite());
    const rows = s.h.platform.db.sql.query("SELECT * FROM invitations").all();
    expect(JSON.stringify(rows)).not.toContain(token);
  });
});

describe("an export", () => {
  async function exported(by = s.ada, path = "/me/export"): Promise<Record<string, string>> {
    const response = await s.h.fetch("GET", `//app/api${path}`, {
      key: null,
      headers: { Cookie: by.cookie, "X-Postroom-App": "1" },
    });
    expect(response.status).toBe(200);
    const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
    return Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, Buffer.from(bytes).toString()]));
  }

  test("contains all of the person's data, in files that any program can read", async () => {
    const { id } = s.h.user;
    const writer = { user_id: id, account_id: null, actor: { kind: "user" as const, id }, request_id: null };
    const { message_id, thread_id } = s.arrive({
      subject: "Grüße",
      text: "The whole text.",
      html: "<p>The whole text.</p>",
    });
    const raw = "Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\n\r\nThe whole text.";
    new BlobFiles(s.h.platform).storeRaw({ user_id: id, message_id }, Buffer.from(raw));
    s.people.context.setVariable(writer, "greeting", "Hello");
    const bytes = Buffer.from("Terms of trade");
    const given = { name: "../terms.txt", type: "text/plain", bytes, profile_id: null };
    await s.people.contextFiles.add(writer, given, (write) => write());
    s.people.rules.create(writer, {
      kind: "inbox",
      conditions: [{ field: "from", op: "contains", value: "bob" }],
      actions: [{ type: "archive" }],
    });
    const key = s.h.newKey({ name: "laptop" });
    const files = await exported();
    const rows = (name: string) => JSON.parse(files[name]!);
    expect(rows("user.json")).toMatchObject([{ email: "ada@example.org", plan: "autopilot" }]);
    expect(rows("mail/messages.json")).toMatchObject([
      { id: message_id, text: "The whole text.", html: "<p>The whole text.</p>", head: { subject: "Grüße" } },
    ]);
    expect(rows("mail/threads.json")).toMatchObject([{ id: thread_id, subject: "Grüße", state: "inbox" }]);
    expect(files[`mail/source/${message_id}.eml`]).toBe(raw);
    expect(rows("contacts.json")).toMatchObject([{ emails: ["bob.stone@example.net"] }]);
    expect(rows("rules.json")).toHaveLength(1);
    expect(rows("context/variables.json")).toMatchObject([{ key: "greeting", value: "Hello" }]);
    const names = Object.keys(files);
    expect(names.filter((name) => name.startsWith("files/context/"))).toEqual([
      expect.stringMatching(/^files\/context\/ctf_\w+ _terms\.txt$/),
    ]);
    expect(names.some((name) => name.includes("..") || name.startsWith("/"))).toBe(false);
    expect(rows("api-keys.json")).toContainEqual(expect.objectContaining({ name: "laptop" }));
    expect(JSON.stringify(files)).not.toContain(key.secret);
    expect(rows("events.json").map(({ event }: { event: string }) => event)).toContain("message.received");
    expect(rows("audit.json").map(({ action }: { action: string }) => action)).toContain("user.export");
    expect(files["PROBLEMS.txt"]).toBeUndefined();
  });

  test("that is requested by HEAD, or aborted in the middle, is not an error", async () => {
    s.arrive();
    const faults: unknown[] = [];
    const note = (reason: unknown) => faults.push(reason);
    process.on("unhandledRejection", note);
    const { status } = await s.ada.call("HEAD", "/me/export");
    const headers = { Cookie: s.ada.cookie, "X-Postroom-App": "1" };
    const given_up = await s.h.fetch("GET", "//app/api/me/export", { key: null, headers });
    await given_up.body!.cancel();
    for (let i = 0; i < 5; i++) await new Promise<void>((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", note);
    expect([status, faults]).toEqual([200, []]);
  });

  test("contains no data of anyone else", async () => {
    const bo = s.h.newUser("bo@example.org");
    s.arrive({ text: "Only for Bo." }, s.connect(bo.id, "bo@example.org"));
    // Not "Bo" alone, because random ids and the beginnings of keys may contain any two letters.
    expect(JSON.stringify(await exported())).not.toMatch(/Only for Bo|bo@example\.org/);
  });

  test("of a member can be made by the owner, and the member sees it in the audit log", async () => {
    s.arrive({ text: "For Ada." });
    const files = await exported(s.owner, `/members/${s.h.user.id}/export`);
    expect(files["mail/messages.json"]).toContain("For Ada.");
    const [row] = s.h.platform.audit.list(s.h.user.id, { limit: 1, action: "user.export" });
    expect(row!.actor).toEqual({ kind: "user", id: s.owner.user.id });
  });

  test("reports unreadable data and includes everything else", async () => {
    s.arrive();
    s.arrive({ text: "Still here." });
    s.h.platform.db.sql.run("UPDATE contact_addresses SET profile = x'00'");
    const files = await exported();
    expect(files["PROBLEMS.txt"]).toContain("contacts.json: not complete");
    expect(JSON.parse(files["contacts.json"]!)).toEqual([]);
    expect(files["mail/messages.json"]).toContain("Still here.");
  });
});
