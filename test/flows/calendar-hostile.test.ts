import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createCalendarSync } from "../../src/app/people.ts";
import { CALDAV_JOB, type Calendar } from "../../src/features/calendar/calendars.ts";
import { calendarRoutes } from "../../src/features/calendar/routes.ts";
import { discoverCalendars } from "../../src/wire/ical/caldav-discover.ts";
import { type PeopleFixture, peopleFixture } from "../support/people-fixture.ts";

/** A calendar server with wrong answers: they neither lose data here nor disclose it to others. */

type Answers = (request: { method: string; depth: string | null; body: string; path: string }) => Response;

let s: PeopleFixture;
let server: ReturnType<typeof Bun.serve>;
let answers: Answers;
let asked: string[];
let calendar: Calendar;
beforeEach(() => {
  s = peopleFixture((people) => calendarRoutes(people.calendar));
  asked = [];
  server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      const path = new URL(request.url).pathname;
      asked.push(`${request.method} ${path}`);
      const { method, headers } = request;
      return answers({ method, depth: headers.get("depth"), body: await request.text(), path });
    },
  });
});
afterEach(async () => {
  await server.stop(true);
  s.h.close();
});

const login = () => ({ url: `http://127.0.0.1:${server.port}/cal/`, username: "ada", password: "secret" });
const connect = () => {
  calendar = s.people.calendars.add(s.h.user.id, { ...login(), name: "Work" });
};
async function sync(): Promise<void> {
  const { jobs, db } = s.h.platform;
  const { handler } = createCalendarSync(s.h.platform, s.people);
  db.write(() => s.people.calendars.syncSoon(calendar.id, s.h.user.id));
  for (let job = jobs.claim(CALDAV_JOB); job; job = jobs.claim(CALDAV_JOB)) jobs.finish(job, await handler.run(job));
  calendar = s.people.calendars.get(calendar.id)!;
}
const create = (title: string) =>
  s.h.call("POST", "/calendar/events", { body: { title, start: "2026-03-04T13:00:00Z", end: "2026-03-04T14:00:00Z" } });
const titles = async () =>
  (await s.h.call("GET", "/calendar/events?from=2026-03-01T00:00:00Z&to=2026-04-01T00:00:00Z")).json.data.map(
    ({ title }: { title: string }) => title,
  );

test("a calendar without TLS is not requested through a proxy of the environment", async () => {
  let seen = 0;
  const proxy = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => {
      seen++;
      return new Response(null, { status: 502 });
    },
  });
  const { HTTP_PROXY, http_proxy } = process.env;
  process.env.HTTP_PROXY = process.env.http_proxy = `http://127.0.0.1:${proxy.port}`;
  try {
    answers = () => new Response(null, { status: 401 });
    await discoverCalendars({ ...login(), ca: null }).catch(() => {});
    expect([seen, asked.length > 0]).toEqual([0, true]);
  } finally {
    for (const [name, value] of Object.entries({ HTTP_PROXY, http_proxy })) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    await proxy.stop(true);
  }
});

const NAMESPACES = 'xmlns="DAV:" xmlns:CS="http://calendarserver.org/ns/" xmlns:C="urn:ietf:params:xml:ns:caldav"';
const multistatus = (...rows: string[]) =>
  new Response(`<?xml version="1.0"?><multistatus ${NAMESPACES}>${rows.join("")}</multistatus>`, {
    status: 207,
    headers: { "Content-Type": "application/xml" },
  });
const row = (href: string, props = '<getetag>"1"</getetag>') =>
  `<response><href>${href}</href><propstat><prop>${props}</prop><status>HTTP/1.1 200 OK</status></propstat></response>`;
const COLLECTION = "<resourcetype><collection/><C:calendar/></resourcetype>";
const SELF = row("/cal/", `${COLLECTION}<CS:getctag>1</CS:getctag>`);
const SYNCING_SELF = row("/cal/", `${COLLECTION}<sync-token>t0</sync-token>`);
const data = (uid: string) =>
  `<C:calendar-data>BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VEVENT\nUID:${uid}\nDTSTART:20260305T090000Z\nSUMMARY:${uid}\nEND:VEVENT\nEND:VCALENDAR</C:calendar-data>`;
/** Answers a multiget. */
const objects = (body: string) =>
  multistatus(
    ...[...body.matchAll(/<(?:\w+:)?href>([^<]+)</g)].map(([, href]) =>
      row(href!, `<getetag>"1"</getetag>${data(href!.replace(/^.*\/|\.ics$/g, ""))}`),
    ),
  );

describe("an empty listing", () => {
  test.each([
    ["a login page", () => new Response("<html>Log in</html>", { headers: { "Content-Type": "text/html" } })],
    ["invalid XML", () => new Response("<<<&&&", { status: 207 })],
    ["an empty body", () => new Response("", { status: 207 })],
    ["no response element", () => multistatus()],
    ["a resource that is no calendar", () => multistatus(row("/other.ics"))],
    ["an invalid address", () => multistatus(SELF, row("http://[bad/"))],
    ["500", () => new Response("", { status: 500 })],
    ["404", () => new Response("", { status: 404 })],
    ["endless redirects", () => new Response("", { status: 302, headers: { Location: "/cal/" } })],
  ])("%s: the events stay, and the calendar reports the problem", async (_, answer) => {
    answers = ({ method, body }) => (method === "REPORT" ? objects(body) : multistatus(SELF, row("/cal/a.ics")));
    connect();
    await sync();
    expect(await titles()).toEqual(["a"]);
    answers = ({ depth }) => (depth === "0" ? multistatus(SELF.replace("<CS:getctag>1<", "<CS:getctag>2<")) : answer());
    await sync();
    expect(calendar).toMatchObject({ status: "unreachable", last_error: expect.stringMatching(/server/i) });
    expect(await titles()).toEqual(["a"]);
    expect(s.h.platform.jobs.nextDue([CALDAV_JOB])).toBeGreaterThan(0);
  });
});

test("a listing in parts is assembled before anything counts as deleted", async () => {
  const more = "<response><href>/cal/</href><status>HTTP/1.1 507 Insufficient Storage</status></response>";
  answers = ({ method, body }) => {
    if (method === "PROPFIND") return multistatus(SYNCING_SELF);
    if (!body.includes("sync-collection")) return objects(body);
    return body.includes("part-2")
      ? multistatus(row("/cal/b.ics"), "<sync-token>end</sync-token>")
      : multistatus(row("/cal/a.ics"), more, "<sync-token>part-2</sync-token>");
  };
  connect();
  await sync();
  expect((await titles()).sort()).toEqual(["a", "b"]);
  // The server forgot the token, so everything is listed again.
  s.people.calendars.noteSynced(calendar, { sync_token: null, ctag: null });
  await sync();
  expect((await titles()).sort()).toEqual(["a", "b"]);
});

describe("events that the server refuses", () => {
  test("a refused event stays here, holds nothing else back, and is reported", async () => {
    answers = ({ method, body, path }) => {
      if (method === "PUT" && body.includes("Poison")) return new Response("", { status: 403 });
      if (method === "PUT") return new Response("", { status: 201, headers: { ETag: `"${path}"` } });
      return method === "REPORT" ? objects(body) : multistatus(SELF, row("/cal/theirs.ics"));
    };
    connect();
    await create("Poison");
    await create("Good");
    await sync();
    expect(calendar).toMatchObject({ status: "unreachable", last_error: expect.stringContaining("403") });
    expect(await titles()).toContain("Poison");
    expect(await titles()).toContain("theirs");
    expect(asked.filter((line) => line.startsWith("PUT"))).toHaveLength(2);
  });

  test("a collection that no longer exists (409) loses no event", async () => {
    answers = ({ method }) => (method === "PUT" ? new Response("", { status: 409 }) : multistatus(SELF));
    connect();
    await create("Review");
    await sync();
    expect(await titles()).toEqual(["Review"]);
    expect(calendar.last_error).toContain("409");
  });

  test("a conflict over a missing object loses no event", async () => {
    answers = ({ method }) => (method === "PUT" ? new Response("", { status: 412 }) : multistatus(SELF));
    connect();
    await create("Review");
    await sync();
    expect(await titles()).toEqual(["Review"]);
  });
});

test("events that never reached the server are kept when the calendar is disconnected", async () => {
  answers = () => new Response("", { status: 503 });
  connect();
  await create("Review");
  await sync();
  s.people.calendars.remove(calendar);
  expect(await titles()).toEqual(["Review"]);
});

describe("the password", () => {
  let stranger: ReturnType<typeof Bun.serve>;
  let received: (string | null)[];
  beforeEach(() => {
    received = [];
    stranger = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: (request) => {
        received.push(request.headers.get("authorization"));
        return multistatus(SELF);
      },
    });
  });
  afterEach(() => stranger.stop(true));

  test("does not follow a link to another server", async () => {
    const elsewhere = `http://127.0.0.1:${stranger.port}/cal/`;
    answers = () =>
      multistatus(row("/cal/", `<current-user-principal><href>${elsewhere}</href></current-user-principal>`));
    const refused = await discoverCalendars({ ...login(), ca: null }).catch((error: unknown) => error);
    expect(String(refused)).toContain(`redirects to http://127.0.0.1:${stranger.port}`);
    expect(received).toEqual([]);
  });

  test("does not follow an event whose address is on another server", async () => {
    const elsewhere = `http://127.0.0.1:${stranger.port}/cal/a.ics`;
    answers = ({ method }) =>
      method === "REPORT"
        ? multistatus(row(elsewhere, `<getetag>"1"</getetag>${data("a")}`))
        : multistatus(SELF, row(elsewhere));
    connect();
    await sync();
    const [{ id }] = (await s.h.call("GET", "/calendar/events?from=2026-03-01T00:00:00Z&to=2026-04-01T00:00:00Z")).json
      .data;
    await s.h.call("DELETE", `/calendar/events/${id}`);
    await sync();
    expect(received).toEqual([]);
  });
});
