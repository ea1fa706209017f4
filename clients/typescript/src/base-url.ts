const ADDRESS = /^(https?:\/\/[^/?#\s]+)?(\/[^?#\s]*)?$/i;

/**
 * Returns the base address for paths such as `/threads`: the given one, with the version segment `/v1` at the end of
 * its path. Accepts both forms, "https://host/mail" and "https://host/mail/v1"; a host named v1 is not the version.
 * @param url absolute, or a path alone for the page's own origin
 * @throws TypeError for anything else
 */
export function baseUrl(url: string): string {
  const found = ADDRESS.exec(url.trim());
  if (!found) {
    const why = "It must start with http:// or https:// and have no query and no fragment.";
    throw new TypeError(`"${url}" is not the address of a Postroom server. ${why}`);
  }
  const [, origin = "", path = ""] = found;
  const base = path.replace(/\/+$/, "");
  return `${origin}${base.endsWith("/v1") ? base : `${base}/v1`}`;
}
