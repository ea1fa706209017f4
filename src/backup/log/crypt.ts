import { createHmac, hkdfSync } from "node:crypto";
import { openBytes, SealBroken, sealBytes, sealedVersion } from "../../platform/sealing/box.ts";

/** Folder of the objects. */
export const LOG_FOLDER = "log/";
const VERSION = 1;
const PURPOSES = ["segment", "pack", "primary", "name", "local"] as const;
type Purpose = (typeof PURPOSES)[number];

/** Where a segment is in the log. */
export interface Segment {
  level: "change" | "step" | "base";
  token: number;
  seq: number;
}

/** A part of the content of a segment. `attempt` is random, so that no name is written twice. */
export interface Pack {
  token: number;
  attempt: string;
  pack: number;
}

export type Coordinates = Segment | Pack;

/** The content of an object is that of other coordinates. */
export class OtherObject extends Error {
  /** @param found the coordinates in it */
  constructor(readonly found: string) {
    super("The object was replaced by another one.");
  }
}

/** Seals and names the objects of one log under one key. */
export class LogCrypt {
  readonly #keys: Record<Purpose, Uint8Array>;

  constructor(
    private readonly logId: string,
    key: Uint8Array,
  ) {
    const derive = (purpose: Purpose) =>
      new Uint8Array(hkdfSync("sha256", key, Buffer.from(logId), `postroom log v1 ${purpose}`, 32));
    this.#keys = Object.fromEntries(PURPOSES.map((purpose) => [purpose, derive(purpose)])) as Record<
      Purpose,
      Uint8Array
    >;
  }

  /** Returns the key of an object in the store. It tells nothing to those without the key of the log. */
  name(of: Coordinates): string {
    return `${LOG_FOLDER}${createHmac("sha256", this.#keys.name).update(textOf(of)).digest("hex")}`;
  }

  /**
   * Seals an object. The coordinates are in the sealed part, where every reader compares them: an authentic object in
   * the wrong place is then recognized as such, and not only as damage.
   */
  seal(of: Coordinates, body: Uint8Array): Uint8Array {
    const text = Buffer.from(textOf(of));
    const plain = Buffer.allocUnsafe(1 + text.length + body.length);
    plain[0] = text.length;
    plain.set(text, 1);
    plain.set(body, 1 + text.length);
    const purpose = purposeOf(of);
    return sealBytes(this.#keys[purpose], VERSION, this.#context(purpose), plain);
  }

  /** @throws SealBroken, OtherObject */
  open(of: Coordinates, bytes: Uint8Array): Uint8Array {
    const purpose = purposeOf(of);
    const plain = this.#open(purpose, bytes);
    const length = plain[0] ?? 0;
    const found = Buffer.from(plain.subarray(1, 1 + length)).toString();
    if (found !== textOf(of)) throw new OtherObject(found);
    return plain.subarray(1 + length);
  }

  /** Seals something that has no coordinates: the object `primary`, or the state on this machine. */
  sealOther(purpose: "primary" | "local", body: Uint8Array): Uint8Array {
    return sealBytes(this.#keys[purpose], VERSION, this.#context(purpose), body);
  }

  /** @returns null if the bytes are damaged or were sealed with another key */
  openOther(purpose: "primary" | "local", bytes: Uint8Array): Uint8Array | null {
    try {
      return this.#open(purpose, bytes);
    } catch (error) {
      if (error instanceof SealBroken) return null;
      throw error;
    }
  }

  #open(purpose: Purpose, bytes: Uint8Array): Uint8Array {
    // The version is not authenticated.
    if (sealedVersion(bytes) !== VERSION) throw new SealBroken(`A sealed value has another version (log.${purpose}).`);
    return openBytes(this.#keys[purpose], this.#context(purpose), bytes);
  }

  #context(purpose: Purpose): string {
    return `log.${purpose}:${this.logId}`;
  }
}

/** Returns coordinates as text: "change/3/17", "pack/3/0f0f0f0f0f0f0f0f/2". */
function textOf(of: Coordinates): string {
  return "pack" in of ? `pack/${of.token}/${of.attempt}/${of.pack}` : `${of.level}/${of.token}/${of.seq}`;
}

function purposeOf(of: Coordinates): "pack" | "segment" {
  return "pack" in of ? "pack" : "segment";
}
