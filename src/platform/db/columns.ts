import { customType, integer, text } from "drizzle-orm/sqlite-core";
import type { Sealed } from "../sealing/sealer.ts";

/*
 * Columns of the schema. Each `tables.ts` declares the tables of its folder. Keys are column names, and values are as
 * bun:sqlite returns them, so that `$inferSelect` is also the type of a row of a handwritten query.
 */

/** The content of a BLOB column. */
export type BlobContent =
  /** A value of `Sealer`, under the key of the row's user, or under that of the system. */
  | { kind: "sealed"; key: "user" | "system" }
  /** A keyed hash of this width. */
  | { kind: "hmac"; bits: number }
  | { kind: "bytes" };

const blob = customType<{ data: Uint8Array; config: BlobContent; configRequired: true }>({ dataType: () => "blob" });

/** A sealed value. @param Shape its JSON; string or Uint8Array for text or bytes */
export const sealed = <Shape>(key: "user" | "system" = "user") => blob({ kind: "sealed", key }).$type<Sealed<Shape>>();

/** A keyed hash: equal values give equal bytes. docs/security.md lists what each such column reveals. */
export const hmac = (bits = 128) => blob({ kind: "hmac", bits });

/** Bytes that are neither sealed nor a keyed hash. */
export const bytes = () => blob({ kind: "bytes" });

/** Milliseconds since 1970. */
export const time = () => integer();

export const flag = () => integer().$type<0 | 1>();

/** JSON in clear. */
export const json = <Shape>() => text().$type<Json<Shape>>();

declare const SHAPE: unique symbol;
/** A JSON text of this shape. */
export type Json<Shape> = string & { readonly [SHAPE]?: Shape };

/** Returns the content of a BLOB column; undefined for other columns. */
export function blobContent(column: object): BlobContent | undefined {
  // Drizzle keeps the argument of a custom column, but does not declare it.
  return (column as { config: { fieldConfig?: BlobContent } }).config.fieldConfig;
}
