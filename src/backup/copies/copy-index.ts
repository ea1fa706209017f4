import { type Static, Type } from "@sinclair/typebox";
import { UserError } from "../../kernel/errors.ts";
import { headerOf } from "../backup-file.ts";
import { decrypted, encrypted, openHeader, type Readers, type Secret } from "../envelope.ts";
import { shaped } from "../shapes.ts";

/** Key of the only object with a fixed name. */
export const INDEX_KEY = "index";
/** Where the backups are: the rest of a key is random. */
export const OBJECTS = "objects/";
export const LONGEST_INDEX_BYTES = 8 * 1024 * 1024;

const CopyShape = Type.Object({
  /** Id in the head of the backup. */
  id: Type.String({ minLength: 1, maxLength: 100 }),
  /** The backup that an incremental one is based on. */
  base: Type.Union([Type.String(), Type.Null()]),
  kind: Type.Union([Type.Literal("full"), Type.Literal("incremental")]),
  /** When the backup began, ms. */
  made_at: Type.Integer({ minimum: 0 }),
  object: Type.String({ pattern: "^objects/[0-9a-f]{32}$" }),
  bytes: Type.Integer({ minimum: 1 }),
  sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
});
/** A backup that is completely in the store. */
export type Copy = Static<typeof CopyShape>;

const IndexShape = Type.Object({
  format: Type.Integer(),
  /** Grows with every change. */
  generation: Type.Integer({ minimum: 1 }),
  writtenAt: Type.Integer({ minimum: 0 }),
  backups: Type.Array(CopyShape),
});

/** The list of all backups in the store, oldest first. A backup counts as sent once this object lists it. */
export type CopyIndex = Static<typeof IndexShape>;

/** Encrypts the index to the same keys as backups. */
export async function sealIndex(index: CopyIndex, readers: Readers): Promise<Uint8Array> {
  const plain = new Blob([JSON.stringify(index)]).stream() as ReadableStream<Uint8Array>;
  return new Uint8Array(await new Response(await encrypted(plain, readers)).arrayBuffer());
}

/** @throws UserError if it is damaged, or no secret opens it */
export async function openIndex(place: string, bytes: Uint8Array, secrets: readonly Secret[]): Promise<CopyIndex> {
  const name = `${place}/${INDEX_KEY}`;
  const opened = await openHeader(name, headerOf(name, bytes), secrets);
  const text = await plainOf(name, bytes, opened);
  const index = shaped(IndexShape, name, "list of backups", text);
  if (index.format !== 1) throw new UserError(`${name} was written by a newer version of Postroom.`);
  return index;
}

/** Returns sentences about a place whose index no secret opens. */
export function otherInstallation(place: string): string {
  return `${place} has backups of another installation, or its list of backups is damaged. Choose another prefix or folder for the copies (backup.to), or delete the object ${INDEX_KEY} if you do not need these backups.`;
}

async function plainOf(
  name: string,
  bytes: Uint8Array,
  opened: Awaited<ReturnType<typeof openHeader>>,
): Promise<Uint8Array> {
  try {
    const cipher = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream() as ReadableStream<Uint8Array>;
    return new Uint8Array(await new Response(await decrypted(cipher, opened)).arrayBuffer());
  } catch {
    throw new UserError(`${name} is damaged.`);
  }
}
