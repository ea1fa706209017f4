import type { TObject, TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { type ApiError, invalidParam } from "../kernel/errors.ts";
import { nearestName } from "./nearest.ts";

/** The reply header that lists the unknown fields and parameters of a request. */
export const UNKNOWN_HEADER = "X-Unknown-Params";

/** At most this many are named; the others are counted. */
const MAX_NAMED = 16;
const LONGEST_NAME_CHARS = 80;
/** Limit of the header's length. Proxies allow 4 KiB or more for all headers of a reply. */
const MAX_HEADER_CHARS = 1_500;
/** Limit for a list whose schema sets none. */
const MAX_ITEMS = 1_000;

interface UnknownName {
  /** In the notation of an error's `param`: "conditions[0].opp". */
  name: string;
  nearest: string | null;
}

/** Finds the unknown fields and parameters of a request to one route. */
export interface UnknownFinder {
  /** @returns null when everything is known, which is the cheap case */
  find(query: URLSearchParams | null, body: unknown, form: FormData): UnknownParams | null;
}

/** The unknown fields and parameters of one request, the first few by name. */
class UnknownParams {
  readonly #named = new Map<string, UnknownName>();
  #others = 0;

  get count(): number {
    return this.#named.size + this.#others;
  }

  /** @param within the path before the name: "conditions[0]." @param known the names allowed there */
  add(within: string, key: string, known: Iterable<string>): void {
    if (this.#named.size >= MAX_NAMED) {
      this.#others++;
      return;
    }
    const name = shortened(within + key);
    if (this.#named.has(name)) return;
    const nearest = nearestName(key, known);
    this.#named.set(name, { name, nearest: nearest === null ? null : shortened(within + nearest) });
  }

  /**
   * Returns the value of X-Unknown-Params: a list of strings (RFC 9651 §3.1), each with the parameter `did-you-mean` if
   * a known name is close. Non-ASCII text is a display string (§3.3.8). If not all are named, the last item is the
   * token `more` with the parameter `count`.
   */
  header(): string {
    let text = "";
    let left = this.count;
    for (const { name, nearest } of this.#named.values()) {
      const item = nearest === null ? quoted(name) : `${quoted(name)};did-you-mean=${quoted(nearest)}`;
      if (text.length + item.length > MAX_HEADER_CHARS) break;
      text += text === "" ? item : `, ${item}`;
      left--;
    }
    return left === 0 ? text : `${text === "" ? "" : `${text}, `}more;count=${left}`;
  }

  /** Returns the error that ends a request with `Prefer: handling=strict`. */
  refusal(): ApiError {
    const [{ name, nearest }] = this.#named.values() as unknown as [UnknownName];
    const meant = nearest === null ? "" : ` Did you mean ${nearest}?`;
    const others = this.count - 1;
    const more = others > 0 ? ` ${others} more unknown name${others > 1 ? "s" : ""}: see ${UNKNOWN_HEADER}.` : "";
    return invalidParam(name, `${name} is not a parameter of this request.${meant}${more}`);
  }
}

/** Returns the finder of a route. @param body null: the route takes none, so every field is unknown */
export function unknownFinder(query: TObject | null, body: TSchema | null, form: TObject | null): UnknownFinder {
  const inQuery = Object.keys(query?.properties ?? {});
  const knownInQuery = new Set(inQuery);
  const walkBody = body ? walkOf(body) : form ? null : objectWalk({});
  const inForm = new Set(Object.keys(form?.properties ?? {}));
  return {
    find(params, value, parts) {
      let found: UnknownParams | null = null;
      const note: Note = (within, key, known) => {
        found ??= new UnknownParams();
        found.add(within, key, known);
      };
      if (params) for (const name of params.keys()) if (!knownInQuery.has(name)) note("", name, inQuery);
      if (form) for (const name of parts.keys()) if (!inForm.has(name)) note("", name, inForm);
      walkBody?.(value, "", note);
      return found;
    },
  };
}

type Note = (within: string, key: string, known: Iterable<string>) => void;
type Walk = (value: unknown, within: string, note: Note) => void;

/** Returns how to find unknown fields in a value of this schema; null if there can be none. */
function walkOf(schema: TSchema): Walk | null {
  if (schema.anyOf) return unionWalk(schema.anyOf as TSchema[]);
  if (schema.properties) return objectWalk(schema.properties as Record<string, TSchema>);
  if (schema.patternProperties) return mapWalk(Object.values(schema.patternProperties as Record<string, TSchema>)[0]!);
  if (schema.items) return listWalk(schema.items as TSchema, (schema.maxItems as number | undefined) ?? MAX_ITEMS);
  return null;
}

function objectWalk(properties: Record<string, TSchema>): Walk {
  const walks = new Map(Object.entries(properties).map(([name, schema]) => [name, walkOf(schema)]));
  return (value, within, note) => {
    if (!isObject(value)) return;
    for (const key of Object.keys(value)) {
      const walk = walks.get(key);
      if (walk === undefined) note(within, key, walks.keys());
      else walk?.(value[key], `${within}${key}.`, note);
    }
  };
}

/** Walks only the values of a map: its keys are chosen by the user. */
function mapWalk(schema: TSchema): Walk | null {
  const walk = walkOf(schema);
  if (!walk) return null;
  return (value, within, note) => {
    if (!isObject(value)) return;
    for (const [key, child] of Object.entries(value)) walk(child, `${within}${shortened(key)}.`, note);
  };
}

/** @param most items beyond this make the body invalid anyway, and walking them would only take time */
function listWalk(schema: TSchema, most: number): Walk | null {
  const walk = walkOf(schema);
  if (!walk) return null;
  return (value, within, note) => {
    if (!Array.isArray(value)) return;
    const list = within.replace(/\.$/, "");
    for (const [i, item] of value.slice(0, most).entries()) walk(item, `${list}[${i}].`, note);
  };
}

/** Walks the branch that the value matches; if it matches none, the one with the fewest unknown fields. */
function unionWalk(branches: TSchema[]): Walk | null {
  const walks = branches.map((schema) => ({ schema, walk: walkOf(schema) }));
  if (walks.every(({ walk }) => walk === null)) return null;
  return (value, within, note) => {
    if (typeof value !== "object" || value === null) return;
    const fitting = walks.filter(({ schema }) => Value.Check(schema, value));
    let least: Parameters<Note>[] | null = null;
    for (const { walk } of fitting.length > 0 ? fitting : walks.filter((branch) => branch.walk !== null)) {
      const noted: Parameters<Note>[] = [];
      walk?.(value, within, (...one) => void noted.push(one));
      if (least === null || noted.length < least.length) least = noted;
    }
    for (const one of least ?? []) note(...one);
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function shortened(name: string): string {
  const text = name.slice(0, LONGEST_NAME_CHARS + 1).toWellFormed();
  return text.length > LONGEST_NAME_CHARS ? `${text.slice(0, LONGEST_NAME_CHARS).toWellFormed()}...` : text;
}

/** Returns a string or a display string, so that a name cannot break out of the header. */
function quoted(name: string): string {
  if (/^[\x20-\x7e]*$/.test(name)) return `"${name.replace(/["\\]/g, "\\$&")}"`;
  const bytes = [...Buffer.from(name)].map((byte) => {
    const plain = byte >= 0x20 && byte <= 0x7e && byte !== 0x22 && byte !== 0x25;
    return plain ? String.fromCharCode(byte) : `%${byte.toString(16).padStart(2, "0")}`;
  });
  return `%"${bytes.join("")}"`;
}
