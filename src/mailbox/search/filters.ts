import type { Category } from "../categories/category.ts";
import { TAGS, type TagName } from "./tags.ts";

/** A condition on the message: on one of its columns, or on rows that belong to it. Times are ms; sizes are bytes, both bounds included. */
export type Filter =
  | { kind: "filter"; field: "in"; folder: FolderFilter }
  | { kind: "filter"; field: "is"; flag: Flag }
  | { kind: "filter"; field: "attachment" }
  | { kind: "filter"; field: "label"; name: string }
  | { kind: "filter"; field: "before" | "after"; at: number }
  | { kind: "filter"; field: "size"; atLeast?: number; atMost?: number }
  | { kind: "filter"; field: "category"; category: Category }
  /** Without angle brackets. */
  | { kind: "filter"; field: "message_id"; id: string };

/** A property of the message that the index stores: has:pdf. */
export interface Tag {
  kind: "tag";
  name: TagName;
}

export const FOLDER_NAMES = ["inbox", "archived", "sent", "drafts", "snoozed", "trash", "spam", "anywhere"] as const;
export type FolderFilter = (typeof FOLDER_NAMES)[number];
const OTHER_FOLDER_NAMES: Record<string, FolderFilter> = {
  archive: "archived",
  draft: "drafts",
  junk: "spam",
  all: "anywhere",
};
export const FLAGS = ["unread", "read", "starred", "important"] as const;
type Flag = (typeof FLAGS)[number];

export const CATEGORIES: readonly Category[] = ["primary", "social", "promotions", "updates"];
/** Gmail's names, mapped to the categories here (docs/categories.md). */
const OTHER_CATEGORIES: Record<string, Category> = {
  personal: "primary",
  promotion: "promotions",
  update: "updates",
  forum: "updates",
  forums: "updates",
};

/* Values in any case. Each function returns null for a value that it does not accept. */

export function placeOf(value: string): Filter | null {
  const folder = oneOf(FOLDER_NAMES, value) ?? otherName(OTHER_FOLDER_NAMES, value);
  return folder && { kind: "filter", field: "in", folder };
}

export function flagOf(value: string): Filter | null {
  const flag = oneOf(FLAGS, value);
  return flag && { kind: "filter", field: "is", flag };
}

export function categoryOf(value: string): Filter | null {
  const category = oneOf(CATEGORIES, value) ?? otherName(OTHER_CATEGORIES, value);
  return category && { kind: "filter", field: "category", category };
}

export function hasOf(value: string): Filter | Tag | null {
  const name = value.toLowerCase().replace(/s$/, "");
  if (name === "attachment") return { kind: "filter", field: "attachment" };
  const tag = oneOf(TAGS, name);
  return tag && { kind: "tag", name: tag };
}

function oneOf<T extends string>(names: readonly T[], value: string): T | null {
  return names.find((name) => name === value.toLowerCase()) ?? null;
}

function otherName<T>(names: Record<string, T>, value: string): T | null {
  const name = value.toLowerCase();
  return Object.hasOwn(names, name) ? names[name]! : null;
}
