import type { Description } from "./description.ts";
import { addSearch } from "./search.ts";
import { openTry } from "./try.tsx";

/**
 * Adds to the API reference what needs a script: the search, and a form for each operation that sends real requests. The
 * page reads nothing from its own address, so that no link can change what it loads or sends.
 */

const BASE = new URL("./", location.origin + location.pathname);

let loading: Promise<Description> | null = null;

/** Loads the description for the first form. A failure is not kept. */
function description(): Promise<Description> {
  loading ??= fetch(new URL("openapi.json", BASE), { credentials: "omit" }).then(
    (response) => response.json() as Promise<Description>,
  );
  loading.catch(() => {
    loading = null;
  });
  return loading;
}

addSearch(document.getElementById("find")!);
for (const article of document.querySelectorAll<HTMLElement>("article")) {
  const place = article.querySelector<HTMLElement>(":scope > .try")!;
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Try it";
  button.setAttribute("aria-label", `Try it: ${article.querySelector("h3")?.textContent}`);
  button.addEventListener("click", () => openTry({ place, id: article.id, base: BASE.href, description }));
  place.append(button);
}
