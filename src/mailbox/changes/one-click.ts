/**
 * Returns the URL to unsubscribe from a mailing with one POST (RFC 8058): the first https URI of List-Unsubscribe (RFC
 * 2369), if the message also has `List-Unsubscribe-Post: List-Unsubscribe=One-Click`. Null where there is none.
 */
export function oneClickUrl(headers: ReadonlyMap<string, readonly string[]>): string | null {
  const posts = headers.get("list-unsubscribe-post") ?? [];
  if (posts.length !== 1 || !/^\s*List-Unsubscribe\s*=\s*One-Click\s*$/i.test(posts[0]!)) return null;
  const lists = headers.get("list-unsubscribe") ?? [];
  // RFC 2369 §2 allows one field of each kind. With two, it is unclear which is the sender's.
  if (lists.length !== 1) return null;
  for (const [, uri] of lists[0]!.slice(0, MAX_CHARS).matchAll(/<([^<>]*)>/g)) {
    // Long URIs are folded, and the resulting white space is not part of them (RFC 2369 §2).
    const joined = uri!.replaceAll(/[ \t\r\n]/g, "");
    if (joined.length <= LONGEST_URL_CHARS && /^https:\/\//i.test(joined) && URL.canParse(joined)) return joined;
  }
  return null;
}

const MAX_CHARS = 20_000;
/** The longest URL that the outbound guard accepts. */
const LONGEST_URL_CHARS = 2_048;
