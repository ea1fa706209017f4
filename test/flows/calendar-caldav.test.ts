import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createCalendarSync } from "../../src/app/people.ts";
import { CALDAV_JOB, type Calendar } from "../../src/features/calendar/calendars.ts";
import { calendarRoutes } from "../../src/features/calendar/routes.ts";
import { discoverCalendars } from "../../src/wire/ical/caldav-discover.ts";
import { CalDavFailure } from "../../src/wire/ical/caldav-fetch.ts";
import { type PeopleFixture, peopleFixture } from "../support/people-fixture.ts";
import { RADICALE, type Radicale, startRadicale } from "../support/radicale.ts";

const OLGAS_MAIL = { message_id: "msg_x", wrote: false, own: new Set<string>() };

/** Two-way synchronization with a real CalDAV server. */
describe.skipIf(!RADICALE)("a calendar on Radicale", () => {
  let radicale: Radicale;
  let s: PeopleFixture;
  let url: string;
  let calendar: Calendar;
  let made = 0;

  beforeAll(async () => {
    radicale = await startRadicale();
  });
  afterAll(() => radicale.stop());
  beforeEach(async () => {
    s = peopleFixture((people) => calendarRoutes(people.calendar));
    url = await radicale.makeCalendar(`work${made++}`);
    calendar = s.people.calendars.add(s.h.user.id, { url, ...radicale.login, name: "Work" });
  });
  afterEach(() => s.h.close());

  const list = async (): Promise<{ id: string; title: string; start: string; status: string; calendar_id: string }[]> =>
    (await s.h.call("GET", "/calendar/events?from=2026-03-01T00:00:00Z&to=2026-04-01T00:00:00Z")).json.data;
  const titles = async () => (await list()).map(({ title }) => title);
  const create = async (title: string) =>
    (
      await s.h.call("POST", "/calendar/events", {
        body: { title, start: "2026-03-04T13:00:00Z", end: "2026-03-04T14:00:00Z", attendees: ["maya@x.example"] },
      })
    ).json.id as string;
  const remove = (id: string) => s.h.call("DELETE", `/calendar/events/${id}`);
  const audit = (action: string) => s.h.platform.audit.list(s.h.user.id, { limit: 50, action: `calendar.${action}` });
  const event = (uid: string, title: string, more = "") =>
    `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//EN\r\nBEGIN:VEVENT\r\nUID:${uid}\r\nDTSTAMP:20260301T000000Z\r\nSUMMARY:${title}\r\nDTSTART:20260305T090000Z\r\nDTEND:20260305T100000Z\r\n${more}END:VEVENT\r\nEND:VCALENDAR\r\n`;

  /** Runs the jobs that are due now, as the running program would. */
  async function sync(): Promise<void> {
    const { jobs, db } = s.h.platform;
    const { handler } = createCalendarSync(s.h.platform, s.people);
    db.write(() => s.people.calendars.syncSoon(calendar.id, s.h.user.id));
    for (let job = jobs.claim(CALDAV_JOB); job; job = jobs.claim(CALDAV_JOB)) jobs.finish(job, await handler.run(job));
    calendar = s.people.calendars.get(calendar.id)!;
  }

  test("events that are created, changed and deleted on the server are synchronized", async () => {
    await radicale.put(url, "a.ics", event("a", "Breakfast"));
    await radicale.put(url, "b.ics", event("b", "Stand-up", "RRULE:FREQ=DAILY;COUNT=3\r\n"));
    await sync();
    expect((await titles()).sort()).toEqual(["Breakfast", "Stand-up", "Stand-up", "Stand-up"]);
    expect(calendar).toMatchObject({ status: "active", last_error: null, last_sync_at: s.h.clock.now() });
    await radicale.put(url, "a.ics", event("a", "Brunch"));
    await radicale.request("DELETE", `${url}b.ics`);
    await sync();
    expect(await list()).toMatchObject([{ title: "Brunch", status: "confirmed", calendar_id: calendar.id }]);
    expect([audit("remote_create").length, audit("remote_update").length, audit("remote_delete").length]).toEqual([
      2, 1, 1,
    ]);
    await sync();
    expect(audit("remote_update")).toHaveLength(1);
  });

  test("events that are created and deleted here are written to the server", async () => {
    const id = await create("Review");
    await sync();
    const [[name, text]] = Object.entries(await radicale.objects(url)) as [[string, string]];
    expect(name).toEndWith("@postroom.ics");
    expect(text).toContain("SUMMARY:Review");
    // The server must not send invitations.
    expect(text).toContain("SCHEDULE-AGENT=CLIENT");
    await sync();
    expect(await titles()).toEqual(["Review"]);
    await remove(id);
    expect(await titles()).toEqual([]);
    await sync();
    expect(await radicale.objects(url)).toEqual({});
    expect(await titles()).toEqual([]);
  });

  test("an event that is deleted before its first upload is never sent to the server", async () => {
    await remove(await create("Never"));
    await sync();
    expect(await radicale.objects(url)).toEqual({});
  });

  test("if an event is deleted here and changed on the server, the server's version stays and the audit log keeps ours", async () => {
    const id = await create("Review");
    await sync();
    const [name] = Object.keys(await radicale.objects(url));
    const changed = (await radicale.objects(url))[name!]!.replace("SUMMARY:Review", "SUMMARY:Moved by a phone");
    await radicale.put(url, name!, changed);
    await remove(id);
    await sync();
    expect(await titles()).toEqual(["Moved by a phone"]);
    expect(audit("conflict")).toMatchObject([{ target: id, before: { wanted: "delete" } }]);
  });

  test("if an event is changed on both sides, the server's version stays and the audit log keeps ours", async () => {
    await radicale.put(url, "a.ics", event("a", "Dinner", "SEQUENCE:0\r\nORGANIZER:mailto:olga@example.com\r\n"));
    await sync();
    await radicale.put(
      url,
      "a.ics",
      event("a", "Dinner at nine", "SEQUENCE:0\r\nORGANIZER:mailto:olga@example.com\r\n"),
    );
    // An update by mail of the event that is on the server.
    const update = event("a", "Dinner at eight", "SEQUENCE:3\r\nORGANIZER:mailto:olga@example.com\r\n").replace(
      "VERSION:2.0",
      "VERSION:2.0\r\nMETHOD:REQUEST",
    );
    s.people.invitations.take(s.h.user.id, OLGAS_MAIL, update);
    expect(await titles()).toEqual(["Dinner at eight"]);
    await sync();
    expect(await titles()).toEqual(["Dinner at nine"]);
    const [conflict] = audit("conflict");
    expect(JSON.stringify(conflict!.before)).toContain("Dinner at eight");
    expect(JSON.stringify(conflict!.after)).toContain("Dinner at nine");
  });

  test("an update by mail is sent to the server", async () => {
    await radicale.put(url, "a.ics", event("a", "Dinner", "SEQUENCE:0\r\nORGANIZER:mailto:olga@example.com\r\n"));
    await sync();
    const update = event("a", "Dinner at eight", "SEQUENCE:3\r\nORGANIZER:mailto:olga@example.com\r\n");
    s.people.invitations.take(s.h.user.id, OLGAS_MAIL, update);
    await sync();
    expect((await radicale.objects(url))["a.ics"]).toContain("Dinner at eight");
  });

  test("an expired sync token only causes a full listing", async () => {
    await radicale.put(url, "a.ics", event("a", "Breakfast"));
    await radicale.put(url, "b.ics", event("b", "Lunch"));
    await sync();
    await radicale.request("DELETE", `${url}b.ics`);
    s.people.calendars.noteSynced(calendar, { sync_token: "http://radicale.org/ns/sync/forgotten", ctag: null });
    await sync();
    expect(await titles()).toEqual(["Breakfast"]);
  });

  test("tasks and broken objects are not changed", async () => {
    const todo = event("t", "Task")
      .replaceAll("VEVENT", "VTODO")
      .replace(/DTEND.*\r\n/, "");
    const mixed = await radicale.makeCalendar(`mixed${made++}`, '<C:comp name="VEVENT"/><C:comp name="VTODO"/>');
    await radicale.put(mixed, "t.ics", todo);
    calendar = s.people.calendars.add(s.h.user.id, { url: mixed, ...radicale.login, name: "Mixed" });
    await sync();
    expect(await titles()).toEqual([]);
    expect(Object.keys(await radicale.objects(mixed))).toEqual(["t.ics"]);
  });

  test("a calendar with more events than one request asks for arrives completely", async () => {
    for (let i = 0; i < 60; i++) await radicale.put(url, `${i}.ics`, event(`n${i}`, `Event ${i}`));
    await sync();
    expect(new Set(await titles()).size).toBe(60);
  }, 30_000);

  test("an invitation by mail and the same event on the server are one", async () => {
    const invitation = event("a", "Dinner", "SEQUENCE:0\r\nORGANIZER:mailto:olga@example.com\r\n");
    s.people.invitations.take(s.h.user.id, OLGAS_MAIL, invitation);
    await radicale.put(url, "a.ics", invitation);
    await sync();
    expect(await list()).toMatchObject([{ title: "Dinner", calendar_id: calendar.id }]);
  });

  test("a wrong password and an unreachable server are reported, and retried later", async () => {
    const bad = s.people.calendars.add(s.h.user.id, {
      url: `${url}x/`,
      ...radicale.login,
      password: "wrong",
      name: "Bad",
    });
    calendar = bad;
    await sync();
    expect(calendar).toMatchObject({ status: "auth_failed", last_error: expect.stringContaining("password") });
    const gone = { url: "http://127.0.0.1:9/cal/", ...radicale.login, name: "Gone" };
    calendar = s.people.calendars.add(s.h.user.id, gone);
    await sync();
    expect(calendar.status).toBe("unreachable");
    expect(s.h.platform.jobs.nextDue([CALDAV_JOB])).toBeGreaterThan(0);
  });

  test("is found from the server's address alone, and from the calendar's address", async () => {
    const found = await discoverCalendars({ url: radicale.url, ...radicale.login, ca: null });
    expect(found).toContainEqual({ url, name: `work${made - 1}` });
    expect(await discoverCalendars({ url, ...radicale.login, ca: null })).toEqual([{ url, name: `work${made - 1}` }]);
    const refused = discoverCalendars({ url: radicale.url, username: "alice", password: "no", ca: null });
    expect(await refused.catch((error: unknown) => error)).toBeInstanceOf(CalDavFailure);
  });

  test("is disconnected without changes on the server", async () => {
    await radicale.put(url, "a.ics", event("a", "Breakfast"));
    await sync();
    s.people.calendars.remove(calendar);
    expect(await titles()).toEqual([]);
    expect(Object.keys(await radicale.objects(url))).toEqual(["a.ics"]);
  });
});
