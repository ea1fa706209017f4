import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type PeopleFixture, peopleFixture } from "../../../test/support/people-fixture.ts";
import { calendarRoutes } from "./routes.ts";

let s: PeopleFixture;
beforeEach(() => {
  s = peopleFixture((people) => calendarRoutes(people.calendar));
});
afterEach(() => s.h.close());

interface Event {
  id: string;
  title: string;
  start: string;
  end: string;
  all_day: boolean;
  attendees: string[];
  status: string;
  organizer: string | null;
  answers: { email: string; status: string }[];
  recurrence_id: string | null;
}
const list = async (from = "2026-03-01", to = "2026-04-01", more = {}): Promise<Event[]> => {
  const query = new URLSearchParams({ from: `${from}T00:00:00Z`, to: `${to}T00:00:00Z` });
  return (await s.h.call("GET", `/calendar/events?${query}`, more)).json.data;
};
const review = {
  title: "Review",
  start: "2026-03-04T14:00:00+01:00",
  end: "2026-03-04T15:00:00+01:00",
  attendees: ["maya@harbourline.example"],
};
const create = (body: unknown = review, more = {}) => s.h.call("POST", "/calendar/events", { body, ...more });
const audit = (action: string) => s.h.platform.audit.list(s.h.user.id, { limit: 50, action: `calendar.${action}` });

/** Returns an .ics file as an attachment of a message. */
function ics(method: string | null, ...lines: string[]) {
  const text = ["BEGIN:VCALENDAR", "VERSION:2.0", ...(method ? [`METHOD:${method}`] : []), ...lines, "END:VCALENDAR"];
  return {
    index: 0,
    part: null,
    encoding: null,
    name: "invite.ics",
    mime: "text/calendar",
    size: 1,
    contentId: null,
    disposition: "attachment" as const,
    content: new TextEncoder().encode(text.join("\r\n")),
  };
}
const event = (...lines: string[]) => ["BEGIN:VEVENT", "UID:lunch@olga", ...lines, "END:VEVENT"];
const olga = { name: "Olga", email: "olga@example.com" };
const people = [
  "ORGANIZER;CN=Olga:mailto:olga@example.com",
  "ATTENDEE;CN=Ada;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:ADA@example.org",
  "ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:bob@example.net",
];
const lunch = (sequence: number, hour: string) =>
  event(
    `SEQUENCE:${sequence}`,
    `DTSTAMP:2026022${sequence}T100000Z`,
    "SUMMARY:Lunch",
    `DTSTART;TZID=Europe/Berlin:20260310T${hour}0000`,
    `DTEND;TZID=Europe/Berlin:20260310T${hour}4500`,
    ...people,
  );
const mail = (attachment: ReturnType<typeof ics>, more = {}) =>
  s.arrive({ from: olga, attachments: [attachment], ...more });

describe("the user's own events", () => {
  test("are created, listed and deleted, and every change is audited", async () => {
    const answer = await create();
    expect([answer.status, answer.json]).toEqual([200, { id: expect.stringMatching(/^evt_/), status: "confirmed" }]);
    expect(await list()).toEqual([
      expect.objectContaining({
        id: answer.json.id,
        title: "Review",
        start: "2026-03-04T13:00:00.000Z",
        end: "2026-03-04T14:00:00.000Z",
        all_day: false,
        attendees: ["maya@harbourline.example"],
        organizer: "ada@example.org",
        status: "confirmed",
        recurrence_id: null,
      }),
    ]);
    expect(await list("2026-03-05")).toEqual([]);
    const gone = await s.h.call("DELETE", `/calendar/events/${answer.json.id}`);
    expect(gone.json).toEqual({ id: answer.json.id, deleted: true });
    expect(await list()).toEqual([]);
    expect((await s.h.call("DELETE", `/calendar/events/${answer.json.id}`)).status).toBe(404);
    expect([audit("create").length, audit("delete").length]).toEqual([1, 1]);
    expect(audit("create")[0]).toMatchObject({ target: answer.json.id, before: null });
  });

  test("send no mail", async () => {
    await create();
    expect(s.h.platform.db.sql.query("SELECT count(*) AS n FROM sends").get()).toEqual({ n: 0 });
  });

  test("can cover whole days in the user's time zone", async () => {
    s.h.platform.db.sql.run("UPDATE users SET timezone = 'Europe/Lisbon'");
    await create({ title: "Fair", start: "2026-03-28T10:00:00Z", end: "2026-03-29T18:00:00Z", all_day: true });
    expect(await list()).toMatchObject([
      { all_day: true, start: "2026-03-28T00:00:00.000Z", end: "2026-03-29T23:00:00.000Z" },
    ]);
  });

  test.each([
    [{ title: "" }, "title"],
    [{ title: "   " }, "title"],
    [{ title: undefined }, "title"],
    [{ end: "2026-03-04T12:00:00Z" }, "end"],
    [{ start: "tomorrow" }, "start"],
    [{ start: "2026-03-04T14:00:00" }, "start"],
    [{ attendees: ["maya"] }, "attendees[0]"],
  ])("%j is refused at %s", async (change, param) => {
    const { status, json } = await create({ ...review, ...change });
    expect([status, json.error.param]).toEqual([400, param]);
    expect(await list()).toEqual([]);
  });

  test.each([
    ["from=2026-03-01T00:00:00Z", "to"],
    ["from=2026-03-01T00:00:00Z&to=2026-03-01T00:00:00Z", "to"],
    ["from=2026-03-01T00:00:00Z&to=2029-03-01T00:00:00Z", "to"],
    ["from=yesterday&to=2026-03-01T00:00:00Z", "from"],
  ])("a window of %s is refused at %s", async (query, param) => {
    const { status, json } = await s.h.call("GET", `/calendar/events?${query}`);
    expect([status, json.error.param]).toEqual([400, param]);
  });

  test("one Idempotency-Key creates one event", async () => {
    const headers = { "Idempotency-Key": "k" };
    const [one, two] = [await create(review, { headers }), await create(review, { headers })];
    expect(two.json).toEqual(one.json);
    expect(await list()).toHaveLength(1);
  });

  test("of another user are not found", async () => {
    const { json } = await create();
    const key = s.h.newKey({ user_id: s.h.newUser("eve@example.org").id }).secret;
    expect(await list("2026-03-01", "2026-04-01", { key })).toEqual([]);
    expect((await s.h.call("DELETE", `/calendar/events/${json.id}`, { key })).status).toBe(404);
    expect(await list()).toHaveLength(1);
  });

  test("are encrypted at rest", async () => {
    await create({ ...review, title: "Zanzibar" });
    for (const table of ["calendar_events", "audit"]) {
      for (const row of s.h.platform.db.sql.query(`SELECT * FROM ${table}`).values()) {
        const text = row.map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : value));
        expect(text.join("|")).not.toMatch(/zanzibar|harbourline/i);
      }
    }
  });
});

describe("invitations in mail", () => {
  test("become events that wait for an answer, with organizer and attendees", async () => {
    mail(ics("REQUEST", ...lunch(0, "12")));
    expect(await list()).toMatchObject([
      {
        title: "Lunch",
        start: "2026-03-10T11:00:00.000Z",
        end: "2026-03-10T11:45:00.000Z",
        status: "needs_action",
        organizer: "olga@example.com",
        attendees: ["ADA@example.org", "bob@example.net"],
      },
    ]);
    expect(audit("invite")).toMatchObject([{ actor: { kind: "system" } }]);
  });

  test("are updated by SEQUENCE, in any order of arrival", async () => {
    mail(ics("REQUEST", ...lunch(1, "13")));
    mail(ics("REQUEST", ...lunch(0, "12")));
    mail(ics("REQUEST", ...lunch(1, "13")));
    expect((await list()).map(({ start }) => start)).toEqual(["2026-03-10T12:00:00.000Z"]);
    mail(ics("REQUEST", ...lunch(2, "14")));
    expect((await list()).map(({ start }) => start)).toEqual(["2026-03-10T13:00:00.000Z"]);
    expect([audit("invite").length, audit("update").length]).toEqual([1, 1]);
  });

  test("are cancelled, and an old invitation does not restore them", async () => {
    mail(ics("REQUEST", ...lunch(0, "12")));
    mail(ics("CANCEL", ...event("SEQUENCE:1", "DTSTAMP:20260225T100000Z", "DTSTART:20260310T110000Z", ...people)));
    expect((await list()).map(({ status }) => status)).toEqual(["cancelled"]);
    mail(ics("REQUEST", ...lunch(0, "12")));
    expect((await list()).map(({ status }) => status)).toEqual(["cancelled"]);
  });

  test("a cancellation that is read before its invitation remains in effect", async () => {
    mail(ics("CANCEL", ...event("SEQUENCE:1", "DTSTAMP:20260225T100000Z", ...people)));
    expect(await list()).toEqual([]);
    mail(ics("REQUEST", ...lunch(0, "12")));
    expect((await list()).filter(({ status }) => status !== "cancelled")).toEqual([]);
  });

  test("replies update events: those of others, and the user's own from another program", async () => {
    mail(ics("REQUEST", ...lunch(0, "12")));
    const answer = (email: string, partstat: string) =>
      ics("REPLY", ...event("SEQUENCE:0", "DTSTAMP:20260226T100000Z", `ATTENDEE;PARTSTAT=${partstat}:mailto:${email}`));
    s.arrive({ from: { name: "Bob", email: "bob@example.net" }, attachments: [answer("bob@example.net", "DECLINED")] });
    const [after] = (await list()) as [Event];
    expect(after.answers.map(({ status }) => status)).toEqual(["needs_action", "declined"]);
    expect(after.status).toBe("needs_action");
    s.arrive({
      role: "sent",
      from: { name: "Ada", email: "ada@example.org" },
      to: [olga],
      attachments: [answer("ada@example.org", "ACCEPTED")],
    });
    expect((await list())[0]!.status).toBe("confirmed");
    expect(audit("reply")).toHaveLength(2);
  });

  test("mail that the user sent is not an invitation to them", async () => {
    const own = lunch(0, "12").map((line) => line.replace("olga@example.com", "ada@example.org"));
    s.arrive({
      role: "sent",
      from: { name: "Ada", email: "ada@example.org" },
      to: [olga],
      attachments: [ics("REQUEST", ...own)],
    });
    expect((await list())[0]!.status).toBe("confirmed");
  });

  test("a file without a method is also an invitation, but a whole calendar is not", async () => {
    mail({ ...ics(null, ...lunch(0, "12")), mime: "application/octet-stream" });
    expect(await list()).toHaveLength(1);
    const many = Array.from({ length: 30 }, (_, i) => [
      "BEGIN:VEVENT",
      `UID:${i}`,
      "DTSTART:20260311T100000Z",
      "END:VEVENT",
    ]);
    mail(ics("PUBLISH", ...many.flat()));
    expect(await list()).toHaveLength(1);
  });

  test("mail in spam, trash and drafts creates no events", async () => {
    for (const role of ["spam", "trash", "drafts"] as const) mail(ics("REQUEST", ...lunch(0, "12")), { role });
    expect(await list()).toEqual([]);
  });

  test("a deleted event stays deleted when its mail is read again, until an update arrives", async () => {
    mail(ics("REQUEST", ...lunch(0, "12")));
    const [{ id }] = (await list()) as [Event];
    await s.h.call("DELETE", `/calendar/events/${id}`);
    mail(ics("REQUEST", ...lunch(0, "12")));
    expect(await list()).toEqual([]);
    mail(ics("REQUEST", ...lunch(1, "13")));
    expect((await list()).map(({ id }) => id)).toEqual([id]);
  });

  test("an invalid attachment affects only itself", async () => {
    const { message_id } = mail(
      ics("REQUEST", "BEGIN:VEVENT", "UID:x", "DTSTART:never", "RRULE:FREQ=SOMETIMES", "END:VEVENT"),
    );
    expect(message_id).toBeString();
    expect(await list()).toEqual([]);
  });

  test("a series is listed day by day and keeps its local time when the clocks change", async () => {
    mail(
      ics(
        "REQUEST",
        ...event(
          "SEQUENCE:0",
          "SUMMARY:Stand-up",
          "DTSTART;TZID=W. Europe Standard Time:20260327T090000",
          "DURATION:PT15M",
          "RRULE:FREQ=DAILY;COUNT=4",
          ...people,
        ),
      ),
    );
    const found = await list();
    expect(found.map(({ start }) => start.slice(5, 16))).toEqual([
      "03-27T08:00",
      "03-28T08:00",
      "03-29T07:00",
      "03-30T07:00",
    ]);
    expect(new Set(found.map(({ id }) => id)).size).toBe(1);
    expect(found[1]!.recurrence_id).toBe(found[1]!.start);
  });
});

describe("by sending mail, others cannot", () => {
  const answer = (partstat: string) =>
    ics(
      "REPLY",
      ...event(
        "SEQUENCE:0",
        "DTSTAMP:20260222T100000Z",
        "ORGANIZER:mailto:olga@example.com",
        `ATTENDEE;PARTSTAT=${partstat}:mailto:ada@example.org`,
      ),
    );

  test("answer in the user's name", async () => {
    mail(ics("REQUEST", ...lunch(0, "12")));
    mail(answer("DECLINED"), { from: { name: "", email: "bob@example.net" } });
    expect(await list()).toMatchObject([{ status: "needs_action" }]);
    s.arrive({ role: "sent", from: { name: "Ada", email: "ada@example.org" }, attachments: [answer("DECLINED")] });
    expect(await list()).toMatchObject([{ status: "declined" }]);
  });

  test("accept in the user's name, not even as the organizer", async () => {
    const accepted = (lines: string[], partstat: string) =>
      lines.map((line) => line.replace("CN=Ada;PARTSTAT=NEEDS-ACTION", `CN=Ada;PARTSTAT=${partstat}`));
    mail(ics("REQUEST", ...accepted(lunch(0, "12"), "ACCEPTED")));
    expect(await list()).toMatchObject([{ status: "needs_action", answers: [{ status: "needs_action" }, {}] }]);
    // An update of the same event keeps the user's answer.
    mail(ics("REQUEST", ...accepted(lunch(1, "12"), "ACCEPTED")));
    expect(await list()).toMatchObject([{ status: "needs_action" }]);
    const reply = event("SEQUENCE:1", "DTSTAMP:20260226T100000Z", "ATTENDEE;PARTSTAT=TENTATIVE:mailto:ada@example.org");
    s.arrive({ role: "sent", from: { name: "", email: "ada@example.org" }, attachments: [ics("REPLY", ...reply)] });
    mail(ics("REQUEST", ...accepted(lunch(2, "12"), "ACCEPTED")));
    expect(await list()).toMatchObject([{ status: "tentative" }]);
    // When the event is rescheduled, the organizer asks again.
    mail(ics("REQUEST", ...lunch(3, "15")));
    expect(await list()).toMatchObject([{ status: "needs_action" }]);
  });

  test("answer or change events by using the user's address as From", async () => {
    mail(ics("REQUEST", ...lunch(0, "12")));
    const forged = { from: { name: "Ada", email: "ada@example.org" } };
    mail(answer("ACCEPTED"), forged);
    mail(answer("ACCEPTED"), { ...forged, role: "archive" });
    expect(await list()).toMatchObject([{ status: "needs_action" }]);
  });

  test("change or cancel what the user organizes", async () => {
    const { json } = await create();
    const uid = s.people.events.get(s.h.user.id, json.id)!.ics.match(/^UID:(.*?)\r?$/m)![1]!;
    const fake = (method: string) =>
      ics(
        method,
        ...["BEGIN:VEVENT", `UID:${uid}`, "SEQUENCE:9", "DTSTAMP:20270101T000000Z", "SUMMARY:Bait"],
        ...["DTSTART:20260304T130000Z", "ORGANIZER:mailto:ada@example.org", "END:VEVENT"],
      );
    for (const method of ["REQUEST", "CANCEL"]) mail(fake(method));
    expect(await list()).toMatchObject([{ title: "Review", status: "confirmed" }]);
    // A cancellation that the user sent from another program counts.
    s.arrive({ role: "sent", from: { name: "Ada", email: "ada@example.org" }, attachments: [fake("CANCEL")] });
    expect(await list()).toMatchObject([{ status: "cancelled" }]);
  });

  test("fill the calendar with one huge event", async () => {
    const guests = Array.from({ length: 10_000 }, (_, i) => `ATTENDEE:mailto:guest${i}@x.example`);
    mail(ics("REQUEST", ...event("DTSTART:20260310T120000Z", ...guests)));
    expect(await list()).toEqual([]);
  });

  test("make the list of events arbitrarily long", async () => {
    const text = "x".repeat(20_000);
    mail(ics("REQUEST", ...event("DTSTART:20260101T120000Z", "RRULE:FREQ=HOURLY", `DESCRIPTION:${text}`)));
    const found = await list("2026-01-01", "2028-01-01");
    expect(found.length).toBeGreaterThan(300);
    expect(JSON.stringify(found).length).toBeLessThan(9_000_000);
  });
});

test("an event from mail names the message that made it what it is, and an event of the user's own names none", async () => {
  const { calendar } = s.people;
  const at = (title: string) =>
    calendar.list(s.h.user.id, Date.UTC(2026, 2, 1), Date.UTC(2026, 3, 1)).find((one) => one.title === title)!;
  await create();
  expect(at("Review").message_id).toBeNull();
  const invited = mail(ics("REQUEST", ...lunch(0, "12")));
  expect(at("Lunch").message_id).toBe(invited.message_id);
  const moved = mail(ics("REQUEST", ...lunch(1, "13")));
  expect(at("Lunch").message_id).toBe(moved.message_id);
  // An answer and a repetition change no link.
  const reply = ["SEQUENCE:1", "DTSTAMP:20260226T100000Z", "ATTENDEE;PARTSTAT=ACCEPTED:mailto:bob@example.net"];
  mail(ics("REPLY", ...event(...reply)), { from: { name: "Bob", email: "bob@example.net" } });
  mail(ics("REQUEST", ...lunch(1, "13")));
  expect(at("Lunch").message_id).toBe(moved.message_id);
  const { messageQueries } = s.mailbox;
  expect(messageQueries.threadOf(s.h.user.id, moved.message_id)).toBe(moved.thread_id);
  const eve = s.h.platform.users.add({ email: "eve@example.org", plan: "pro", role: "member", timezone: "UTC" });
  expect(messageQueries.threadOf(eve.id, moved.message_id)).toBeNull();
});
