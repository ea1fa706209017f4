import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pdf } from "../../src/sandbox/attachments.ts";
import { OWNER, postroom, postroomCommand, prepareAccount, type Server, serve } from "../bench/postroom.ts";
import { DOVECOT, type Dovecot, freePorts, startDovecot } from "../support/dovecot.ts";
import { eventually } from "../support/eventually.ts";
import { mailText } from "../support/mail-text.ts";
import { RADICALE, type Radicale, startRadicale } from "../support/radicale.ts";

setDefaultTimeout(60_000);
/** The program runs beside all other tests. */
const PATIENCE_MS = 20_000;

/** The program as users run it, with its threads: what arriving mail triggers, and what reaches the servers. */
describe.skipIf(!DOVECOT)("a running Postroom", () => {
  const data = mkdtempSync(join(tmpdir(), "postroom-people-"));
  const command = postroomCommand(null);
  let dovecot: Dovecot;
  let server: Server;
  let key: string;

  beforeAll(async () => {
    dovecot = await startDovecot();
    await prepareAccount(command, data, dovecot.imapPort, dovecot.logins.alice);
    key = (await postroom(command, data, ["key", "create", "--user", OWNER, "--name", "t", "--scopes", "all"])).trim();
    const [port] = await freePorts(1);
    server = serve(command, data, port!, {
      POSTROOM_MAIL_POLL_SECONDS: "2",
      POSTROOM_LIMITS_REQUESTS_PER_MINUTE_KEY: "100000",
      POSTROOM_LIMITS_REQUESTS_PER_MINUTE_USER: "100000",
      POSTROOM_LIMITS_REQUESTS_PER_MINUTE_IP: "100000",
    });
    await eventually(async () => (await call("GET", "/accounts")).data[0]?.sync.phase === "live", 60_000);
  }, 90_000);
  afterAll(async () => {
    await server?.stop();
    await dovecot?.stop();
    rmSync(data, { recursive: true, force: true });
  });

  // biome-ignore lint/suspicious/noExplicitAny: a test reads answers of every shape
  async function call(method: string, path: string, body?: unknown): Promise<any> {
    const form = body instanceof FormData;
    const answer = await fetch(`${server.url}/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, ...(body && !form ? { "Content-Type": "application/json" } : {}) },
      ...(body ? { body: form ? body : JSON.stringify(body) } : {}),
    });
    return await answer.json();
  }

  test("a rule sorts new mail, and the mail server follows", async () => {
    const rule = await call("POST", "/rules", {
      conditions: [{ field: "subject", op: "contains", value: "invoice" }],
      actions: [{ type: "addLabel", value: "Invoices" }, { type: "archive" }, { type: "markRead" }],
    });
    await dovecot.deliver(
      "alice",
      mailText({ id: "inv-1", subject: "Invoice 7", from: "Maya Costa <maya.costa@x.example>" }),
    );
    const thread = await eventually(async () => (await call("GET", "/threads?state=archived")).data[0], PATIENCE_MS);
    expect(thread).toMatchObject({ subject: "Invoice 7", labels: ["Invoices"], unread: false });
    await eventually(() => {
      const flags = dovecot.doveadm(
        "fetch",
        "-u",
        dovecot.logins.alice.username,
        "flags",
        "mailbox",
        "Archive",
        "header",
        "subject",
        "Invoice 7",
      );
      return flags.includes("\\Seen") && flags.includes("pr_");
    }, PATIENCE_MS);
    const audited = (await call("GET", "/audit?action=rule.apply")).data;
    expect(audited[0].actor).toEqual({ kind: "rule", id: rule.id });
    expect((await call("GET", "/contacts?q=maya")).data).toMatchObject([{ name: "Maya Costa", threads: 1 }]);
  });

  test("an existing mailbox is sorted in the background", async () => {
    await dovecot.deliver("alice", mailText({ id: "note-1", subject: "Minutes of Monday" }));
    await eventually(async () => (await call("GET", "/threads")).data.length === 1, PATIENCE_MS);
    const rule = await call("POST", "/rules", {
      conditions: [{ field: "subject", op: "starts_with", value: "minutes" }],
      actions: [{ type: "star" }],
    });
    await call("POST", `/rules/${rule.id}/apply`, {});
    await eventually(async () => (await call("GET", `/rules/${rule.id}/apply`)).state === "done", PATIENCE_MS);
    expect(await call("GET", `/rules/${rule.id}/apply`)).toMatchObject({ done: 2, total: 2, changed: 1 });
  });

  /** Builds an invitation as mailers send it; `more` are further parts. */
  const invitation = (uid: string, title: string, more: string[] = []) =>
    [
      "From: Olga <olga@example.com>",
      "To: alice@mail.test",
      `Subject: ${uid}`,
      `Message-ID: <${uid}@example.com>`,
      "MIME-Version: 1.0",
      'Content-Type: multipart/mixed; boundary="b"',
      "",
      "--b",
      "Content-Type: text/plain",
      "",
      "Will you come?",
      "--b",
      "Content-Type: text/calendar; charset=utf-8; method=REQUEST",
      "Content-Transfer-Encoding: base64",
      "",
      ...Buffer.from(
        [
          ...["BEGIN:VCALENDAR", "VERSION:2.0", "METHOD:REQUEST", "BEGIN:VEVENT", `UID:${uid}`, "SEQUENCE:0"],
          ...["DTSTAMP:20260301T100000Z", `SUMMARY:${title}`, "DTSTART;TZID=Europe/Berlin:20260402T120000"],
          ...["DTEND;TZID=Europe/Berlin:20260402T130000", "ORGANIZER:mailto:olga@example.com"],
          ...["ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:alice@mail.test", "END:VEVENT", "END:VCALENDAR", ""],
        ].join("\r\n"),
      )
        .toString("base64")
        .match(/.{1,76}/g)!,
      ...more.flatMap((part) => ["--b", part]),
      "--b--",
      "",
    ].join("\r\n");

  test("an invitation is in the calendar, and in the feed", async () => {
    await dovecot.deliver("alice", invitation("lunch", "Läunch"));
    const window = "/calendar/events?from=2026-04-01T00:00:00Z&to=2026-05-01T00:00:00Z";
    const event = await eventually(async () => (await call("GET", window)).data[0], PATIENCE_MS);
    expect(event).toMatchObject({ title: "Läunch", start: "2026-04-02T10:00:00.000Z", status: "needs_action" });
    const path = (await postroom(command, data, ["calendar", "feed", "--user", OWNER])).trim();
    const feed = await fetch(`${server.url}${path}`);
    expect([feed.status, feed.headers.get("content-type")]).toEqual([200, "text/calendar; charset=utf-8"]);
    expect((await fetch(`${server.url}${path}x`)).status).toBe(404);
    // Of a large message only parts are fetched, including the invitation.
    const photo = Buffer.alloc(300_000, 7)
      .toString("base64")
      .match(/.{1,76}/g)!;
    const part = ["Content-Type: image/jpeg", "Content-Transfer-Encoding: base64", "", ...photo].join("\r\n");
    await dovecot.deliver("alice", invitation("dinner", "Dinner", [part]));
    await eventually(async () => {
      const { data } = await call("GET", window);
      return data.some(({ title }: { title: string }) => title === "Dinner");
    }, PATIENCE_MS);
  });

  test("a PDF of the personal context is read", async () => {
    const form = new FormData();
    form.set(
      "file",
      new File([new Uint8Array(pdf("Offer", ["Two nights"]))], "offer.pdf", { type: "application/pdf" }),
    );
    expect(await call("POST", "/context/files", form)).toMatchObject({ name: "offer.pdf", has_text: true });
  });

  test.skipIf(!RADICALE)("a calendar that is connected beside the running program is kept in sync", async () => {
    const radicale: Radicale = await startRadicale();
    try {
      const url = await radicale.makeCalendar("work");
      const add = ["calendar", "add", "--user", OWNER, "--url", radicale.url, "--username", radicale.login.username];
      const output = await postroom(command, data, [...add, "--password-stdin"], {
        input: `${radicale.login.password}\n`,
      });
      expect(output).toMatch(/^Connected work \(cal_/);
      await call("POST", "/calendar/events", {
        title: "Review",
        start: "2026-03-04T13:00:00Z",
        end: "2026-03-04T14:00:00Z",
      });
      await eventually(
        async () => Object.values(await radicale.objects(url)).some((ics) => ics.includes("Review")),
        10_000,
      );
      const [listed] = JSON.parse(await postroom(command, data, ["calendar", "list", "--json"]));
      expect(listed).toMatchObject({ name: "work", url, status: "active", default: true });
      const wrong = postroom(command, data, [...add, "--password-stdin"], { input: "no\n" });
      expect(String(await wrong.catch((error: unknown) => error))).toContain("refused the username or password");
      await postroom(command, data, ["calendar", "remove", listed.id]);
      expect(JSON.parse(await postroom(command, data, ["calendar", "list", "--json"]))).toEqual([]);
    } finally {
      await radicale.stop();
    }
  });
});
