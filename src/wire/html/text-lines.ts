/** Lays out HTML mail as lines of plain text, each with the markup's hint about its part of the message. */

import { type Cue, cueOf, isIndent } from "../quotes/html.ts";
import { type Attributes, readHtml } from "./text-events.ts";
import { imageText, linkUrl } from "./text-inline.ts";
import { INVISIBLE_CHARACTERS, isInvisibleText, VISIBLE, type Visibility, VisibilityReader } from "./visibility.ts";

/** One line of text. `depth` counts the quoting blockquotes around it; `text` does not include their "> " prefixes. */
export interface HtmlLine {
  text: string;
  depth: number;
  cue: Cue | null;
}

interface Frame extends Visibility {
  name: string;
  pre: boolean;
  depth: number;
  cue: Cue | null;
  /** True when an empty line separates the block. */
  gap: boolean;
  /** Next number of an ordered list; 0 for a bulleted one. */
  item: number;
  /** Start of the link's text, and its address. */
  link: { at: number; line: number; url: string } | null;
}

const DROPPED = new Set(
  "style script head title template noscript object embed applet svg math select textarea button iframe audio video canvas map".split(
    " ",
  ),
);
/** Elements that start and end a line; those in GAP also keep an empty line around them. */
const BLOCK = new Set(
  "address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header html hr li main nav ol p pre section summary table tbody tfoot thead tr ul".split(
    " ",
  ),
);
const GAP = new Set("p h1 h2 h3 h4 h5 h6 hr blockquote pre ul ol dl table".split(" "));
const PRE_STYLE = /white-space\s*:\s*(?:pre|break-spaces)/i;
const INVISIBLE = new RegExp(`[${INVISIBLE_CHARACTERS}]+`, "g");
/** Text without invisible characters, in which only runs of blanks collapse. */
const PRINTABLE = /^[\x20-\x7e]*$/;
const SPACES = /[ \t\r\n\f\u00a0\u2000-\u200a\u202f\u205f]+/g;
/** Deeper quotes are shown at this depth, so that the text cannot grow many times larger than the HTML. */
const MAX_QUOTE_DEPTH = 12;
/** Longer HTML is not cached for a second reading. */
const KEPT_HTML = 1_000_000;
const TOP: Frame = {
  ...VISIBLE,
  name: "",
  pre: false,
  depth: 0,
  cue: null,
  gap: false,
  item: 0,
  link: null,
};

class LineWriter {
  readonly lines: HtmlLine[] = [];
  readonly frames: Frame[] = [TOP];
  private readonly visibility = new VisibilityReader();
  private buffer = "";
  private lineDepth = 0;
  private lineCue: Cue | null = null;
  private empty = true;
  private keptBlank = false;
  private space = false;
  private gap = false;

  top(): Frame {
    return this.frames[this.frames.length - 1]!;
  }

  open(name: string, attributes: Attributes): void {
    const parent = this.top();
    const style = attributes.get("style") ?? "";
    const visibility = this.visibility.of(name, attributes, parent, DROPPED);
    const { hidden } = visibility;
    const own = hidden ? null : cueOf(name, attributes);
    const quotes = name === "blockquote" && !isIndent(attributes) ? 1 : 0;
    const frame: Frame = {
      ...visibility,
      name,
      pre: parent.pre || name === "pre" || (style !== "" && PRE_STYLE.test(style)),
      depth: Math.min(parent.depth + quotes, MAX_QUOTE_DEPTH),
      cue: strongest(parent.cue, own),
      gap: !hidden && this.hasGap(name, attributes),
      item: name === "ol" ? Number.parseInt(attributes.get("start") ?? "1", 10) || 1 : 0,
      link: null,
    };
    if (hidden) {
      this.frames.push(frame);
      return;
    }
    if (BLOCK.has(name)) this.breakLine(frame.gap);
    this.frames.push(frame);
    if (name === "br") this.newLine();
    else if (name === "img") {
      // The size and color of letters do not affect pictures.
      if (!frame.invisible) this.write(imageText(attributes));
    } else if (name === "td" || name === "th") this.cellSpace();
    else if (name === "li" && !isInvisibleText(frame)) this.bullet(parent);
    else if (name === "a") {
      const url = linkUrl(attributes.get("href") ?? "");
      if (url !== null) frame.link = { at: this.buffer.length, line: this.lines.length, url };
    }
  }

  close(name: string): void {
    const frame = this.frames.pop()!;
    if (name === "style") this.visibility.styleEnd();
    if (frame.hidden) return;
    if (frame.link) this.endLink(frame.link);
    if (BLOCK.has(name)) this.breakLine(frame.gap);
  }

  text(data: string): void {
    const frame = this.top();
    if (frame.hidden) {
      if (frame.name === "style") this.visibility.styleText(data);
      return;
    }
    if (isInvisibleText(frame)) return;
    if (frame.pre) {
      const parts = data.replaceAll("\r", "").split("\n");
      for (let i = 0; i < parts.length; i += 1) {
        if (i > 0) this.newLine();
        this.append(parts[i]!.replace(INVISIBLE, "").replaceAll("\u00a0", " "));
      }
      return;
    }
    this.write(data);
  }

  finish(): HtmlLine[] {
    this.breakLine(false);
    while (this.lines.length > 0 && this.lines[this.lines.length - 1]!.text === "") this.lines.pop();
    return this.lines;
  }

  private hasGap(name: string, attributes: Attributes): boolean {
    // Word writes every line as a paragraph without margins, and an empty one where the writer pressed return twice.
    if (name === "p" && /Mso|xmso|yiv|p1\b/i.test(attributes.get("class") ?? "")) return false;
    if (name === "p" && /margin(?:-top|-bottom)?\s*:\s*0/i.test(attributes.get("style") ?? "")) return false;
    return GAP.has(name) && this.listGap(name);
  }

  /** A list within a list, or a table within a table, gets no empty line. */
  private listGap(name: string): boolean {
    if (name === "table") return !this.frames.some((frame) => frame.name === "table");
    if (name !== "ul" && name !== "ol") return true;
    return !this.frames.some((frame) => frame.name === "li");
  }

  private bullet(list: Frame): void {
    const depth = this.frames.reduce((n, frame) => n + (frame.name === "ul" || frame.name === "ol" ? 1 : 0), 0);
    const mark = list.item > 0 ? `${list.item}. ` : "- ";
    if (list.item > 0) list.item += 1;
    this.append("  ".repeat(Math.min(Math.max(depth - 1, 0), 8)) + mark);
    this.empty = true;
  }

  private endLink(link: { at: number; line: number; url: string }): void {
    const shown = link.line === this.lines.length ? this.buffer.slice(link.at).trim() : null;
    if (shown === null || shown === "" || shown.includes(link.url)) return;
    const bare = link.url.replace(/^(?:https?:\/\/|mailto:)(?:www\.)?/i, "").replace(/\/$/, "");
    if (shown.toLowerCase().includes(bare.toLowerCase())) return;
    this.append(` (${link.url.replace(/^mailto:/i, "")})`);
  }

  private cellSpace(): void {
    if (this.buffer.trim() !== "") this.buffer = `${this.buffer.trimEnd()}  `;
    this.space = false;
  }

  private write(data: string): void {
    const neat = PRINTABLE.test(data) && !data.includes("  ");
    const visible = neat ? data : data.replace(INVISIBLE, "");
    if (visible === "") return;
    const collapsed = neat ? data : visible.replace(SPACES, " ");
    if (collapsed === " ") {
      if (visible.includes("\u00a0")) this.keptBlank = true;
      this.space = true;
      return;
    }
    const lead = collapsed.startsWith(" ") || this.space;
    const body = collapsed.trim();
    this.space = false;
    this.append(lead && this.buffer !== "" && !this.buffer.endsWith(" ") ? ` ${body}` : body);
    this.space = collapsed.endsWith(" ");
  }

  private append(text: string): void {
    if (text === "") return;
    if (this.empty) {
      const frame = this.top();
      this.lineDepth = frame.depth;
      this.lineCue = frame.cue;
      this.empty = false;
    }
    this.buffer += text;
  }

  /** Ends the line if it is not empty; `gap` requests an empty line before the next one. */
  private breakLine(gap: boolean): void {
    if (this.buffer.trim() !== "") this.flush();
    else if (this.keptBlank) this.pushBlank();
    this.reset();
    this.gap ||= gap;
  }

  /** Forces a line end: an empty line when the current line has no text. */
  private newLine(): void {
    if (this.buffer.trim() !== "") this.flush();
    else this.pushBlank();
    this.reset();
  }

  private flush(): void {
    if (this.gap) this.pushBlank(this.lineDepth, this.lineCue);
    this.gap = false;
    this.lines.push({ text: this.buffer.trimEnd(), depth: this.lineDepth, cue: this.lineCue });
  }

  private pushBlank(depth: number = this.top().depth, cue: Cue | null = this.top().cue): void {
    const last = this.lines[this.lines.length - 1];
    if (last === undefined || last.text === "") return;
    this.lines.push({ text: "", depth: Math.min(depth, last.depth), cue: last.depth === depth ? cue : null });
  }

  private reset(): void {
    this.buffer = "";
    this.empty = true;
    this.keptBlank = false;
    this.space = false;
  }
}

/**
 * Returns the cue that wins: an outer statement about the whole part outweighs an inner one; a signature is the
 * weakest.
 */
function strongest(outer: Cue | null, inner: Cue | null): Cue | null {
  if (outer === null || outer === "signature") return inner ?? outer;
  return inner === "attribution" && outer === "cite" ? inner : outer;
}

let latest: { html: string; lines: readonly HtmlLine[] } | null = null;

/**
 * Returns the text of an HTML body, line by line. Never throws; runs in time linear in the length of `html`. Lines have
 * no trailing space, and there are never two empty lines in a row. A message's HTML is read first for its text and
 * again when its body is split: the lines of the latest HTML are cached for that second call, which clears the cache.
 */
export function htmlToLines(html: string): readonly HtmlLine[] {
  if (latest?.html === html) {
    const { lines } = latest;
    latest = null;
    return lines;
  }
  const writer = new LineWriter();
  readHtml(html, writer);
  const lines = writer.finish();
  latest = html.length <= KEPT_HTML ? { html, lines } : null;
  return lines;
}
