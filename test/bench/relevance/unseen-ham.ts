import { dice } from "../../faults/campaign.ts";
import { hamMessages, headerOf, sameConversation } from "../known-items/known-items.ts";
import type { GeneratedSet, GradedQuery } from "./generated-set.ts";
import { plainMessage } from "./plain-message.ts";

/** A message of the corpus without its history. */
interface ShortText {
  name: string;
  at: number;
  subject: string;
  /** Its sender's text, without quotations, signature and the footers of lists. */
  text: string;
  /** Lines that it quotes. */
  quoted: string[];
}

const SEED = 20_021;
const QUERIES = 150;
/** Texts are as short as in a list of results or a chat. */
const LONGEST_TEXT = 400;
const MIN_TEXT = 60;
/** Conversations of fewer messages have nothing to find, and longer ones have no single subject. */
const CONVERSATION = { from: 3, to: 40 };
const SUBJECT_WORDS = { from: 2, to: 9 };
const QUOTED_WORDS = { from: 7, to: 12 };

/**
 * Messages of mailing lists without their subjects, cut short. A query is the subject of a conversation, and every
 * message of the conversation answers it.
 */
export function subjects(): GeneratedSet {
  const { messages, conversations, said: shortened } = shortTexts();
  const random = dice(SEED);
  const seen = new Set<string>();
  const queries: GradedQuery[] = [];
  for (const one of shuffled(shortened, random)) {
    const grades = gradesOf(conversations.get(one.name) ?? [], messages);
    const text = bare(one.subject);
    const words = text.split(" ").length;
    const fits = grades.size >= CONVERSATION.from && grades.size <= CONVERSATION.to;
    if (!fits || seen.has(text) || words < SUBJECT_WORDS.from || words > SUBJECT_WORDS.to) continue;
    seen.add(text);
    queries.push({ text, kind: "subject", grades });
    if (queries.length === QUERIES) break;
  }
  return { messages: [...messages.values()], queries };
}

/**
 * The same messages. A query is some words that an answer quotes; every message of its conversation answers it, best
 * the one with these words.
 */
export function quotations(): GeneratedSet {
  const { messages, conversations, said: shortened } = shortTexts();
  const random = dice(SEED + 1);
  const texts = new Map(shortened.map(({ name, text }) => [name, spaced(text)]));
  const queries: GradedQuery[] = [];
  const seen = new Set<string>();
  for (const { name, quoted } of shuffled(shortened, random)) {
    const line = quoted.find((text) => {
      const words = text.split(" ").length;
      return words >= QUOTED_WORDS.from && words <= QUOTED_WORDS.to && /^[\w ,.'’-]+$/.test(text);
    });
    const grades = gradesOf(conversations.get(name) ?? [], messages);
    if (!line || grades.size < CONVERSATION.from || grades.size > CONVERSATION.to || seen.has(line)) continue;
    seen.add(line);
    for (const other of grades.keys()) if (texts.get(other)!.includes(line)) grades.set(other, 3);
    // One word of four is forgotten.
    const remembered = line.split(" ").filter((_, i) => i % 4 !== 2);
    queries.push({ text: remembered.join(" "), kind: "quotation", grades });
    if (queries.length === QUERIES) break;
  }
  return { messages: [...messages.values()], queries };
}

/** Returns the corpus as short texts, and which of them belong together. */
function shortTexts() {
  const raw = hamMessages();
  const conversations = sameConversation(raw);
  const shortened = raw.map(textOf).filter(({ text }) => text.length >= MIN_TEXT);
  const messages = new Map(
    shortened.map(({ name, at, text }) => {
      const id = `${name.replace("/", ".")}@short.example`;
      return [name, { name, at, raw: plainMessage({ id, subject: "", text }) }] as const;
    }),
  );
  return { messages, conversations, said: shortened };
}

const FOOTER = /^(_{5,}|-{5,}|--\s*$|This sf\.net email|To unsubscribe|Yahoo! Groups|http:\/\/xent)/;
const BASE64 = /^content-transfer-encoding:\s*base64/im;

function textOf({ name, raw, at }: { name: string; raw: Uint8Array; at: number }): ShortText {
  const source = Buffer.from(raw).toString("latin1");
  const end = source.indexOf("\r\n\r\n");
  const isPlain =
    end > 0 && !/multipart|html/i.test(headerOf(raw, "Content-Type")) && !BASE64.test(source.slice(0, end));
  const lines = isPlain ? source.slice(end + 4).split("\r\n") : [];
  const footer = lines.findIndex((line) => FOOTER.test(line));
  const body = footer < 0 ? lines : lines.slice(0, footer);
  const isQuoted = (line: string) => /^\s*[>|]/.test(line);
  return {
    name,
    at,
    subject: headerOf(raw, "Subject"),
    text: body
      .filter((line) => !isQuoted(line) && !/(wrote|writes|mentioned|said|stated)\s*:?\s*$/.test(line))
      .join("\n")
      .trim()
      .slice(0, LONGEST_TEXT),
    quoted: body.filter((line) => /^> ?[^>\s]/.test(line)).map((line) => spaced(line.replace(/^> ?/, ""))),
  };
}

const spaced = (text: string) => text.replace(/\s+/g, " ").trim();
const bare = (subject: string) => spaced(subject.replace(/^(\s*((re|fwd?)\s*:|\[[^\]]*\]))+/i, ""));

function gradesOf(names: readonly string[], messages: ReadonlyMap<string, unknown>): Map<string, number> {
  return new Map(names.filter((name) => messages.has(name)).map((name) => [name, 1]));
}

/** Returns the items in an order that the seed determines. */
export function shuffled<T>(list: readonly T[], random: () => number): T[] {
  const out = [...list];
  for (let i = out.length - 1; i > 0; i--) {
    const k = Math.floor(random() * (i + 1));
    [out[i], out[k]] = [out[k]!, out[i]!];
  }
  return out;
}
