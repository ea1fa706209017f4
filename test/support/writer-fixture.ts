import { Database } from "bun:sqlite";
import { describe, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { grantFindings } from "../../src/features/diagnostics/grants.ts";
import { ManualClock } from "../../src/platform/clock.ts";
import { loadConfig, withValues } from "../../src/platform/config/load.ts";
import { createLog } from "../../src/platform/log.ts";
import { openPlatform, type Platform } from "../../src/platform/platform.ts";
import { createHarness, type Harness } from "./http-harness.ts";
import { createSample, sampleRoutes } from "./sample-routes.ts";

/*
 * Someone who can read and write every file of the data folder but has no key (docs/security.md, "Someone who can write
 * the data folder"): plain SQL on the database file, while the server runs and while it is stopped.
 */

const MASTER = "5a".repeat(32);

export type Sql = (text: string, ...values: (string | number | Uint8Array | null)[]) => unknown[];

export const sha256 = (text: string): Uint8Array => createHash("sha256").update(text).digest();

/** Writes the database file of a data folder as an attacker would. */
export function writeDatabase(data_dir: string, work: (sql: Sql) => void): void {
  const db = new Database(join(data_dir, "postroom.db"));
  db.run("PRAGMA foreign_keys = OFF");
  work((text, ...values) => db.query(text).all(...values));
  db.close();
}

export class WriterFixture {
  readonly dir = mkdtempSync(join(tmpdir(), "postroom-writer-"));
  h: Harness = this.#start(MASTER);

  #start(master: string): Harness {
    return createHarness({
      data_dir: this.dir,
      routes: sampleRoutes(createSample()),
      config: { "master.key": master },
    });
  }

  /** What the attacker does to the database file, with SQLite alone. */
  attack(work: (sql: Sql) => void): void {
    writeDatabase(this.dir, work);
  }

  start(master = MASTER): void {
    this.h = this.#start(master);
  }

  restart = (): void => {
    this.h.close();
    this.start();
  };

  /** Opens the folder as a command does, without adding anyone. */
  open(data_dir = this.dir): Platform {
    const clock = new ManualClock();
    const config = withValues(loadConfig({ data_dir, env: {} }), { "master.key": MASTER });
    return openPlatform({ config, clock, log: createLog({ level: "error", format: "json", clock, write: () => {} }) });
  }

  statusWith = async (key: string): Promise<number> => (await this.h.call("GET", "/notes", { key })).status;

  /** Returns what doctor reports about credentials. */
  found(): string {
    return grantFindings(this.h.platform)
      .map(({ result, detail }) => `${result} ${detail}`)
      .join("\n");
  }

  close(): void {
    this.h.close();
    rmSync(this.dir, { recursive: true, force: true });
  }
}

/** Runs an attack on the running server, and while it is stopped. @param restart restarts the fixture's server */
export function bothWays(name: string, restart: () => void, run: (settle: () => void) => Promise<void> | void): void {
  describe(name, () => {
    test("while the server runs", () => run(() => {}));
    test("while it is stopped", () => run(restart));
  });
}
