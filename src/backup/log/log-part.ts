import { type Static, Type } from "@sinclair/typebox";

const Count = Type.Integer({ minimum: 0 });
const Hash = Type.String({ pattern: "^[0-9a-f]{64}$" });
const KeyId = Type.String({ pattern: "^[0-9a-f]{16}$" });

const HeadShape = Type.Object({
  token: Count,
  seq: Count,
  /** Time of the state by the clock of the primary, ms. */
  at: Count,
  /** The state hash of the database (PageMap.state), hex. */
  state: Type.String({ pattern: "^[0-9a-f]{32}$" }),
  /** SHA-256 of the object that the next segment names as the previous one. */
  chain: Hash,
});
/** The newest acknowledged state. */
export type LogHead = Static<typeof HeadShape>;

const BaseShape = Type.Object({
  token: Count,
  seq: Count,
  at: Count,
  /** Of all its objects. */
  bytes: Count,
  /** Key that the base is sealed with, and all segments after it until the next base. */
  key: KeyId,
  /** SHA-256 of its manifest. */
  sha256: Hash,
  /** True if no change leads to it, because what changed before it is not known. Its `seq` then has no change. */
  fresh: Type.Boolean(),
  /** Name of the object that was written first. What the store wrote before it is not needed for this base. */
  first: Type.String({ pattern: "^log/[0-9a-f]{64}$" }),
  /** When the store had written that object, by its clock, ms. Someone may write it again later, with a later time. */
  firstAt: Count,
});
export type LogBase = Static<typeof BaseShape>;

/** An earlier token, and the last segment that counts under it. What it wrote later is not part of the log. */
const AncestorShape = Type.Object({ token: Count, seq: Count });

export const LogPartShape = Type.Object({
  head: Type.Union([HeadShape, Type.Null()]),
  /** Oldest first. */
  bases: Type.Array(BaseShape),
  /** The newest step, which lists the earlier ones. */
  step: Type.Union([Type.Object({ token: Count, seq: Count, sha256: Hash }), Type.Null()]),
  /** Oldest first. */
  ancestors: Type.Array(AncestorShape),
});

/**
 * What the object `primary` says about the log. The lease writes it (`src/backup/lease`), together with its renewal, so
 * that an acknowledged segment proves that no one had taken over.
 */
export type LogPart = Static<typeof LogPartShape>;

export const EMPTY_LOG: LogPart = { head: null, bases: [], step: null, ancestors: [] };

/**
 * The parts of a lease that the log uses. The token must be a new one, greater than all before, for each process that
 * writes: names of objects contain it, and no name is written twice with different content.
 */
export interface LeaseView {
  readonly token: number;
  /** The part of the log in `primary` when the lease was acquired or last renewed; null: none yet. */
  readonly log: LogPart | null;
  /**
   * Replaces the part of the log in `primary`, together with a renewal of the lease.
   * @throws StoreFault "conflict" if another process took over
   */
  renew(part: LogPart): Promise<void>;
}
