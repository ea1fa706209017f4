/**
 * Returns the base address for paths such as `/threads`, ending in /v1.
 * @param url with or without the version, "http://127.0.0.1:8025" or "https://example.org/mail/v1/"
 */
export function baseUrl(url: string): string {
  const base = url.trim().replace(/\/+$/, "");
  return base.endsWith("/v1") ? base : `${base}/v1`;
}
