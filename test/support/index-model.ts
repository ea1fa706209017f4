import { expect } from "bun:test";
import { FullTextIndex, type IndexSizes, type Maintenance } from "../../src/mailbox/search/fulltext-index.ts";
import { parseQuery } from "../../src/mailbox/search/query.ts";
import { FullTextSearch } from "../../src/mailbox/search/search.ts";
import { tokenize } from "../../src/mailbox/search/tokens.ts";
import type { Platform } from "../../src/platform/platform.ts";
import { type IndexedDocument, readIndex } from "./index-content.ts";
import { type NaiveMessage, naiveContent, naivePhrase } from "./naive-index.ts";
import type { Scratch } from "./scratch-platform.ts";
import { type SeededMailbox, seedMailbox } from "./seed-mail.ts";

/** So small that a few messages make segments of several levels. */
export const SMALL: IndexSizes = { flushFrom: 3, maxFlushed: 5, fan: 2, levelDocuments: 2, lastLevel: 4 };
export const SOON: Maintenance = { rest: async () => {} };
export const AT = Date.parse("2026-01-01T00:00:00Z");

/** A user's mail, its index, and the expected contents of the index. */
export class IndexModel {
  readonly user_id: string;
  readonly index: FullTextIndex;
  readonly mail: SeededMailbox;
  readonly platform: Platform;
  /** The content of each message, by its number. */
  readonly says = new Map<number, NaiveMessage>();
  readonly search: FullTextSearch;

  /** @param reader connection to search with; absent: another connection */
  constructor(
    s: Scratch,
    {
      platform = s.platform,
      user_id = s.user.id,
      reader = s.another(),
    }: Partial<Record<"platform" | "reader", Platform>> & { user_id?: string } = {},
  ) {
    this.platform = platform;
    this.user_id = user_id;
    this.index = new FullTextIndex(platform, SMALL);
    this.mail = seedMailbox(platform, user_id, { email: `${user_id}@example.org` });
    // An aborted transaction must not create it.
    this.mail.folder("inbox");
    this.search = new FullTextSearch(reader, this.mail.mailbox.labels);
  }

  get numbers(): number[] {
    return [...this.says.keys()];
  }

  add(message: NaiveMessage): number {
    const n = this.platform.db.write(() => {
      const { message_id } = this.mail.deliver();
      const row = this.platform.db.sql
        .query<{ n: number }, [string]>("SELECT n FROM messages WHERE id = ?")
        .get(message_id)!;
      this.index.add(this.user_id, row.n, AT + row.n * 1_000, this.#terms(message));
      return row.n;
    });
    this.says.set(n, message);
    return n;
  }

  replace(n: number, message: NaiveMessage): void {
    this.platform.db.write(() => this.index.replace(this.user_id, n, AT, this.#terms(message)));
    this.says.set(n, message);
  }

  delete(n: number): void {
    this.platform.db.write(() => this.platform.db.sql.run("DELETE FROM messages WHERE n = ?", [n]));
    this.says.delete(n);
  }

  maintain(maintenance: Partial<Maintenance> = {}): Promise<void> {
    return this.index.maintain(this.user_id, { ...SOON, ...maintenance });
  }

  /** Makes a segment of the pending messages, without merging. */
  flush(): Promise<void> {
    const index = new FullTextIndex(this.platform, { ...SMALL, fan: 1_000 });
    return index.maintain(this.user_id, { ...SOON, flush: true });
  }

  #terms({ message, fileText, extra }: NaiveMessage) {
    return this.index.reader.read(message, fileText, extra);
  }

  /** Reads all blocks and rows. */
  read(): IndexedDocument[] {
    return readIndex(this.platform, this.user_id);
  }

  checkContent(): void {
    const found = this.read().toSorted((a, b) => a.n - b.n);
    expect(found.map(({ n }) => n)).toEqual(this.numbers.toSorted((a, b) => a - b));
    for (const { n, terms } of found) {
      expect(asText(terms)).toEqual(asText(naiveContent(this.says.get(n)!)));
    }
  }

  /** Checks that another connection finds what is committed. */
  checkSearch(asked: readonly string[] = ASKED): void {
    const content = new Map([...this.says].map(([n, says]) => [n, naiveContent(anywhere(says))]));
    for (const text of asked) {
      const words = tokenize(text);
      const wanted = [...content].flatMap(([n, terms]) => (naivePhrase(terms, words, text.endsWith("*")) ? [n] : []));
      expect([text, ...this.find(text)]).toEqual([text, ...wanted.toSorted((a, b) => a - b)]);
    }
  }

  find(text: string): number[] {
    const query = parseQuery(text.endsWith("*") ? text : `"${text}"`, AT);
    const scope = { user_id: this.user_id, account_id: null };
    return this.search
      .find(scope, query, 1_000)
      .hits.map(({ n }) => n)
      .sort((a, b) => a - b);
  }

  count(table: string): number {
    return this.platform.db.sql.query<{ c: number }, []>(`SELECT count(*) AS c FROM ${table}`).get()!.c;
  }
}

const ASKED = [
  "invoice",
  "invoices",
  "inv*",
  "a",
  "a invoice",
  "invoice invoices",
  "strassenbahn",
  "東京で",
  "การประชุม",
  "xx*",
  "strass*",
];

const asText = (terms: IndexedDocument["terms"]) =>
  [...terms].map(([term, fields]) => [term, ...[...fields].sort(([a], [b]) => a - b).flat(2)].join(" ")).sort();

/** Returns a message without the fields of OPERATOR_ONLY_FIELDS. */
export function anywhere({ message, ...rest }: NaiveMessage): NaiveMessage {
  const { listId, deliveredTo, ...shown } = message;
  return { message: shown, ...rest };
}

/** Checks that everything is merged and compacted, and that nothing is left of deleted messages. */
export async function settle(model: IndexModel): Promise<void> {
  await model.maintain({ flush: true, compact: true });
  expect([model.count("search_deleted"), model.count("search_pending")]).toEqual([0, 0]);
  expect(model.platform.db.sql.query("SELECT 1 FROM search_segments WHERE state <> 'live'").all()).toEqual([]);
  const documents = readIndex(model.platform, model.user_id, { deleted: true });
  expect(documents.map(({ n }) => n).sort((a, b) => a - b)).toEqual(model.numbers.toSorted((a, b) => a - b));
  model.checkContent();
  model.checkSearch();
}
