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
  const has = (name: string) => flags.has(name) || [...flags].some((flag) => flag.toLowerCase() === name.toLowerCase());
  return {
    seen: has("\\Seen"),
    flagged: has("\\Flagged"),
    answered: has("\\Answered"),
    draft: has("\\Draft"),
    important: has("$Important"),
  };
}

/** Returns a 48-bit number that changes when flags, keywords or Gmail labels change. */
export function flagsHash(flags: Set<string> | undefined, gmailLabels?: Set<string>): number {
  const names = [...(flags ?? [])].filter((flag) => flag !== "\\Recent").sort();
  const labels = [...(gmailLabels ?? [])].sort();
  const text = `${names.join("\0")}\n${labels.join("\0")}`;
  return createHash("sha256").update(text).digest().readUIntBE(0, 6);
}
