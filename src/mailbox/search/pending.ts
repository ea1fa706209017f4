import { SealBroken } from "../../platform/sealing/box.ts";
import type { Sealer } from "../../platform/sealing/sealer.ts";
import type { DocumentTerms } from "./documents.ts";
import type { NewDocument } from "./segments/build.ts";
import { ByteReader, ByteWriter } from "./segments/bytes.ts";
import { randomBelow } from "./segments/format.ts";
import { IndexDamaged } from "./segments/store.ts";

/**
 * Rows are padded to a multiple of this size, at random to the one after that. Otherwise, someone whose text is quoted
 * in a message could see from one size step whether the rest has one word more.
 */
const PADDED_BYTES = 512;

const context = (user_id: string, n: number): string => `search_pending.data:${user_id}:${n}`;

/** Seals what `search_pending` stores of a message. @param date when it was received, s */
export function sealPending(
  sealer: Sealer,
  user_id: string,
  n: number,
  date: number,
  terms: DocumentTerms,
): Uint8Array {
  const out = new ByteWriter(terms.length + PADDED_BYTES);
  out.varint(Math.max(0, date));
  out.bytes(terms);
  const padded = new Uint8Array(Math.ceil((out.length + randomBelow(PADDED_BYTES)) / PADDED_BYTES) * PADDED_BYTES);
  padded.set(out.view());
  return sealer.sealExact(context(user_id, n), padded);
}

/** @throws IndexDamaged */
export function openPending(
  sealer: Sealer,
  user_id: string,
  { id, n, data }: { id: number; n: number; data: Uint8Array },
): NewDocument {
  const bytes = opened(sealer, context(user_id, n), data);
  const reader = new ByteReader(bytes);
  const date = reader.varint();
  return { id, n, date, terms: bytes.subarray(reader.at) };
}

function opened(sealer: Sealer, name: string, data: Uint8Array): Uint8Array {
  try {
    return sealer.openExact(name, data);
  } catch (cause) {
    throw cause instanceof SealBroken ? new IndexDamaged(null, { cause }) : cause;
  }
}
