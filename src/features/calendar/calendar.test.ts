import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type PeopleScene, peopleScene } from "../../../test/people-scene.ts";
import { feedPage } from "./feed.ts";
import { calendarRoutes } from "./routes.ts";

let s: PeopleScene;
beforeEach(() => {
  s = peopleScene((people) => calendarRoutes(people.calendar));
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

/** An .ics as an attachment of a message. */
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

describe("events of one's own", () => {
  test("are created, listed and deleted; all of it is audited", async () => {
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

  test("mail nobody", async () => {
    await create();
    expect(s.h.platform.db.sql.query("SELECT count(*) AS n FROM sends").get()).toEqual({ n: 0 });
  });

  test("can be days, in the user's time zone", async () => {
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

  test("one Idempotency-Key makes one event", async () => {
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

  test("are sealed", async () => {
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

  test("are updated by SEQUENCE, in whatever order the mail is read", async () => {
    mail(ics("REQUEST", ...lunch(1, "13")));
    mail(ics("REQUEST", ...lunch(0, "12")));
    mail(ics("REQUEST", ...lunch(1, "13")));
    expect((await list()).map(({ start }) => start)).toEqual(["2026-03-10T12:00:00.000Z"]);
    mail(ics("REQUEST", ...lunch(2, "14")));
    expect((await list()).map(({ start }) => start)).toEqual(["2026-03-10T13:00:00.000Z"]);
    expect([audit("invite").length, audit("update").length]).toEqual([1, 1]);
  });

  test("are cancelled, and an old invitation does not bring them back", async () => {
    mail(ics("REQUEST", ...lunch(0, "12")));
    mail(ics("CANCEL", ...event("SEQUENCE:1", "DTSTAMP:20260225T100000Z", "DTSTART:20260310T110000Z", ...people)));
    expect((await list()).map(({ status }) => status)).toEqual(["cancelled"]);
    mail(ics("REQUEST", ...lunch(0, "12")));
    expect((await list()).map(({ status }) => status)).toEqual(["cancelled"]);
  });

  test("a cancellation that is read before the invitation holds", async () => {
    mail(ics("CANCEL", ...event("SEQUENCE:1", "DTSTAMP:20260225T100000Z", ...people)));
    expect(await list()).toEqual([]);
    mail(ics("REQUEST", ...lunch(0, "12")));
    expect((await list()).filter(({ status }) => status !== "cancelled")).toEqual([]);
  });

  test("answers go into events: others' and the user's own from another program", async () => {
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

  test("what the user sent is no invitation to them", async () => {
    const own = lunch(0, "12").map((line) => line.replace("olga@example.com", "ada@example.org"));
    s.arrive({
      role: "sent",
      from: { name: "Ada", email: "ada@example.org" },
      to: [olga],
      attachments: [ics("REQUEST", ...own)],
    });
    expect((await list())[0]!.status).toBe("confirmed");
  });

  test("a file without a method is an invitation, too; a whole calendar is not", async () => {
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

  test("spam, trash and drafts invite nobody", async () => {
    for (const role of ["spam", "trash", "drafts"] as const) mail(ics("REQUEST", ...lunch(0, "12")), { role });
    expect(await list()).toEqual([]);
  });

  test("a deleted one stays deleted when its mail is read anew, until there is news", async () => {
    mail(ics("REQUEST", ...lunch(0, "12")));
    const [{ id }] = (await list()) as [Event];
    await s.h.call("DELETE", `/calendar/events/${id}`);
    mail(ics("REQUEST", ...lunch(0, "12")));
    expect(await list()).toEqual([]);
    mail(ics("REQUEST", ...lunch(1, "13")));
    expect((await list()).map(({ id }) => id)).toEqual([id]);
  });

  test("nonsense in an attachment costs nothing but itself", async () => {
    const { message_id } = mail(
      ics("REQUEST", "BEGIN:VEVENT", "UID:x", "DTSTART:never", "RRULE:FREQ=SOMETIMES", "END:VEVENT"),
    );
    expect(message_id).toBeString();
    expect(await list()).toEqual([]);
  });

  test("a series is listed day by day, its time right over the change of the clock", async () => {
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

describe("the feed for phones", () => {
  const get = async (path: string, headers: Record<string, string> = {}) =>
    await feedPage(s.people.calendar_feed).handle({
      request: new Request(`http://localhost${path}`, { headers }),
      params: {},
      address: "",
      direct: true,
      request_id: "",
    });

  test("holds the user's events and nobody else's; an unchanged one is not sent again", async () => {
    await create({ ...review, start: "2026-03-04T13:00:00Z" });
    mail(ics("REQUEST", ...lunch(0, "12")));
    const eve = s.h.newUser("eve@example.org");
    await create({ ...review, title: "Secret" }, { key: s.h.newKey({ user_id: eve.id }).secret });
    const path = s.people.calendar_feed.path(s.h.user.id);
    const reply = await get(path);
    const text = await reply.text();
    expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "text/calendar; charset=utf-8"]);
    expect(text.match(/BEGIN:VEVENT/g)).toHaveLength(2);
    expect(text).toContain("SUMMARY:Lunch");
    expect(text).not.toContain("Secret");
    const again = await get(path, { "if-none-match": reply.headers.get("etag")! });
    expect(again.status).toBe(304);
  });

  test("opens with its token only, until it is renewed or closed", async () => {
    const path = s.people.calendar_feed.path(s.h.user.id);
    expect(s.people.calendar_feed.path(s.h.user.id)).toBe(path);
    expect((await get("/calendar/feed.ics")).status).toBe(404);
    expect((await get("/calendar/feed.ics?token=guess")).status).toBe(404);
    const renewed = s.people.calendar_feed.path(s.h.user.id, true);
    expect([(await get(path)).status, (await get(renewed)).status]).toEqual([404, 200]);
    s.people.calendar_feed.close(s.h.user.id);
    expect((await get(renewed)).status).toBe(404);
    const token = new URL(`http://x${renewed}`).searchParams.get("token")!;
    const rows = JSON.stringify(s.h.platform.db.sql.query("SELECT * FROM audit").values());
    expect(rows).not.toContain(token);
  });
});
