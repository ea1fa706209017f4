/**
 * Reduces very long HTML to its visible content. It drops comments, scripts, style sheets, hidden elements, runs of
 * invisible characters and of blanks, and empty elements. It reads piece by piece, and its memory grows only with the
 * kept content.
 */
import { type Attributes, type HtmlEvents, HtmlReader, VOID_ELEMENTS } from "./text-events.ts";
import { INVISIBLE_CHARACTERS, isInvisibleText, VISIBLE, type Visibility, VisibilityReader } from "./visibility.ts";

/** Limits of the kept content, in UTF-16 units. */
export interface SkimLimits {
  /** Text. The same limit again applies to attributes; beyond it all except addresses are dropped. */
  text: number;
  /** All pictures in `data:` URLs together. */
  data: number;
}

export interface Skimmed {
  text: string;
  /** Some visible content was left out. */
  cut: boolean;
}

/** Takes text piece by piece. */
export interface Skimmer {
  write(piece: string): void;
  /** True when nothing more can be kept. */
  readonly full: boolean;
  end(): Skimmed;
}

interface Frame extends Visibility {
  name: string;
  /** Index of its start tag in `#waiting`; -1 when the tag has been written. */
  start: number;
}

/** Never shown, neither in the text of a mail nor on its page. */
const DROPPED = new Set("embed iframe math script select style svg template textarea title".split(" "));
/** Void elements without effect. */
const EMPTY = new Set("base basefont bgsound frame input keygen link meta param source track".split(" "));
/** Attributes that define an element, kept even when the space for formatting attributes is used up. */
const ESSENTIAL = new Set("align alt colspan dir href rowspan src start type".split(" "));
/** Longer values are neither URLs that a browser loads nor styles that are read. */
const LONGEST_VALUE = 8_192;
/** Maximum run of blank or invisible characters, and of line breaks; a longer run is shortened. */
const LONGEST_BLANK_RUN = 200;
const MAX_BREAKS = 20;
/** Characters of tags that are held back until text follows them. */
const MAX_WAITING = 64 * 1024;
/** Tags may take this many times the space of the text. */
const TAGS_PER_TEXT = 4;

const BLANK = `[\\s\\u00a0\\u3164\\u2800${INVISIBLE_CHARACTERS}]`;
const ALL_BLANK = new RegExp(`^${BLANK}*$`);
const BLANK_RUN = new RegExp(`${BLANK}{${LONGEST_BLANK_RUN},}`, "g");
const BLANK_END = new RegExp(`${BLANK}*$`);

const shortRun = (run: string): string => (run.includes("\n") ? "\n\n" : " ");

/** Skims HTML piece by piece. */
export class HtmlSkimmer implements Skimmer, HtmlEvents {
  readonly #limits: SkimLimits;
  readonly #reader: HtmlReader;
  readonly #visibility = new VisibilityReader();
  readonly #frames: Frame[] = [{ ...VISIBLE, name: "", start: -1 }];
  readonly #kept: string[] = [];
  /** Start tags and blanks, written when visible content follows them. */
  #waiting: string[] = [];
  #waitingLength = 0;
  #text = 0;
  #attributes = 0;
  #tags = 0;
  #data = 0;
  #blanks = 0;
  #breaks = 0;
  #cut = false;
  /** True when the element being read has a picture that is too large to keep. */
  #lostPicture = false;
  full = false;

  constructor(limits: SkimLimits) {
    this.#limits = limits;
    const longestSource = Math.max(limits.data, LONGEST_VALUE);
    this.#reader = new HtmlReader(this, {
      allAttributes: true,
      longestValue: (name) => (name === "src" ? longestSource : LONGEST_VALUE),
    });
  }

  write(piece: string): void {
    if (!this.full) this.#reader.write(piece);
  }

  end(): Skimmed {
    this.#reader.end();
    return { text: this.#kept.join(""), cut: this.#cut };
  }

  open(name: string, attributes: Attributes): void {
    const parent = this.#frames.at(-1)!;
    const frame = { ...this.#visibility.of(name, attributes, parent, DROPPED), name, start: -1 };
    const lostPicture = this.#lostPicture;
    this.#lostPicture = false;
    frame.hidden ||= this.full;
    this.#frames.push(frame);
    if (frame.hidden) return;
    if (VOID_ELEMENTS.has(name)) {
      if (name === "img" && lostPicture && !frame.invisible) this.#cut = true;
      if (!EMPTY.has(name)) this.#void(name, attributes, frame);
      return;
    }
    frame.start = this.#waiting.length;
    this.#wait(this.#tag(name, attributes));
  }

  close(name: string): void {
    const { hidden, start } = this.#frames.pop()!;
    if (name === "style") this.#visibility.styleEnd();
    if (hidden || VOID_ELEMENTS.has(name)) return;
    if (start < 0) {
      this.#kept.push(`</${name}>`);
      return;
    }
    const inside = this.#waiting.slice(start + 1);
    // An empty cell keeps its column, and a line break its line; all other elements without content are dropped.
    const keeps = (name === "td" || name === "th" || inside.includes("<br>")) && this.#waitingLength < MAX_WAITING;
    if (keeps) this.#wait(`</${name}>`);
    else {
      for (let at = start; at < this.#waiting.length; at++) this.#waitingLength -= this.#waiting[at]!.length;
      this.#waiting.length = start;
      if (inside.some((each) => !each.startsWith("<"))) this.#wait(" ");
    }
  }

  text(data: string): void {
    const frame = this.#frames.at(-1)!;
    if (frame.hidden) {
      if (frame.name === "style") this.#visibility.styleText(data);
      return;
    }
    if (isInvisibleText(frame) || this.full) return;
    if (ALL_BLANK.test(data)) {
      this.#blanks += data.length;
      if (this.#blanks <= LONGEST_BLANK_RUN) this.#wait(data);
      return;
    }
    const shown = data.length > LONGEST_BLANK_RUN ? data.replace(BLANK_RUN, shortRun) : data;
    this.#blanks = BLANK_END.exec(shown)?.[0].length ?? 0;
    this.#breaks = 0;
    this.#flush();
    const space = this.#limits.text - this.#text;
    this.#text += shown.length;
    if (shown.length > space) this.#stop();
    this.#kept.push(escapeText(shown.length > space ? shown.slice(0, space) : shown));
  }

  leftOut(name: string): void {
    // Whether it is hidden is known only at the end of its tag.
    if (name === "src") this.#lostPicture = true;
  }

  #void(name: string, attributes: Attributes, frame: Frame): void {
    if (name === "br") {
      if (++this.#breaks <= MAX_BREAKS) this.#wait("<br>");
      return;
    }
    if (name === "img" && frame.invisible) return;
    const tag = this.#tag(name, attributes);
    if (name !== "img" && name !== "hr") {
      if (this.#waitingLength < MAX_WAITING) this.#wait(tag);
      return;
    }
    this.#flush();
    this.#breaks = 0;
    this.#keepTag(tag);
  }

  /** Returns a start tag, with attributes only as long as there is space for them. */
  #tag(name: string, attributes: Attributes): string {
    let tag = `<${name}`;
    for (const [key, value] of attributes) {
      if (!/^[a-z][a-z\d:_-]*$/.test(key)) continue;
      const isData = key === "src" && /^\s*data:/i.test(value);
      if (isData) {
        this.#data += value.length;
        if (this.#data > this.#limits.data) {
          this.#data -= value.length;
          this.#cut = true;
          continue;
        }
      } else if (value.length > LONGEST_VALUE) continue;
      else if (!ESSENTIAL.has(key)) {
        if (this.#attributes + value.length > this.#limits.text) continue;
        this.#attributes += value.length;
      }
      tag += ` ${key}="${value.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"`;
    }
    return `${tag}>`;
  }

  #wait(piece: string): void {
    this.#waiting.push(piece);
    this.#waitingLength += piece.length;
  }

  #flush(): void {
    if (this.#waiting.length === 0) return;
    for (const each of this.#waiting) this.#keepTag(each);
    this.#waiting = [];
    this.#waitingLength = 0;
    for (const frame of this.#frames) frame.start = -1;
  }

  #keepTag(tag: string): void {
    // Pictures are counted separately.
    this.#tags += Math.min(tag.length, LONGEST_VALUE);
    if (this.#tags > this.#limits.text * TAGS_PER_TEXT) this.#stop();
    this.#kept.push(tag);
  }

  #stop(): void {
    this.#cut = true;
    this.full = true;
  }
}

/** Skims plain text: shortens long runs of blank and invisible characters. */
export class PlainSkimmer implements Skimmer {
  readonly #kept: string[] = [];
  #blank = "";
  #blanks = 0;
  #text = 0;
  full = false;

  constructor(private readonly limits: Pick<SkimLimits, "text">) {}

  write(piece: string): void {
    if (this.full) return;
    const text = piece.replace(BLANK_RUN, shortRun);
    if (ALL_BLANK.test(text)) {
      this.#blanks += piece.length;
      if (this.#blanks <= LONGEST_BLANK_RUN) this.#blank += text;
      else if (this.#blank === "") this.#blank = "\n\n";
      return;
    }
    const whole = this.#blank + text;
    const shown = whole.slice(0, Math.max(0, this.limits.text - this.#text));
    this.#kept.push(shown);
    this.#text += shown.length;
    this.full = shown.length < whole.length;
    this.#blank = "";
    this.#blanks = 0;
  }

  end(): Skimmed {
    return { text: this.#kept.join(""), cut: this.full };
  }
}

/** Skims HTML that is available as a whole. */
export function skimHtml(html: string, limits: SkimLimits): Skimmed {
  const skimmer = new HtmlSkimmer(limits);
  for (let at = 0; at < html.length && !skimmer.full; at += PIECE) skimmer.write(html.slice(at, at + PIECE));
  return skimmer.end();
}

const PIECE = 256 * 1024;

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
