import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type PeopleFixture, peopleFixture } from "../../../test/support/people-fixture.ts";
import { createRequestContext } from "../../http/request-context.ts";
import { feedPage } from "./feed.ts";
import { calendarRoutes } from "./routes.ts";

let s: PeopleFixture;
beforeEach(() => {
  s = peopleFixture((people) => calendarRoutes(people.calendar));
});
afterEach(() => s.h.close());

const review = { title: "Review", start: "2026-03-04T14:00:00+01:00", end: "2026-03-04T15:00:00+01:00", attendees: [] };
const create = (body: unknown = review, more = {}) => s.h.call("POST", "/calendar/events", { body, ...more });

describe("the calendar feed", () => {
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const request = new Request(`http://localhost${path}`, { headers });
    const about = { address: "", through_trusted_proxy: false, session: null, base_path: "", public_url: "" };
    const context = createRequestContext({ request, ...about });
    const page = { request, params: {}, address: "", direct: true, request_id: "", context };
    return await feedPage(s.people.calendarFeed).handle(page);
  };

  test("contains only the user's own events; an unchanged feed is not sent again", async () => {
    await create();
    await create({ ...review, title: "Lunch" });
    const eve = s.h.newUser("eve@example.org");
    await create({ ...review, title: "Secret" }, { key: s.h.newKey({ user_id: eve.id }).secret });
    const path = s.people.calendarFeed.path(s.h.user.id);
    const reply = await get(path);
    const text = await reply.text();
    expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "text/calendar; charset=utf-8"]);
    expect(text.match(/BEGIN:VEVENT/g)).toHaveLength(2);
    expect(text).toContain("SUMMARY:Lunch");
    expect(text).not.toContain("Secret");
    const again = await get(path, { "if-none-match": reply.headers.get("etag")! });
    expect(again.status).toBe(304);
  });

  test("opens only with its token, until the token is renewed or the feed is closed", async () => {
    const path = s.people.calendarFeed.path(s.h.user.id);
    expect(s.people.calendarFeed.path(s.h.user.id)).toBe(path);
    expect((await get("/calendar/feed.ics")).status).toBe(404);
    expect((await get("/calendar/feed.ics?token=guess")).status).toBe(404);
    const renewed = s.people.calendarFeed.path(s.h.user.id, true);
    expect([(await get(path)).status, (await get(renewed)).status]).toEqual([404, 200]);
    s.people.calendarFeed.close(s.h.user.id);
    expect((await get(renewed)).status).toBe(404);
    const token = new URL(`http://x${renewed}`).searchParams.get("token")!;
    const rows = JSON.stringify(s.h.platform.db.sql.query("SELECT * FROM audit").values());
    expect(rows).not.toContain(token);
  });
});
