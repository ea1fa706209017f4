import { textOf } from "./s3-faults.ts";
import { type ObjectInfo, StoreFault } from "./store.ts";

/** What Postroom names its objects. A key such as "log/../index" would become another one in an address. */
const KEY = /^[a-z0-9-]+(\/[a-z0-9-]+)*$/;
const BEGIN = "<Contents>";
const END = "</Contents>";
/** 10 million objects. */
const MOST_PAGES = 10_000;
const MOST_EMPTY_PAGES = 100;

/** Reads the objects of one answer, once. Objects that Postroom cannot have written are left out. @param root with its slash */
export function* listedObjects(xml: string, root: string): Iterable<ObjectInfo> {
  for (let at = xml.indexOf(BEGIN), end = 0; at >= 0; at = xml.indexOf(BEGIN, end)) {
    end = xml.indexOf(END, at);
    if (end < 0) return;
    const object = xml.slice(at + BEGIN.length, end);
    const name = textOf(object, "Key") ?? "";
    const key = name.slice(root.length);
    if (!name.startsWith(root) || !KEY.test(key)) continue;
    const modifiedAt = Date.parse(textOf(object, "LastModified") ?? "") || 0;
    yield { key, bytes: Number(textOf(object, "Size")), etag: textOf(object, "ETag") ?? "", modifiedAt };
  }
}

/** Follows the pages of a list, and ends lists that have no end. */
export class ListPages {
  #pages = 0;
  #empty = 0;
  #token: string | null = null;

  constructor(private readonly place: string) {}

  /** Returns what asks for the next page; null if there is none. @throws StoreFault */
  next(xml: string, isEmpty: boolean): string | null {
    const token = textOf(xml, "IsTruncated") === "true" ? textOf(xml, "NextContinuationToken") : null;
    this.#pages++;
    this.#empty = isEmpty ? this.#empty + 1 : 0;
    const isEndless = this.#pages >= MOST_PAGES || this.#empty >= MOST_EMPTY_PAGES || token === this.#token;
    if (token !== null && isEndless)
      throw new StoreFault("unavailable", `${this.place} answers a list without an end.`);
    this.#token = token;
    return token;
  }
}
