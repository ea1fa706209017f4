import { type Analyzed, type Finding, findingsOf, ownSentences } from "./findings.ts";

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

/** Prepares a turn for the analysis of one message. */
export function analyzed(turn: Turn, offset: OffsetAt): Analyzed {
  const { at } = turn;
  const { body_text, new_text } = turn.text();
  return {
    at,
    // Computed on first use: it is expensive, and needed only for a sentence that names a day.
    get offsetMin() {
      return offset(at);
    },
    body_text,
    new_text,
    language: () => turn.language(),
  };
}

/**
 * Returns what others asked of the user and no one has answered: the questions and requests in messages after the
 * user's last one. From a message to several people, leaves out what addresses someone else by name; from a copy (Cc),
 * keeps only what names the user.
 */
export function openAsks(turns: readonly Turn[], offset: OffsetAt): TurnFinding[] {
  const answered = turns.findLastIndex((turn) => turn.outgoing);
  return turns.slice(answered + 1).flatMap((turn) => asksOf(turn, offset));
}

function asksOf(turn: Turn, offset: OffsetAt): TurnFinding[] {
  if (turn.addressed === "none") return [];
  const message = analyzed(turn, offset);
  const found = findingsOf(message, ["question", "request"]);
  if (found.length === 0) return [];
  const me = new Set(turn.myNames.flatMap(nameWords));
  const others = new Set(turn.otherNames.flatMap(nameWords).filter((word) => !me.has(word)));
  const greeted = spokenTo(ownSentences(message)[0]?.text ?? "");
  return found
    .filter(({ text }) => {
      const named = spokenTo(text);
      const to = named.length > 0 ? named : greeted;
      if (to.some((word) => me.has(word))) return true;
      if (to.some((word) => others.has(word))) return false;
      return turn.addressed === "to";
    })
    .map((finding) => ({ ...finding, message_id: turn.id, at: turn.at }));
}

/** Returns the names at the beginning of a sentence: "Bob, could you …", "Hi Bob and Zoe,". */
function spokenTo(sentence: string): string[] {
  const match =
    /^(?:(?:hi|hey|hello|dear|hallo|liebe[r]?|bonjour|hola|ciao|beste|good morning|thanks|@)[ ,]*)?@?(\p{Lu}[\p{L}'’-]+(?:(?:,? (?:and|und|et|y|e|en|&) |, |\/)\p{Lu}[\p{L}'’-]+)*)\s*(?:[,:–—-](?:\s|$)|$)/u.exec(
      sentence,
    );
  return match ? match[1]!.split(/[^\p{L}'’-]+/u).flatMap(nameWords) : [];
}

/** Returns the words of a name or of the local part of an address, in lower case. */
function nameWords(name: string): string[] {
  const bare = name.includes("@") ? name.slice(0, name.indexOf("@")) : name;
  return bare
    .toLowerCase()
    .split(/[^\p{L}'’-]+/u)
    .filter((word) => word.length > 1);
}

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
    return findingsOf(analyzed(turn, offset), ["promise"]).map(
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
