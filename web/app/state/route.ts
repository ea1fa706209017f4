import { signal } from "@preact/signals";

/** The current route: "#/webhooks/whk_1?tab=deliveries" is ["webhooks", "whk_1"] with tab=deliveries. */
export interface Place {
  path: string[];
  query: URLSearchParams;
}

export const place = signal<Place>(read());

function read(): Place {
  const [path = "", query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  return { path: path.split("/").filter(Boolean).map(decode), query: new URLSearchParams(query) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Navigates to a page: `go("#/keys")`. */
export function go(hash: string): void {
  location.hash = hash;
}

addEventListener("hashchange", () => {
  place.value = read();
});
