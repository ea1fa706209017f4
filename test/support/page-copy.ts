import { Database } from "bun:sqlite";
import { expect } from "bun:test";
import { closeSync, constants, ftruncateSync, openSync, rmSync, writeSync } from "node:fs";
import { PageMap } from "../../src/platform/pages/page-map.ts";
import type { PageTracker } from "../../src/platform/pages/page-tracker.ts";
import { describedContent } from "./page-writer.ts";

const noRest = async () => {};

/** A copy of a database file that follows a `PageTracker` page by page, as a copy on another machine would. */
export class PageCopy {
  readonly map: PageMap;
  /** Comparisons that were necessary. */
  gaps = 0;

  constructor(
    readonly path: string,
    private readonly tracker: PageTracker,
  ) {
    this.map = new PageMap(tracker.pageSize);
  }

  /** Advances the tracker and applies the pages that changed. @returns the number of pages */
  async follow(): Promise<number> {
    const { gap } = this.tracker.advance();
    if (gap) {
      this.gaps++;
      await this.tracker.compare(this.map, noRest);
    }
    return this.apply();
  }

  /** Applies the pages that are dirty. */
  apply(): number {
    const { tracker, map } = this;
    const pages = tracker.dirty.take();
    const content = tracker.read(pages);
    map.resize(tracker.pageCount);
    const file = openSync(this.path, constants.O_RDWR | constants.O_CREAT);
    for (const [i, page] of pages.entries()) {
      const bytes = content.subarray(i * tracker.pageSize, (i + 1) * tracker.pageSize);
      map.update(page, bytes);
      writeSync(file, bytes, 0, bytes.length, (page - 1) * tracker.pageSize);
    }
    ftruncateSync(file, tracker.pageCount * tracker.pageSize);
    closeSync(file);
    return pages.length;
  }

  /** Expects a copy that SQLite finds correct, of one state between two transactions. @returns its transactions */
  async verify(): Promise<number> {
    const read = await PageMap.ofFile(this.path, this.tracker.pageSize, noRest);
    expect(read.state).toBe(this.map.state);
    return this.query((sql) => {
      expect(sql.query("PRAGMA integrity_check").values()).toEqual([["ok"]]);
      const { transactions, described, computed } = describedContent(sql);
      expect(described).toBe(computed);
      return transactions;
    });
  }

  /** Runs a query on the copy. */
  query<T>(work: (sql: Database) => T): T {
    const sql = new Database(this.path, { readwrite: true, create: false });
    try {
      return work(sql);
    } finally {
      sql.close(true);
      for (const end of ["-wal", "-shm"]) rmSync(this.path + end, { force: true });
    }
  }
}

/** Returns all rows of all tables. */
export function dump(sql: Database): Record<string, unknown[]> {
  const tables = sql
    .query<{ name: string }, []>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    )
    .all();
  const rows: Record<string, unknown[]> = { schema: sql.query("SELECT * FROM sqlite_schema ORDER BY name").values() };
  for (const { name } of tables) rows[name] = sql.prepare(`SELECT * FROM ${name} ORDER BY 1`).values();
  return rows;
}
