import { randomBytes } from "node:crypto";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

const Id = Type.String({ pattern: "^[0-9a-f]{32}$" });

const BodyShape = Type.Object({
  format: Type.Literal(1),
  /** Grows by at least one with every takeover: the fencing token. */
  token: Type.Integer({ minimum: 1 }),
  /** The machine and data folder that hold the lease. */
  holder: Id,
  /** The process that holds it. */
  session: Id,
  /** The run of the machine's system; null if unknown. */
  boot: Type.Union([Id, Type.Null()]),
  /** Unique for each write, so that no two versions of the object are the same. */
  nonce: Id,
  /** Name of the machine, for people. */
  name: Type.String({ maxLength: 255 }),
  /** Whether the holder stops when it cannot renew the lease ("standby"), or acts without it ("alone"). */
  mode: Type.Union([Type.Literal("standby"), Type.Literal("alone")]),
  /** Whether the holder has stopped and gave up the lease. */
  released: Type.Boolean(),
  /** When the holder took the lease, and when it wrote this, by its wall clock, ms. For people only. */
  takenAt: Type.Integer({ minimum: 0 }),
  writtenAt: Type.Integer({ minimum: 0 }),
  /** What the change log keeps in this object (its head, bases and steps); null before the first segment. */
  log: Type.Unknown(),
});

/** Content of the object `primary`. */
export type LeaseBody = Static<typeof BodyShape>;

export type LeaseMode = LeaseBody["mode"];

/** Encrypts and opens the object with keys of the caller. `open` throws if the bytes were not made by `seal`. */
export interface BodySeal {
  seal(plain: Uint8Array): Uint8Array | Promise<Uint8Array>;
  open(sealed: Uint8Array): Uint8Array | Promise<Uint8Array>;
}

/** Returns a new random id. */
export function newId(): string {
  return randomBytes(16).toString("hex");
}

/** Encrypts a body. */
export async function sealBody(body: LeaseBody, { seal }: BodySeal): Promise<Uint8Array> {
  return seal(Buffer.from(JSON.stringify(body)));
}

/** Opens a body. @returns null if the bytes are damaged or belong to another installation */
export async function openBody(sealed: Uint8Array, { open }: BodySeal): Promise<LeaseBody | null> {
  try {
    const value: unknown = JSON.parse(Buffer.from(await open(sealed)).toString());
    return Value.Check(BodyShape, value) ? value : null;
  } catch {
    return null;
  }
}
