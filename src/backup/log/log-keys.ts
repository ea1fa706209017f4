import { createHash, randomBytes } from "node:crypto";
import { Type } from "@sinclair/typebox";
import { UserError } from "../../kernel/errors.ts";
import { SealBroken } from "../../platform/sealing/box.ts";
import { masterKeyId, parseKey } from "../../platform/sealing/master-key.ts";
import { headerOf } from "../backup-file.ts";
import { decrypted, encrypted, openHeader, type Readers, type Secret } from "../envelope.ts";
import type { BackupKeys } from "../make.ts";
import { KeysShape, shaped } from "../shapes.ts";
import { LogCrypt } from "./crypt.ts";

/** Key of the object with the keys of the log. */
export const KEYS_KEY = "keys";
export const LONGEST_KEYS_BYTES = 1024 * 1024;
const KEY_BYTES = 32;

const Shape = Type.Object({
  format: Type.Integer(),
  logId: Type.String({ pattern: "^[0-9a-f]{32}$" }),
  /** Grows with every change. */
  generation: Type.Integer({ minimum: 1 }),
  /** Names the keys that open this object, without revealing them. */
  readers: Type.String(),
  /** The oldest key that may still seal the object `primary`. Someone may know the keys before it. */
  primary: Type.String({ pattern: "^[0-9a-f]{16}$" }),
  /** Oldest first. */
  keys: Type.Array(
    Type.Object({
      id: Type.String({ pattern: "^[0-9a-f]{16}$" }),
      key: Type.String({ pattern: "^[0-9a-f]{64}$" }),
      backupKeys: KeysShape,
    }),
    { minItems: 1 },
  ),
});

export interface LogKeysContent {
  format: number;
  logId: string;
  generation: number;
  readers: string;
  primary: string;
  keys: LogKey[];
}

/** A key of the log, and the keys of the data folder in its time. */
export interface LogKey {
  id: string;
  key: string;
  backupKeys: BackupKeys;
}

/** The keys of a log. They change while a server runs: hold this object, not the keys in it. */
export class LogKeys {
  #content: LogKeysContent;
  readonly #crypts = new Map<string, LogCrypt>();

  constructor(content: LogKeysContent) {
    this.#content = content;
  }

  get content(): LogKeysContent {
    return this.#content;
  }

  get logId(): string {
    return this.#content.logId;
  }

  /** Id of the key for everything that is written from now on. */
  get newest(): string {
    return this.#content.keys.at(-1)!.id;
  }

  /**
   * Returns the keys of the data folder for a state of the database; null if they are not here.
   * @param masterId of the master key that opens this state; null if that is not known
   */
  backupKeysOf(masterId: string | null): BackupKeys | null {
    const newestFirst = this.#content.keys.map(({ backupKeys }) => backupKeys).reverse();
    if (masterId === null) return newestFirst[0] ?? null;
    return newestFirst.find(({ master_key }) => masterKeyId(parseKey(master_key)) === masterId) ?? null;
  }

  replace(content: LogKeysContent): void {
    this.#content = content;
  }

  /** Returns what seals objects under a key; null if the log no longer has it. */
  crypt(id: string): LogCrypt | null {
    const known = this.#crypts.get(id);
    if (known) return known;
    const key = this.#content.keys.find((one) => one.id === id)?.key;
    if (key === undefined) return null;
    const crypt = new LogCrypt(this.logId, Buffer.from(key, "hex"));
    this.#crypts.set(id, crypt);
    return crypt;
  }

  /** Seals the object `primary`. */
  seal(body: Uint8Array): Uint8Array {
    return this.crypt(this.newest)!.sealOther("primary", body);
  }

  /** Opens the object `primary`. @throws SealBroken if it is damaged, or of another log */
  open(sealed: Uint8Array): Uint8Array {
    const body = this.#open("primary", sealed);
    if (!body) throw new SealBroken("The object primary did not open.");
    return body;
  }

  sealLocal(body: Uint8Array): Uint8Array {
    return this.crypt(this.newest)!.sealOther("local", body);
  }

  openLocal(bytes: Uint8Array): Uint8Array | null {
    return this.#open("local", bytes);
  }

  /** Tries the keys, newest first: the object may be from before the newest one. */
  #open(purpose: "primary" | "local", bytes: Uint8Array): Uint8Array | null {
    for (const { id } of [...this.#content.keys].reverse()) {
      const body = this.crypt(id)!.openOther(purpose, bytes);
      if (body) return body;
      if (purpose === "primary" && id === this.#content.primary) return null;
    }
    return null;
  }
}

export function newKey(backupKeys: BackupKeys): LogKey {
  return { id: randomBytes(8).toString("hex"), key: randomBytes(KEY_BYTES).toString("hex"), backupKeys };
}

/** Returns a text that differs when the keys that open backups differ. */
export function readersId({ master, salt, recovery }: Readers): string {
  return createHash("sha256")
    .update(JSON.stringify([masterKeyId(master), salt, recovery]))
    .digest("hex");
}

/** Encrypts the keys to the readers of backups. */
export async function sealKeys(content: LogKeysContent, readers: Readers): Promise<Uint8Array> {
  const plain = new Blob([JSON.stringify(content)]).stream() as ReadableStream<Uint8Array>;
  return new Uint8Array(await new Response(await encrypted(plain, readers)).arrayBuffer());
}

/** @throws UserError if they are damaged, or no secret opens them */
export async function openKeys(
  place: string,
  bytes: Uint8Array,
  secrets: readonly Secret[],
): Promise<{ keys: LogKeys; secret: Secret }> {
  const name = `${place}/${KEYS_KEY}`;
  const opened = await openHeader(name, headerOf(name, bytes), secrets);
  let text: Uint8Array;
  try {
    const cipher = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream() as ReadableStream<Uint8Array>;
    text = new Uint8Array(await new Response(await decrypted(cipher, opened)).arrayBuffer());
  } catch {
    throw new UserError(`${name} is damaged.`);
  }
  const content = shaped(Shape, name, "list of keys", text);
  if (content.format !== 1) throw new UserError(`${name} was written by a newer version of Postroom.`);
  return { keys: new LogKeys(content), secret: opened.secret };
}
