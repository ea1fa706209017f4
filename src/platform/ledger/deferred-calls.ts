import { randomUUID } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { Clock } from "../../kernel/clock.ts";
import type { Db } from "../db/open.ts";
import type { StoreAction, StoreCalls } from "./store-calls.ts";

interface Begun {
  id: string;
  action: StoreAction;
  host: string;
  bytes_out: number;
  started_at: number;
}

interface Ended {
  id: string;
  result: string;
  bytes_in: number;
  ended_at: number;
}

/** Requests in the file after which they are moved although nothing else changes, as while the store is away. */
const MOST = 3_000;

/**
 * Records requests to an object store in a file before they leave, and moves them to the database later. The continuous
 * copy needs this: a row for each of its requests would be a change of the database, which is copied with further
 * requests, without end.
 */
export class DeferredStoreCalls implements Pick<StoreCalls, "begin"> {
  readonly #running = new Map<string, Begun>();
  /** Requests in the file, not counting those of an earlier process. */
  #count = 0;

  /** @param path of the file, which must not be in backups */
  constructor(
    private readonly path: string,
    private readonly db: Db,
    private readonly clock: Clock,
  ) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  }

  begin(call: Pick<Begun, "action" | "host" | "bytes_out">): ReturnType<StoreCalls["begin"]> {
    const begun: Begun = { id: randomUUID(), ...call, started_at: this.clock.now() };
    if (++this.#count > MOST) this.settle();
    this.#append(begun);
    this.#running.set(begun.id, begun);
    return ({ result, bytes_in }) => {
      this.#running.delete(begun.id);
      this.#append({ id: begun.id, result, bytes_in, ended_at: this.clock.now() });
    };
  }

  /** Moves the requests that have ended to the database, in one transaction. @returns whether there were any */
  settle(): boolean {
    const { begun, ended } = this.#read();
    // Those during which a process was killed have no end.
    const settled = begun.filter(({ id }) => !this.#running.has(id));
    if (settled.length === 0) return false;
    this.db.write(() => {
      const insert = this.db.sql.query(
        "INSERT INTO store_egress (action, host, bytes_out, started_at, result, bytes_in, ended_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
      );
      for (const { id, action, host, bytes_out, started_at } of settled) {
        const end = ended.get(id);
        insert.run(
          action,
          host,
          bytes_out,
          started_at,
          end?.result ?? null,
          end?.bytes_in ?? null,
          end?.ended_at ?? null,
        );
      }
    });
    this.#count = this.#running.size;
    rmSync(this.path, { force: true });
    for (const one of this.#running.values()) this.#append(one);
    return true;
  }

  #append(line: Begun | Ended): void {
    appendFileSync(this.path, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  }

  #read(): { begun: Begun[]; ended: Map<string, Ended> } {
    const lines = existsSync(this.path) ? readFileSync(this.path, "utf8").split("\n") : [];
    const begun: Begun[] = [];
    const ended = new Map<string, Ended>();
    for (const line of lines) {
      try {
        const one = JSON.parse(line) as Begun | Ended;
        if ("action" in one) begun.push(one);
        else ended.set(one.id, one);
      } catch {
        // A line that was not complete when the machine stopped.
      }
    }
    return { begun, ended };
  }
}
