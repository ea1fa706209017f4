import { createHash } from "node:crypto";

/** System flags of one message (RFC 9051 §2.3.2), and RFC 8457's `important`. */
export interface MessageFlags {
  seen: boolean;
  flagged: boolean;
  answered: boolean;
  draft: boolean;
  important: boolean;
}

/** Reads the flags of a FETCH answer. Returns null when the server left FLAGS out, so that nothing is known. */
export function readFlags(flags: Set<string> | undefined): MessageFlags | null {
  if (!flags) return null;
  const read: MessageFlags = { seen: false, flagged: false, answered: false, draft: false, important: false };
  for (const flag of flags) {
    const name = NAMES.get(flag.toLowerCase());
    if (name) read[name] = true;
  }
  return read;
}

const NAMES: ReadonlyMap<string, keyof MessageFlags> = new Map([
  ["\\seen", "seen"],
  ["\\flagged", "flagged"],
  ["\\answered", "answered"],
  ["\\draft", "draft"],
  ["$important", "important"],
]);

/** Hashes of texts, because most messages have one of a few sets of flags. Anyone can invent keywords, so it is bounded. */
const hashes = new Map<string, number>();
const KEPT_HASHES = 200;

/** Returns a 48-bit number that changes when flags, keywords or Gmail labels change. */
export function flagsHash(flags: Set<string> | undefined, gmailLabels?: Set<string>): number {
  const names = [...(flags ?? [])].filter((flag) => flag !== "\\Recent").sort();
  const labels = [...(gmailLabels ?? [])].sort();
  const text = `${names.join("\0")}\n${labels.join("\0")}`;
  const known = hashes.get(text);
  if (known !== undefined) return known;
  const hash = createHash("sha256").update(text).digest().readUIntBE(0, 6);
  if (hashes.size >= KEPT_HASHES) hashes.clear();
  hashes.set(text, hash);
  return hash;
}
