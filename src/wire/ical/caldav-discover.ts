import { type DAVResponse, propfind } from "tsdav";
import { isCollection, refusal, textOf } from "./caldav.ts";
import { type CalDavLogin, davFetch, parseAnswer } from "./caldav-fetch.ts";

/** A calendar that a login can see. */
export interface FoundCalendar {
  url: string;
  name: string;
}

const PROPS = {
  "d:resourcetype": {},
  "d:displayname": {},
  "d:current-user-principal": {},
  "c:calendar-home-set": {},
  "c:supported-calendar-component-set": {},
};
const MAX_STEPS = 6;

/**
 * Finds the calendars of a login. The URL may be that of a calendar, of a calendar home, or only of the server. In the
 * last case, the search follows current-user-principal and calendar-home-set (RFC 6764 §6), starting at
 * /.well-known/caldav when the URL itself returns nothing useful.
 * @throws CalDavFailure
 */
export function discoverCalendars(login: CalDavLogin): Promise<FoundCalendar[]> {
  return parseAnswer(() => discover(login));
}

async function discover(login: CalDavLogin): Promise<FoundCalendar[]> {
  const fetch = davFetch(login);
  const seen = new Set<string>();
  const queue = [login.url, new URL("/.well-known/caldav", login.url).href];
  let failure: Error | null = null;
  while (queue.length > 0 && seen.size < MAX_STEPS) {
    const url = queue.shift()!;
    if (seen.has(url)) continue;
    seen.add(url);
    const responses = await propfind({ url, props: PROPS, depth: "1", fetch });
    const [first] = responses;
    if (!first?.ok) {
      failure ??= refusal(first?.status ?? 0, "show its calendars");
      if (first?.status === 401) throw failure;
      continue;
    }
    const base = new URL(url);
    const self = responses.find(({ href }) => href && samePath(new URL(href, base), base)) ?? first;
    if (isEventCalendar(self)) return [found(self, base)];
    const calendars = responses.filter(isEventCalendar).map((response) => found(response, base));
    if (calendars.length > 0) return calendars;
    // The nearest step first: a principal's home before another principal.
    queue.unshift(...linksOf(self, "calendarHomeSet", base), ...linksOf(self, "currentUserPrincipal", base));
  }
  if (failure) throw failure;
  return [];
}

function isEventCalendar(response: DAVResponse): boolean {
  const type: unknown = response.props?.resourcetype;
  if (!isCollection(response) || !(type as object) || !("calendar" in (type as object))) return false;
  const components = JSON.stringify(response.props?.supportedCalendarComponentSet ?? null);
  return components === "null" || components === "{}" || components.includes("VEVENT");
}

function found({ href, props }: DAVResponse, base: URL): FoundCalendar {
  const url = new URL(href!, base);
  const name = textOf(props?.displayname) ?? decoded(url.pathname.split("/").filter(Boolean).at(-1) ?? "");
  return { url: url.href, name };
}

/** Returns the decoded text, or the text unchanged when its encoding is invalid. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function linksOf({ props }: DAVResponse, name: string, base: URL): string[] {
  const hrefs: unknown = (props?.[name] as { href?: unknown } | undefined)?.href;
  return (Array.isArray(hrefs) ? hrefs : [hrefs]).flatMap((href) =>
    typeof href === "string" ? [new URL(href, base).href] : [],
  );
}

function samePath(a: URL, b: URL): boolean {
  const trimmed = (url: URL) => url.pathname.replace(/\/$/, "");
  return trimmed(a) === trimmed(b);
}
