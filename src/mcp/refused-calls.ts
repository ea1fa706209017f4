import { ID_PREFIXES, type IdKind, isId } from "../kernel/ids.ts";
import type { Actor } from "../platform/ledger/audit.ts";
import { errorFields } from "../platform/log.ts";
import type { Platform } from "../platform/platform.ts";

/** The connection that made a refused call. */
interface RefusedCaller {
  user_id: string;
  actor: Actor;
  request_id: string | null;
  key: { id: string };
}

interface LastRow {
  at: number;
  /** Refused calls since the row, which have none of their own. */
  unrecorded: number;
}

const PAUSE_MS = 1_000;
const MAX_IDS = 25;
/** Credentials whose last row is remembered. */
const MAX_REMEMBERED = 1_000;
const KINDS = Object.keys(ID_PREFIXES) as IdKind[];

/**
 * Records refused changes of assistants in the audit log, because a person should see what an assistant has tried. A
 * credential makes at most one row in a second: a program that repeats a refused call must not fill the disk. The next
 * row says how many are missing.
 */
export class RefusedCalls {
  /** By credential, the one with the oldest row first. */
  readonly #last = new Map<string, LastRow>();

  constructor(private readonly platform: Platform) {}

  /** @param input arguments of the call. Only the ids in it are recorded: other texts can repeat words of mail */
  record({ user_id, actor, request_id, key }: RefusedCaller, code: string, input: object): void {
    const { audit, clock, db, log } = this.platform;
    const now = clock.now();
    const last = this.#last.get(key.id);
    if (last && now >= last.at && now - last.at < PAUSE_MS) {
      last.unrecorded++;
      return;
    }
    this.#remember(key.id, now);
    const ids = idsIn(input);
    const unrecorded = last?.unrecorded ?? 0;
    const after = { code, ids, ...(unrecorded > 0 && { unrecorded }) };
    const target = ids[0] ?? null;
    try {
      db.write(() => audit.record({ user_id, actor, action: "assistant.refused", target, after, request_id }));
    } catch (error) {
      // The assistant must learn why its call was refused, even if the disk is full.
      log.warn("a refused call was not recorded", errorFields(error));
    }
  }

  #remember(credential_id: string, at: number): void {
    this.#last.delete(credential_id);
    this.#last.set(credential_id, { at, unrecorded: 0 });
    const [oldest] = this.#last.keys();
    if (this.#last.size > MAX_REMEMBERED) this.#last.delete(oldest!);
  }
}

/** Returns the ids among the arguments of a call, and in their lists. */
function idsIn(input: object): string[] {
  const values = Object.values(input).flatMap((value: unknown) => value);
  const found = values.filter(
    (value): value is string => typeof value === "string" && KINDS.some((kind) => isId(kind, value)),
  );
  return [...new Set(found)].slice(0, MAX_IDS);
}
