import { signal } from "@preact/signals";

/** The current route: "#/webhooks/whk_1?tab=deliveries" is ["webhooks", "whk_1"] with tab=deliveries. */
export interface Route {
  path: string[];
  query: URLSearchParams;
}

export const currentRoute = signal<Route>(read());

function read(): Route {
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

/** Navigates to a page: `navigate("#/keys")`. */
export function navigate(hash: string): void {
  location.hash = hash;
}

addEventListener("hashchange", () => {
  currentRoute.value = read();
});
