/**
 * Returns the first of our content codings that a client accepts (RFC 9110 §12.5.3), whatever weight it has.
 * @param header Accept-Encoding: "gzip, deflate, br;q=0.5"
 * @param kept codings that we have, the preferred one first
 */
export function preferredEncoding<Coding extends string>(
  header: string | null,
  kept: readonly Coding[],
): Coding | "identity" {
  const taken = new Map<string, boolean>();
  for (const part of (header ?? "").toLowerCase().split(",")) {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim());
    const quality = parameters.find((text) => text.startsWith("q="))?.slice(2);
    taken.set(name, quality === undefined || Number(quality) > 0);
  }
  return kept.find((name) => taken.get(name) ?? taken.get("*") ?? false) ?? "identity";
}
