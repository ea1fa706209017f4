import { invalidParam } from "../kernel/errors.ts";
import { SealBroken } from "../platform/sealing/box.ts";
import type { Sealer } from "../platform/sealing/sealer.ts";

/** Longer texts cannot be our cursors and are refused before decoding. */
const LONGEST_CURSOR_CHARS = 2_000;

/**
 * Returns an opaque cursor: the position, sealed with the user's key and bound to the list's name. It reveals nothing.
 * A changed cursor, or one of another user or list, does not open.
 */
export function sealCursor(sealer: Sealer, list: string, position: Position): string {
  return Buffer.from(sealer.sealJson(`cursor:${list}`, position)).toString("base64url");
}

/**
 * Opens a cursor that `sealCursor` made for the same user and list.
 * @param param the client's name for it. @throws ApiError invalid_params with that param
 */
export function openCursor(sealer: Sealer, list: string, cursor: string, param = "cursor"): Position {
  const refused = (cause?: unknown) => {
    const error = invalidParam(
      param,
      "This cursor does not belong to this list and its filters. Start again without a cursor.",
    );
    error.cause = cause;
    return error;
  };
  if (cursor.length > LONGEST_CURSOR_CHARS || !/^[A-Za-z0-9_-]+$/.test(cursor)) throw refused();
  const bytes = Buffer.from(cursor, "base64url");
  // Base64 leaves spare bits in the last character. Accept only the spelling that `sealCursor` produces.
  if (bytes.toString("base64url") !== cursor) throw refused();
  try {
    return sealer.openJson<Position>(`cursor:${list}`, bytes);
  } catch (cause) {
    if (cause instanceof SealBroken) throw refused(cause);
    throw cause;
  }
}

/** A position in a list: the sort values of the last row seen. */
export type Position = readonly (string | number)[];
