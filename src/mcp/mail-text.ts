import { randomBytes } from "node:crypto";

/** 24 random bits that the author of a mail cannot have guessed when they wrote it. */
const NONCE_BYTES = 3;
/** Characters that no reader sees: zero-width characters, direction marks, and tags, which can hide whole texts. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}|\p{Cf}/gu;
/** Control characters except tab and line feed. */
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/** Addresses that a client could open, or load as a picture. */
const SCHEME = /\b(https?|ftp|mailto|tel|sms|javascript|data|file|vbscript|cid):/gi;
const WWW = /\bwww\.(?=[\p{L}\p{N}])/giu;
/** Markdown that a client would show as a link or load as a picture. */
const MARKDOWN_TARGET = /\](?=\(|\[|:)/g;
/** The start of a tag, but not of an address in angle brackets, which has none of the characters of an attribute. */
const HTML_TAG = /<(?=[!?/]|[a-z])(?!\w[\w.#$%&*+?^{|}~-]{0,63}@[\w.-]{1,255}>)/gi;

/** An address without a name, quotes or spaces: too little to hold a sentence. */
const PLAIN_ADDRESS = /^[\w.+-]{1,64}@[\w.-]{1,255}$/;

/** Everything that a reader may take for a new line. */
const LINE_END = /\r\n|[\r\n\v\f\u0085\u2028\u2029]/g;

/**
 * Prepares text that other people wrote for a model. Every line starts with a nonce of this call, so that mail cannot
 * pretend to be the user or the tool: its author cannot know the nonce. Links, pictures and tags are made inert, because
 * a client that shows them would contact the sender's server.
 */
export class MailText {
  readonly nonce: string;

  constructor(nonce = randomBytes(NONCE_BYTES).toString("hex")) {
    this.nonce = nonce;
  }

  /** Returns a text with a mark at the start of each line. An empty text stays empty. */
  lines(text: string): string {
    const clean = inert(text);
    return clean === "" ? "" : this.#mark(clean);
  }

  /** Like `lines`, but exact: links stay as they are. For what the user keeps, which a tool may change and give back. */
  exactLines(text: string): string {
    return text === "" ? "" : this.#mark(text);
  }

  /** Marks a text that is part of an argument, so that `unmarked` returns exactly this text. */
  argument(text: string): string {
    if (text === "") return "";
    return text
      .split("\n")
      .map((line) => `${this.nonce}| ${line}`)
      .join("\n");
  }

  /** Returns a line that Postroom wrote about the marked text after it. Mail cannot imitate it. */
  about(text: string): string {
    return `${this.nonce}# ${inert(text).replace(/\s+/g, " ").trim()}`;
  }

  #mark(text: string): string {
    return text
      .split(LINE_END)
      .map((line) => `${this.nonce}| ${line}`)
      .join("\n");
  }

  /** Returns a short text, such as a subject or a name, on one marked line. */
  line(text: string): string {
    return this.lines(text.replace(/\s+/g, " ").trim());
  }

  /**
   * Returns a recipient or attendee: a plain address as it is, because it is passed on like an id, and anything with a
   * name on a marked line.
   */
  person(text: string): string {
    return PLAIN_ADDRESS.test(text) ? text : this.line(text);
  }
}

/** A mark with the text after it. */
const MARKED = /^([0-9a-f]{6})\| (.*)$/s;

/**
 * Returns an argument without marks if each of its lines has the same one: models copy marked texts, and the undo of a
 * change repeats them.
 */
export function unmarked(text: string): string {
  const lines = text.split("\n").map((line) => MARKED.exec(line));
  const nonce = lines[0]?.[1];
  return nonce !== undefined && lines.every((line) => line?.[1] === nonce)
    ? lines.map((line) => line![2]).join("\n")
    : text;
}

/** Returns whether an argument is a marked text that a tool has cut: it ends with a line about the rest. */
export function isCut(text: string): boolean {
  const nonce = MARKED.exec(text)?.[1];
  return nonce !== undefined && text.split("\n").some((line) => line.startsWith(`${nonce}# `));
}

/** Returns a text without invisible characters, in which nothing is a link, a picture or a tag any more. */
export function inert(text: string): string {
  return text
    .replace(LINE_END, "\n")
    .replace(INVISIBLE, "")
    .replace(CONTROL, "")
    .replace(SCHEME, "$1[:]")
    .replace(WWW, "www[.]")
    .replace(MARKDOWN_TARGET, "] ")
    .replace(HTML_TAG, "‹");
}
