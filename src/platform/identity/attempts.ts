import type { Clock } from "../../kernel/clock.ts";
import type { Db } from "../db/open.ts";
import type { Keyring } from "../sealing/keyring.ts";
import type { SignInFailureRow } from "./tables.ts";

const DAY_MS = 86_400_000;
const LONGEST_WAIT_MS = 15 * 60_000;

/**
 * A name that failures are counted under. The first `free` failures cause no wait; each further one doubles the wait,
 * which begins at one second.
 */
export interface Counted {
  /** "account:ada@example.org", "address:192.0.2.7", "device:…", "setup". */
  name: string;
  free: number;
}

/**
 * Slows guessing down. Failures are counted on disk by account, by client address and by known browser, so a restart
 * does not reset them. The wait never exceeds a quarter of an hour, so no one is locked out permanently.
 */
export class Attempts {
  constructor(
    private readonly db: Db,
    private readonly keyring: Keyring,
    private readonly clock: Clock,
  ) {}

  /**
   * Counts an attempt as failed before it is made, so that concurrent attempts all count. A refused attempt is not
   * counted. @returns 0 if the attempt is allowed, otherwise the wait of its names, ms
   */
  begin(counted: readonly Counted[]): number {
    return this.db.write(() => {
      const wait = Math.max(0, ...counted.map((each) => this.#waitOf(each)));
      if (wait > 0) return wait;
      const now = this.clock.now();
      for (const { name } of counted) {
        this.db.sql
          .query(
            `INSERT INTO sign_in_failures (name, failures, last_at) VALUES (?1, 1, ?2)
             ON CONFLICT (name) DO UPDATE SET failures = failures + 1, last_at = ?2`,
          )
          .run(this.#hmac(name), now);
      }
      return 0;
    });
  }

  /** Removes a successful attempt from the counts. @param forget names whose earlier failures are deleted */
  succeeded(counted: readonly Counted[], forget: readonly Counted[] = []): void {
    this.db.write(() => {
      for (const { name } of counted) {
        this.db.sql
          .query("UPDATE sign_in_failures SET failures = failures - 1 WHERE name = ? AND failures > 0")
          .run(this.#hmac(name));
      }
      for (const { name } of forget) {
        this.db.sql.query("DELETE FROM sign_in_failures WHERE name = ?").run(this.#hmac(name));
      }
    });
  }

  /** Deletes failures older than a day. @returns the number of deleted rows */
  prune(): number {
    return this.db.sql.query("DELETE FROM sign_in_failures WHERE last_at <= ?").run(this.clock.now() - DAY_MS).changes;
  }

  #waitOf({ name, free }: Counted): number {
    const row = this.db.sql
      .query<Pick<SignInFailureRow, "failures" | "last_at">, [Uint8Array]>(
        "SELECT failures, last_at FROM sign_in_failures WHERE name = ?",
      )
      .get(this.#hmac(name));
    if (!row) return 0;
    const since = this.clock.now() - row.last_at;
    // After the wall clock was set back, no one must wait until it reaches the old time again.
    if (since < 0 || since >= DAY_MS) return 0;
    return Math.max(0, waitAfter(row.failures - free) - since);
  }

  #hmac(name: string): Uint8Array {
    return this.keyring.system().hmac("sign-in", name);
  }
}

/** Returns the wait, ms: 0 while failures are free, then 1 s, 2 s, 4 s and so on, up to a quarter of an hour. */
function waitAfter(beyond: number): number {
  if (beyond < 0) return 0;
  return Math.min(LONGEST_WAIT_MS, 1_000 * 2 ** Math.min(beyond, 20));
}
