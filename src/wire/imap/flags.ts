import { createHash } from "node:crypto";

/** System flags of one message (RFC 9051 §2.3.2), and RFC 8457's `important`. */
export interface MessageFlags {
  seen: boolean;
  flagged: boolean;
  answered: boolean;
  draft: boolean;
  important: boolean;
}

/** Splits a FETCH answer's flags. A server may leave FLAGS out; then nothing is known and null is answered. */
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

/** A 48-bit number that changes when flags, keywords or Gmail labels change. */
export function flagsHash(flags: Set<string> | undefined, gmail_labels?: Set<string>): number {
  const names = [...(flags ?? [])].filter((flag) => flag !== "\\Recent").sort();
  const labels = [...(gmail_labels ?? [])].sort();
  const text = `${names.join("\0")}\n${labels.join("\0")}`;
  return createHash("sha256").update(text).digest().readUIntBE(0, 6);
}
