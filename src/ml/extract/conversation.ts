import { type Analyzed, type Finding, findingsOf, ownSentences } from "./findings.ts";
import { askedByName, nameWords, spokenTo } from "./names.ts";
import { shortLanguage } from "./short-language.ts";

/** A message of a conversation, as input of the analysis. Lists of turns are ordered oldest first. */
export interface Turn {
  id: string;
  at: number;
  /** Whether the user wrote it. */
  outgoing: boolean;
  /** The header field that has the user's address. */
  addressed: "to" | "cc" | "none";
  myNames: readonly string[];
  otherNames: readonly string[];
  text(): { body_text: string; new_text: string };
  language(): string | null;
}

export type TurnFinding = Finding & { message_id: string; at: number };

/** Minutes from UTC of the user's clock at a moment. */
export type OffsetAt = (at: number) => number;

/**
 * Prepares a turn for the analysis of one message.
 * @param turns its conversation, which tells the language where the text of the turn is too short to tell
 */
export function analyzed(turn: Turn, offset: OffsetAt, turns: readonly Turn[] = []): Analyzed {
  const { at } = turn;
  const { body_text, new_text } = turn.text();
  let language: { guess: string | null } | null = null;
  return {
    at,
    // Computed on first use: it is expensive, and needed only for a sentence that names a day.
    get offsetMin() {
      return offset(at);
    },
    body_text,
    new_text,
    language: () => {
      language ??= { guess: turn.language() ?? shortLanguage(new_text) ?? languageNear(turn, turns) };
      return language.guess;
    },
  };
}

/** Returns the language of the message closest to a turn whose language is known. */
function languageNear(turn: Turn, turns: readonly Turn[]): string | null {
  const here = turns.indexOf(turn);
  for (let distance = 1; distance < turns.length; distance++) {
    const language = turns[here - distance]?.language() ?? turns[here + distance]?.language() ?? null;
    if (language !== null) return language;
  }
  return null;
}

/**
 * Returns what others asked of the user and no one has answered: the questions and requests in messages after the
 * user's last one. From a message to several people, leaves out what addresses someone else by name; from a copy (Cc)
 * and from a list, keeps only what names the user.
 * @param names of the user, beside those in the headers of the conversation
 */
export function openAsks(turns: readonly Turn[], offset: OffsetAt, names: readonly string[] = []): TurnFinding[] {
  const answered = turns.findLastIndex((turn) => turn.outgoing);
  const mine = new Set([...names, ...turns.flatMap(({ myNames }) => myNames)].flatMap(nameWords));
  return turns.slice(answered + 1).flatMap((turn) => asksOf(turn, turns, offset, mine));
}

function asksOf(turn: Turn, turns: readonly Turn[], offset: OffsetAt, me: ReadonlySet<string>): TurnFinding[] {
  if (turn.addressed === "none" && !namesOneOf(turn.text().new_text, me)) return [];
  const message = analyzed(turn, offset, turns);
  const found = findingsOf(message, ["question", "request"]);
  if (found.length === 0) return [];
  const others = new Set(turn.otherNames.flatMap(nameWords).filter((word) => !me.has(word)));
  const greeted = spokenTo(ownSentences(message)[0]?.text ?? "");
  return found
    .filter(({ text }) => {
      const named = [...spokenTo(text), ...askedByName(text)];
      const to = named.some((word) => me.has(word) || others.has(word)) ? named : greeted;
      if (to.some((word) => me.has(word))) return true;
      if (to.some((word) => others.has(word))) return false;
      return turn.addressed === "to";
    })
    .map((finding) => ({ ...finding, message_id: turn.id, at: turn.at }));
}

const namesOneOf = (text: string, names: ReadonlySet<string>): boolean => {
  const words = new Set(nameWords(text));
  return [...names].some((name) => words.has(name));
};

/** A promise, who made it, and whether a later message of the same writer seems to keep it. */
export interface Commitment extends TurnFinding {
  by: "me" | "them";
  kept: boolean;
}

const DELIVERED =
  /\b(?:attached|enclosed|here (?:is|are|you go|it is)|as promised|done|sent|just (?:sent|paid|called|finished)|angehängt|anbei|erledigt|ci-joint|adjunto|hecho|in allegato|fatto|bijgevoegd|em anexo)\b/iu;

/** Returns the promises of the user, and the promises to the user. */
export function commitmentsOf(turns: readonly Turn[], offset: OffsetAt): Commitment[] {
  return turns.flatMap((turn, i) => {
    if (!turn.outgoing && turn.addressed === "none") return [];
    return findingsOf(analyzed(turn, offset, turns), ["promise"]).map(
      (finding): Commitment => ({
        ...finding,
        message_id: turn.id,
        at: turn.at,
        by: turn.outgoing ? "me" : "them",
        kept: turns
          .slice(i + 1)
          .some((later) => later.outgoing === turn.outgoing && DELIVERED.test(later.text().new_text)),
      }),
    );
  });
}
