import { createHash, randomBytes } from "node:crypto";
import type { Page } from "../../http/page.ts";
import { type Actor, SYSTEM_ACTOR } from "../../platform/ledger/audit.ts";
import type { Platform } from "../../platform/platform.ts";
import { joinCalendars } from "../../wire/ical/write.ts";
import type { EventStore } from "./store.ts";
import type { CalendarFeedRow } from "./tables.ts";

const TOKEN_BYTES = 32;
const DAY_MS = 86_400_000;
/** The period that the feed covers. */
const PAST_DAYS = 90;
const COMING_DAYS = 730;

const COLUMNS = "user_id, token_hash, token, created_at";

/** The private address at which phones read a user's calendar. */
export class CalendarFeed {
  constructor(
    private readonly platform: Platform,
    private readonly store: EventStore,
  ) {}

  /** Returns the path of a user's feed with its token, created at the first call. `renew` invalidates the old address. */
  path(user_id: string, renew = false, actor: Actor = SYSTEM_ACTOR): string {
    const { db, keyring, grants, clock, audit } = this.platform;
    const sealer = keyring.forUser(user_id);
    return db.write(() => {
      const stored = db.sql
        .query<CalendarFeedRow, [string]>(`SELECT ${COLUMNS} FROM calendar_feeds WHERE user_id = ?`)
        .get(user_id);
      const known = grants.checked("calendar_feeds", stored);
      if (known && !renew) return feedPath(sealer.open(`calendar_feeds.token:${user_id}`, known.token));
      const token = randomBytes(TOKEN_BYTES).toString("base64url");
      const sealed = sealer.seal(`calendar_feeds.token:${user_id}`, token);
      const token_hash = grants.lookup("calendar-feed", token);
      grants.insert("calendar_feeds", { user_id, token_hash, token: sealed, created_at: clock.now() }, "replace");
      audit.record({ user_id, actor, action: known ? "calendar.feed.renew" : "calendar.feed.create", target: null });
      return feedPath(token);
    });
  }

  /** Closes the feed. No one can read it afterwards. */
  close(user_id: string, actor: Actor = SYSTEM_ACTOR): void {
    const { db, grants, audit } = this.platform;
    db.write(() => {
      const wasOpen = grants.remove("calendar_feeds", { user_id });
      if (wasOpen) audit.record({ user_id, actor, action: "calendar.feed.close", target: null });
    });
  }

  /** Returns the calendar that a token opens, or null. */
  read(token: string): string | null {
    const { db, grants, clock } = this.platform;
    const stored = db.sql
      .query<CalendarFeedRow, [Uint8Array]>(`SELECT ${COLUMNS} FROM calendar_feeds WHERE token_hash = ?`)
      .get(grants.lookup("calendar-feed", token));
    const row = grants.checked("calendar_feeds", stored);
    if (!row) return null;
    const now = clock.now();
    const events = this.store.within(row.user_id, now - PAST_DAYS * DAY_MS, now + COMING_DAYS * DAY_MS);
    return joinCalendars(
      "Postroom",
      events.filter(({ answer }) => answer !== "declined").map(({ ics }) => ics),
    );
  }
}

function feedPath(token: string): string {
  return `/calendar/feed.ics?token=${token}`;
}

/** Returns the page that serves the feed. A wrong token is answered like a page that does not exist. */
export function feedPage(feed: CalendarFeed): Page {
  return {
    method: "GET",
    path: "/calendar/feed.ics",
    handle: ({ request }) => {
      const token = new URL(request.url).searchParams.get("token") ?? "";
      const calendar = feed.read(token);
      if (calendar === null) return new Response("Not found.\n", { status: 404 });
      const etag = `"${createHash("sha256").update(calendar).digest("base64url").slice(0, 24)}"`;
      const headers = {
        ETag: etag,
        "Cache-Control": "private, no-cache",
        // The address is the secret, so it must not leak in a referrer.
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
      };
      if (request.headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers });
      return new Response(calendar, { headers: { ...headers, "Content-Type": "text/calendar; charset=utf-8" } });
    },
  };
}
