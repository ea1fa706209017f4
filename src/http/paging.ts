import { type TSchema, Type } from "@sinclair/typebox";
import { lazy } from "../kernel/lazy.ts";
import type { Sealer } from "../platform/sealing/sealer.ts";
import { openCursor, type Position, sealCursor } from "./cursor.ts";

/** One page from a service: the rows, and the position of the last one if more follow. */
export interface Page<T> {
  items: T[];
  next: Position | null;
}

/** The list envelope (docs/api.md, "Pagination"). `next_cursor` is absent on the last page. */
export interface ListReply<T> {
  data: T[];
  has_more: boolean;
  next_cursor?: string;
}

const DEFAULT_PAGE_SIZE = 25;
const LARGEST_PAGE_SIZE = 100;

/** Query fields of every paged list. Spread them into the query schema. */
export const pageQuery = {
  limit: Type.Integer({
    minimum: 1,
    maximum: LARGEST_PAGE_SIZE,
    default: DEFAULT_PAGE_SIZE,
    description: "Page size.",
  }),
  cursor: Type.Optional(Type.String({ description: "`next_cursor` of the previous page." })),
};

/** Returns the schema of a list envelope around `item`; `name` is its name in the OpenAPI description. */
export function listOf<T extends TSchema>(item: T, name: string) {
  return Type.Object(
    {
      data: Type.Array(item),
      has_more: Type.Boolean({ description: "Whether another page follows." }),
      next_cursor: Type.Optional(
        Type.String({ description: "Opaque. Pass it as `cursor` to get the next page. Absent on the last page." }),
      ),
    },
    { $id: name },
  );
}

/**
 * Cuts a result that was fetched with one extra row to a page.
 * @param rows up to `limit + 1` rows; @param position sort values of a row
 */
export function cutPage<T>(rows: T[], limit: number, position: (row: T) => Position): Page<T> {
  if (rows.length <= limit) return { items: rows, next: null };
  const items = rows.slice(0, limit);
  return { items, next: position(items[limit - 1]!) };
}

/**
 * Opens and makes the cursors of one request. A cursor is bound to its user, path and filters, so that it works only
 * for the list that returned it. `list` names the list if a path has several.
 */
export class Pager {
  readonly #scope: () => string;

  /** @param scope a text that differs for every path and set of filters; computed when a cursor is needed */
  constructor(
    private readonly sealer: Sealer,
    scope: () => string = () => "",
  ) {
    this.#scope = lazy(scope);
  }

  /**
   * Returns where the next page starts. @throws ApiError invalid_params (`param`) for a cursor that is forged, damaged
   * or of another list, set of filters or user
   */
  after(list: string, cursor: string | undefined, param = "cursor"): Position | null {
    return cursor === undefined ? null : openCursor(this.sealer, this.#name(list), cursor, param);
  }

  /** Returns the cursor of a position, for lists that return one with every page. */
  cursor(list: string, position: Position): string {
    return sealCursor(this.sealer, this.#name(list), position);
  }

  /** Returns the list envelope of a page, with each row converted by `view`. */
  reply<T>(list: string, page: Page<T>): ListReply<T>;
  reply<T, V>(list: string, page: Page<T>, view: (row: T) => V): ListReply<V>;
  reply<T, V>(list: string, page: Page<T>, view?: (row: T) => V): ListReply<T | V> {
    const data = view ? page.items.map(view) : page.items;
    if (page.next === null) return { data, has_more: false };
    return { data, has_more: true, next_cursor: this.cursor(list, page.next) };
  }

  #name(list: string): string {
    return `${list} ${this.#scope()}`;
  }
}

/** Request fields that may change from page to page. */
const WALKING = new Set(["limit", "cursor"]);

/**
 * Returns what the cursors of a request are bound to: its route, the ids in its path, and all of its fields except the
 * paging ones.
 * @param cursorField the field that carries the cursor
 */
export function cursorScope(route: string, params: object, fields: object, cursorField = "cursor"): string {
  const filters = Object.entries(fields)
    .filter(([name, value]) => !WALKING.has(name) && name !== cursorField && value !== undefined)
    .map(([name, value]) => [name, Array.isArray(value) ? [...value].sort() : (value as unknown)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([route, params, filters]);
}
