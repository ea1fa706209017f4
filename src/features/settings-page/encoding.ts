/** Content codings in which the files of the settings page are stored, the smallest first. */
const KEPT = ["br", "gzip"] as const;

/**
 * Returns the smallest content coding that a client accepts (RFC 9110, 12.5.3).
 * @param header Accept-Encoding: "gzip, deflate, br;q=0.5"
 */
export function preferredEncoding(header: string | null): (typeof KEPT)[number] | "identity" {
  const taken = new Map<string, boolean>();
  for (const part of (header ?? "").toLowerCase().split(",")) {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim());
    const quality = parameters.find((text) => text.startsWith("q="))?.slice(2);
    taken.set(name, quality === undefined || Number(quality) > 0);
  }
  return KEPT.find((name) => taken.get(name) ?? taken.get("*") ?? false) ?? "identity";
}
