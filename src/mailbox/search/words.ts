import type { IncomingMessage } from "../incoming.ts";
import { Blinding } from "./blinding.ts";
import { languageOf } from "./language.ts";
import { Lexicon, STRIDE } from "./lexicon.ts";
import { foldForTokens, tokenSpans } from "./tokens.ts";

/** The fields of a message that are searched, in the order of the index's columns. */
export const WORD_FIELDS = ["subject", "sender", "recipients", "cc", "body", "files", "file_text"] as const;
export type WordField = (typeof WORD_FIELDS)[number];
/** Stems stand beside the words, so that a phrase finds the words as they were written. */
export const STEM_FIELDS = ["subject_stems", "body_stems", "file_stems"] as const;
export type IndexColumn = WordField | (typeof STEM_FIELDS)[number];
export const INDEX_COLUMNS: readonly IndexColumn[] = [...WORD_FIELDS, ...STEM_FIELDS];

/** The words of one message, blinded: tokens of all columns one behind the other, and where each column ends. */
export interface BlindedWords {
  tokens: Uint8Array;
  ends: number[];
}

/** Characters of one text that are indexed; the rest of a longer one is not found. */
const LONGEST_TEXT_CHARS = 256 * 1024;
/** Words that tell the language; more of the text would not tell it better. */
const LANGUAGE_WORDS = 300;
const NO_WORDS = new Int32Array(0);

/** What is indexed of a message. */
export type Indexable = Pick<IncomingMessage, "subject" | "from" | "to" | "cc" | "bcc" | "text"> & {
  attachments: readonly { name: string }[];
};

/** Finds and blinds the words of one user's messages. */
export class WordReader {
  readonly #lexicon: Lexicon;
  #buffer = new Uint8Array(64 * 1024);
  #at = 0;

  /** @param key of `Sealer.wordKey` */
  constructor(key: Uint8Array) {
    this.#lexicon = new Lexicon(new Blinding(key));
  }

  /** @param file_text text of the attachments, as far as it has been read */
  read(message: Indexable, file_text = ""): BlindedWords {
    this.#lexicon.tidy();
    this.#at = 0;
    const { subject, from, to, cc, bcc, attachments, text } = message;
    const files = attachments.map(({ name }) => name).join("\n");
    const stemmed: Int32Array[] = [];
    const ends: number[] = [];
    const column = (text: string) => {
      const numbers = this.#numbers(text);
      this.#write(numbers);
      ends.push(this.#at);
      return numbers;
    };
    stemmed.push(column(subject));
    column(addresses([from]));
    column(addresses([...to, ...bcc]));
    column(addresses(cc));
    stemmed.push(column(text));
    column(files);
    stemmed.push(column(file_text));
    const said = [...stemmed[0]!, ...stemmed[1]!.subarray(0, LANGUAGE_WORDS)];
    const language = languageOf(
      text === "" ? subject : text,
      said.map((number) => this.#lexicon.languages(number)),
    );
    for (const numbers of stemmed) {
      this.#writeStems(numbers, language);
      ends.push(this.#at);
    }
    return { tokens: this.#buffer.slice(0, this.#at), ends };
  }

  #numbers(text: string): Int32Array {
    if (text === "") return NO_WORDS;
    const folded = foldForTokens(text.length > LONGEST_TEXT_CHARS ? text.slice(0, LONGEST_TEXT_CHARS) : text);
    const spans = tokenSpans(folded);
    const numbers = new Int32Array(spans.length / 2);
    let count = 0;
    while (count < numbers.length && !this.#lexicon.full) {
      numbers[count] = this.#lexicon.number(folded, spans[count * 2]!, spans[count * 2 + 1]!);
      count++;
    }
    return numbers.subarray(0, count);
  }

  #write(numbers: Int32Array): void {
    this.#reserve(numbers.length);
    for (let i = 0; i < numbers.length; i++) this.#at = this.#lexicon.write(numbers[i]!, this.#buffer, this.#at);
  }

  /** English text gets English stems, other text neutral ones, text of unknown language both. */
  #writeStems(numbers: Int32Array, language: string | null): void {
    this.#reserve(numbers.length * 2);
    const english = language === "en" || language === null;
    const neutral = language !== "en";
    for (let i = 0; i < numbers.length; i++) {
      if (english) this.#writeStem(this.#lexicon.english(numbers[i]!));
      if (neutral) this.#writeStem(this.#lexicon.neutral(numbers[i]!));
    }
  }

  #writeStem(stem: number): void {
    if (stem >= 0) this.#at = this.#lexicon.write(stem, this.#buffer, this.#at);
  }

  #reserve(tokens: number): void {
    const needed = this.#at + tokens * STRIDE;
    if (needed <= this.#buffer.length) return;
    const larger = new Uint8Array(Math.max(needed, this.#buffer.length * 2));
    larger.set(this.#buffer.subarray(0, this.#at));
    this.#buffer = larger;
  }
}

/** Names and addresses, each person on a line. */
function addresses(list: readonly { name: string; email: string }[]): string {
  return list.map(({ name, email }) => `${name} ${email}`).join("\n");
}
