import { type TProperties, Type } from "@sinclair/typebox";

/*
 * Schemas that several tools share. Descriptions are short, because the list of tools must stay below 12 KB: it is part
 * of every conversation.
 */

/** Most ids of one call. */
const MAX_IDS = 25;

/** Restricts a list to one mailbox, or names the mailbox that sends. */
export const accountId = { account_id: Type.Optional(Type.String()) };
export const cursor = Type.Optional(Type.String());
export const limit = Type.Integer({ minimum: 1, maximum: 50, default: 20 });
export const ids = Type.Array(Type.String(), { minItems: 1, maxItems: MAX_IDS });

/** Declares an object without further fields, so that a misspelled argument is an error and not ignored. */
export const exact = <const P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });

/** One outcome for each id of a bulk call, and what undoes those that succeeded. */
export const outcomes = Type.Object({
  results: Type.Array(Type.Object({ id: Type.String(), ok: Type.Boolean(), error: Type.Optional(Type.Unknown()) })),
  undo: Type.String(),
});
