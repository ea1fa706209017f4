/** A CalDAV client (RFC 4791) for one calendar: lists changes, reads objects, and writes changes under their ETags. */
import { calendarMultiGet, type DAVResponse, propfind, syncCollection } from "tsdav";
import { CalDavFailure, type CalDavLogin, davFetch, parseAnswer } from "./caldav-fetch.ts";

/** A resource in a listing. */
export interface Listed {
  /** Absolute URL. */
  href: string;
  etag: string | null;
}

export interface RemoteObject extends Listed {
  ics: string;
}

export interface RemoteChanges {
  changed: Listed[];
  /** Absolute URLs. */
  removed: string[];
  /** The listing is complete: objects that are not in `changed` no longer exist. */
  complete: boolean;
  sync_token: string | null;
  ctag: string | null;
}

/** Maximum number of parts of a listing. */
const MAX_PAGES = 1_000;

/** Number of objects that one request fetches. */
const MULTIGET = 50;

/** A client for one calendar collection. */
export class CalDavClient {
  readonly #fetch: typeof fetch;
  readonly #url: string;

  /** @param login its URL is that of the calendar collection */
  constructor(login: CalDavLogin) {
    this.#url = login.url.endsWith("/") ? login.url : `${login.url}/`;
    this.#fetch = davFetch(login);
  }

  /**
   * Returns the changes since the last sync: by sync token (RFC 6578) if the server supports it, else by comparing all
   * ETags. The ETags are not compared when the collection's ctag is unchanged. @throws CalDavFailure
   */
  changes(since: { sync_token: string | null; ctag: string | null }): Promise<RemoteChanges> {
    return parseAnswer(() => this.#changes(since));
  }

  async #changes(since: { sync_token: string | null; ctag: string | null }): Promise<RemoteChanges> {
    const [head] = await this.#propfind({ "cs:getctag": {}, "d:sync-token": {}, "d:resourcetype": {} }, "0");
    const ctag = textOf(head?.props?.getctag);
    const supportsSync = textOf(head?.props?.syncToken) !== null;
    if (supportsSync) {
      const synced = await this.#sync(since.sync_token);
      if (synced) return { ...synced, ctag };
    } else if (ctag !== null && ctag === since.ctag) {
      return { changed: [], removed: [], complete: false, sync_token: null, ctag };
    }
    const listed = await this.#propfind({ "d:getetag": {}, "d:resourcetype": {} }, "1");
    const changed = listed.filter((response) => !isCollection(response)).flatMap((response) => this.#listed(response));
    return { changed, removed: [], complete: true, sync_token: null, ctag };
  }

  /** Returns the objects at these URLs; those deleted in the meantime are missing. @throws CalDavFailure */
  fetch(hrefs: readonly string[]): Promise<RemoteObject[]> {
    return parseAnswer(() => this.#fetchAll(hrefs));
  }

  async #fetchAll(hrefs: readonly string[]): Promise<RemoteObject[]> {
    const objects: RemoteObject[] = [];
    for (let i = 0; i < hrefs.length; i += MULTIGET) {
      const responses = await calendarMultiGet({
        url: this.#url,
        props: { "d:getetag": {}, "c:calendar-data": {} },
        objectUrls: hrefs.slice(i, i + MULTIGET).map((href) => new URL(href).pathname),
        depth: "1",
        fetch: this.#fetch,
      });
      check(responses, "read events");
      for (const response of responses) {
        const ics = dataOf(response);
        if (ics !== null) objects.push(...this.#listed(response).map((listed) => ({ ...listed, ics })));
      }
    }
    return objects;
  }

  /**
   * Writes an object; `etag` is null for a new one. @returns its new ETag (null when the server does not report one),
   * or "conflict" when the server's ETag differs or the object already exists. @throws CalDavFailure, also for 409.
   * That status does not mean another version, but a missing collection (RFC 4918 §9.7.1) or a UID that is stored
   * elsewhere (RFC 4791 §5.3.2.1)
   */
  async put(href: string, ics: string, etag: string | null): Promise<{ etag: string | null } | "conflict"> {
    const condition: Record<string, string> = etag === null ? { "If-None-Match": "*" } : { "If-Match": etag };
    const response = await this.#fetch(href, {
      method: "PUT",
      body: ics,
      headers: { ...condition, "Content-Type": "text/calendar; charset=utf-8" },
    });
    await response.arrayBuffer();
    if (response.status === 412) return "conflict";
    if (!response.ok) throw refusal(response.status, "write an event");
    return { etag: response.headers.get("etag") };
  }

  /** Deletes an object unless it has changed. @throws CalDavFailure */
  async remove(href: string, etag: string | null): Promise<"removed" | "conflict"> {
    const response = await this.#fetch(href, { method: "DELETE", headers: etag === null ? {} : { "If-Match": etag } });
    await response.arrayBuffer();
    if (response.status === 412) return "conflict";
    if (response.ok || response.status === 404 || response.status === 410) return "removed";
    throw refusal(response.status, "delete an event");
  }

  /** Returns the URL for a new object with this UID. */
  hrefOf(uid: string): string {
    // Servers limit names; a UID can be long and contain any characters.
    const name = /^[\w@.-]{1,120}$/.test(uid) ? uid : new Bun.CryptoHasher("sha256").update(uid).digest("hex");
    return new URL(`${encodeURIComponent(name)}.ics`, this.#url).href;
  }

  /**
   * Lists changes by sync token; null when the server no longer accepts the token and cannot list everything again
   * either.
   */
  async #sync(sync_token: string | null): Promise<Omit<RemoteChanges, "ctag"> | null> {
    const changed = new Map<string, Listed>();
    const removed = new Set<string>();
    let token = sync_token;
    for (let page = 0; page < MAX_PAGES; page++) {
      const { rows, next, more } = await this.#syncPage(token);
      if (next === null) return sync_token === null ? null : await this.#sync(null);
      for (const row of rows) {
        const href = this.#absolute(row.href!);
        if (row.status === 404) {
          changed.delete(href);
          removed.add(href);
        } else {
          removed.delete(href);
          for (const listed of this.#listed(row)) changed.set(href, listed);
        }
      }
      const stuck = next === token;
      token = next;
      if (!more || stuck) break;
    }
    const complete = sync_token === null;
    return { changed: [...changed.values()], removed: [...removed], complete, sync_token: token };
  }

  /** Fetches one page. A server may truncate it and report so with a separate row of status 507 (RFC 6578 §3.6). */
  async #syncPage(sync_token: string | null): Promise<{ rows: DAVResponse[]; next: string | null; more: boolean }> {
    const responses = await syncCollection({
      url: this.#url,
      props: { "d:getetag": {} },
      syncLevel: 1,
      // An empty token lists everything (RFC 6578 §3.4).
      syncToken: sync_token ?? "",
      headers: { Depth: "0" },
      fetch: this.#fetch,
    });
    const [first] = responses;
    if (first?.status === 401) throw refusal(401, "list events");
    const next = textOf((first?.raw as { multistatus?: { syncToken?: unknown } } | undefined)?.multistatus?.syncToken);
    const rows = responses.filter(({ href }) => href && this.#absolute(href) !== this.#url);
    return { rows, next, more: responses.some(({ status }) => status === 507) };
  }

  async #propfind(props: Record<string, object>, depth: "0" | "1"): Promise<DAVResponse[]> {
    const responses = await propfind({ url: this.#url, props, depth, fetch: this.#fetch });
    check(responses, "read the calendar");
    // Without the calendar itself, an empty listing proves nothing, least of all that every event was deleted.
    if (!responses.some((response) => response.href && isCollection(response))) {
      throw new CalDavFailure("refused", "The server's answer does not show the calendar.");
    }
    return responses;
  }

  #listed({ href, props }: DAVResponse): Listed[] {
    return href ? [{ href: this.#absolute(href), etag: textOf(props?.getetag) }] : [];
  }

  #absolute(href: string): string {
    return new URL(href, this.#url).href;
  }
}

/** Checks the responses. @throws CalDavFailure when the request as a whole failed */
function check(responses: readonly DAVResponse[], what: string): void {
  const [first] = responses;
  const isMultistatus = typeof first?.raw === "object" && first.raw !== null && "multistatus" in first.raw;
  if (!isMultistatus) throw refusal(first?.status ?? 0, what);
}

/** Returns the failure for an HTTP status. @param what the refused action, such as "list events" */
export function refusal(status: number, what: string): CalDavFailure {
  if (status === 401) return new CalDavFailure("auth", "The server refused the username or password.");
  if (status >= 200 && status < 300) return new CalDavFailure("refused", "What answers there is no CalDAV server.");
  return new CalDavFailure("refused", `The server refused to ${what} (HTTP ${status}).`);
}

/** Returns a value as text, because tsdav converts values that look like numbers. */
export function textOf(value: unknown): string | null {
  if (typeof value === "string") return value === "" ? null : value;
  return typeof value === "number" ? String(value) : null;
}

function dataOf({ props, status }: DAVResponse): string | null {
  if (status === 404) return null;
  const data: unknown = props?.calendarData;
  if (typeof data === "string") return data;
  const { _cdata } = (data ?? {}) as { _cdata?: unknown };
  return typeof _cdata === "string" ? _cdata : null;
}

/** Returns whether a response describes a collection rather than an object in it. */
export function isCollection({ props }: DAVResponse): boolean {
  const type: unknown = props?.resourcetype;
  return typeof type === "object" && type !== null && "collection" in type;
}
