/** Words of a question that say nothing about an operation. */
const FILLERS: ReadonlySet<string> = new Set("a an and as for from how i in is it my of on or the to with".split(" "));

/** One operation on the page: its place in the list and in the reference. */
interface Entry {
  id: string;
  link: HTMLElement;
  article: HTMLElement;
  /** All its words, in lower case. */
  text: string;
}

/** Adds a search field above the list of operations. It shows only the operations that have all words. */
export function addSearch(place: HTMLElement): void {
  const label = document.createElement("label");
  label.htmlFor = "search";
  label.textContent = "Search operations";
  const input = Object.assign(document.createElement("input"), { id: "search", type: "search", autocomplete: "off" });
  const status = document.createElement("p");
  status.setAttribute("role", "status");
  place.append(label, input, status);

  let known: Entry[] | null = null;
  const show = () => {
    known ??= entries();
    const typed = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    // A lone filler is still searched for, such as the beginning of a word.
    const chosen = typed.filter((word) => !FILLERS.has(word));
    const words = chosen.length > 0 ? chosen : typed;
    const found = known.filter(({ text }) => words.every((word) => text.includes(word)));
    for (const { link, article } of known) link.hidden = article.hidden = true;
    for (const { link, article } of found) link.hidden = article.hidden = false;
    for (const group of document.querySelectorAll<HTMLElement>("[data-group]")) {
      group.hidden = group.querySelector("li:not([hidden]), article:not([hidden])") === null;
    }
    document.body.classList.toggle("searching", words.length > 0);
    status.textContent = words.length === 0 ? "" : counted(found.length);
    return found;
  };
  input.addEventListener("input", show);
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      input.value = "";
      show();
    }
    if (event.key !== "Enter") return;
    const [first] = show();
    if (first) first.link.querySelector("a")?.click();
  });
  // A link to an operation that the search has hidden.
  addEventListener("hashchange", () => {
    const target = document.getElementById(location.hash.slice(1));
    if (!target?.hidden) return;
    input.value = "";
    show();
    target.scrollIntoView();
  });
}

function entries(): Entry[] {
  return [...document.querySelectorAll<HTMLElement>("article")].flatMap((article) => {
    const link = document.querySelector<HTMLAnchorElement>(`nav a[href="#${CSS.escape(article.id)}"]`)?.closest("li");
    // The first texts say what the operation is; the tables below them have words of all kinds.
    const about = [...article.querySelectorAll(":scope > h3, :scope > .line, :scope > p")];
    const group = article.closest("[data-group]")?.querySelector("h2");
    const text = [article.id, group?.textContent, ...about.map(({ textContent }) => textContent)].join(" ");
    return link ? [{ id: article.id, link, article, text: text.toLowerCase() }] : [];
  });
}

function counted(found: number): string {
  if (found === 0) return "No operation has all of these words.";
  return found === 1 ? "1 operation" : `${found} operations`;
}
