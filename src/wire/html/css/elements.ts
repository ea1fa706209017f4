/** The open elements of a document, as style sheets see them. */

/** Further classes of one element are ignored. */
const MAX_CLASSES = 40;
const IN_HEAD = new Set("base link meta noscript script style template title".split(" "));
const ROWS = new Set(["tbody", "tfoot", "thead"]);

/** An element with what selectors can ask for. */
export interface StyledElement {
  name: string;
  attributes: Readonly<Record<string, string>>;
  /** In lower case if the page is laid out with quirks, where case does not matter (Selectors 4 §6.6). */
  classes: readonly string[];
  id: string;
  parent: StyledElement | null;
  /** The element before it in the same parent. */
  previous: StyledElement | null;
  /** Position among the elements of its parent, from 1. */
  position: number;
  /** Nothing follows it in its parent. Known only if the reader asked for it. */
  last: boolean;
  /** Its latest child so far. */
  child: StyledElement | null;
}

/**
 * Follows the start and end tags of a parser. Adds the elements that HTML implies and htmlparser2 does not: `html`,
 * `head`, `body`, and `tbody` around rows (HTML §13.2.6). A second `body` or `html`, as in forwarded mail, is a `div`.
 */
export class ElementTree {
  readonly html: StyledElement;
  readonly body: StyledElement;
  readonly #head: StyledElement;
  readonly #open: StyledElement[] = [];
  readonly #quirks: boolean;
  readonly #isLast: (ordinal: number) => boolean;
  #ordinal = 0;
  #seen = { html: false, body: false };

  /** @param isLast whether the nth start tag, from 0, is that of a last child */
  constructor(quirks: boolean, isLast: (ordinal: number) => boolean = () => false) {
    this.#quirks = quirks;
    this.#isLast = isLast;
    this.html = this.#new("html", {}, null, true);
    this.#head = this.#new("head", {}, this.html);
    this.body = this.#new("body", {}, this.html, true);
  }

  /** Returns the element of a start tag. Every open is followed by one close, also for elements without an end tag. */
  open(name: string, attributes: Readonly<Record<string, string>>): StyledElement {
    const last = this.#isLast(this.#ordinal++);
    const element = this.#root(name, attributes) ?? this.#child(name, attributes, last);
    this.#open.push(element);
    return element;
  }

  close(): void {
    this.#open.pop();
  }

  /** Returns `html`, `head` or `body`, with the attributes of its first tag. */
  #root(name: string, attributes: Readonly<Record<string, string>>): StyledElement | null {
    if (name === "head" && this.body.child === null) return this.#head;
    if ((name !== "html" && name !== "body") || this.#seen[name]) return null;
    if (name === "body" && this.body.child !== null) return null;
    this.#seen[name] = true;
    return Object.assign(this[name], this.#identity(attributes));
  }

  #child(name: string, attributes: Readonly<Record<string, string>>, last: boolean): StyledElement {
    let parent = this.#open.at(-1) ?? this.html;
    if (parent === this.html || parent === this.#head) {
      const isBeforeBody = !this.#seen.body && this.body.child === null;
      parent = IN_HEAD.has(name) && isBeforeBody ? this.#head : this.body;
    }
    if (name === "tr" && parent.name === "table") parent = this.#tableBody(parent);
    const own = name === "html" || name === "body" ? "div" : name;
    return this.#new(own, attributes, parent, last);
  }

  /** Returns the `tbody` that rows directly inside a table share. */
  #tableBody(table: StyledElement): StyledElement {
    const latest = table.child;
    return latest !== null && ROWS.has(latest.name) && latest.last ? latest : this.#new("tbody", {}, table, true);
  }

  #new(
    name: string,
    attributes: Readonly<Record<string, string>>,
    parent: StyledElement | null,
    last = false,
  ): StyledElement {
    const previous = parent?.child ?? null;
    const position = (previous?.position ?? 0) + 1;
    const { classes, id } = this.#identity(attributes);
    const element = { name, attributes, classes, id, parent, previous, position, last, child: null };
    if (parent !== null) parent.child = element;
    return element;
  }

  #identity(attributes: Readonly<Record<string, string>>): Pick<StyledElement, "attributes" | "classes" | "id"> {
    const fold = (text: string | undefined) => (this.#quirks ? text?.toLowerCase() : text);
    const names = fold(attributes.class);
    return { attributes, classes: names === undefined ? [] : classesOf(names), id: fold(attributes.id)?.trim() ?? "" };
  }
}

function classesOf(text: string): string[] {
  return text.split(/\s+/, MAX_CLASSES + 1).filter((name) => name !== "");
}
