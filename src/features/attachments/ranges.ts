/** A part of a file, in bytes. `end` is exclusive. */
export interface ByteRange {
  start: number;
  end: number;
}

const SINGLE = /^bytes\s*=\s*(\d{0,15})\s*-\s*(\d{0,15})$/i;

/**
 * Parses a Range header (RFC 9110 §14.1.2). Returns null for the whole file: the header is absent, is not understood, or asks
 * for several parts, which a server may decline. Returns "unsatisfiable" for a 416.
 */
export function parseRange(header: string | null, size: number): ByteRange | "unsatisfiable" | null {
  const [, from, to] = SINGLE.exec(header?.trim() ?? "") ?? [];
  if (from === undefined || to === undefined || (from === "" && to === "")) return null;
  if (from === "") {
    const length = Math.min(Number(to), size);
    return length === 0 ? "unsatisfiable" : { start: size - length, end: size };
  }
  const start = Number(from);
  if (to !== "" && Number(to) < start) return null;
  if (start >= size) return "unsatisfiable";
  return { start, end: to === "" ? size : Math.min(Number(to) + 1, size) };
}
