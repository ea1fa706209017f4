/**
 * Decides which messages belong to one thread. Everything here is a relation between single messages or pairs of
 * messages, and a thread is a connected component of that relation. So the order in which messages arrive cannot
 * matter, and threads can only grow together.
 *
 * 1. Two messages that share a key of `referenceKeys` are linked: a Message-ID that one has and the other refers to, or
 * that both refer to (RFC 5256 §3, REFERENCES, without its merge by subject), or the server's own thread id.
 * 2. Two messages for which `subjectLink` holds are linked: replies from programs that left out the references.
 */
import { baseSubject } from "./base-subject.ts";

/** The headers that show the position of a message in a thread, as header values; `references` are oldest first. */
export interface ReferenceFields {
  messageId: string | null;
  inReplyTo: string[];
  references: string[];
  /** X-GM-THRID or THREADID (RFC 8474) of this account's server; null where the server has none. */
  serverThreadId: string | null;
}

/** The fields of a message that threading uses. */
export interface LinkMessage extends ReferenceFields {
  subject: string;
  /** Email addresses of From, Sender, Reply-To, To, Cc and Bcc, in any case. */
  participants: string[];
  /** The Date header, or the server's arrival time where there is none, in ms since the epoch. */
  date: number;
}

/** Only the first reference and this many of the last ones are used: a thread's root and its recent past. */
const MAX_RECENT_REFERENCES = 100;
const MAX_PARENTS = 10;
const MAX_ID_LENGTH = 1000;
const LINK_WINDOW_MS = 30 * 24 * 60 * 60 * 1000;

/** Left parts that broken programs give to every message; such an id identifies nothing. */
const CONSTANT_IDS = new Set(["", "null", "(null)", "nil", "none", "undefined", "unknown", "message-id", "messageid"]);

/** The form of nearly all ids, which needs no normalization. */
const USUAL_ID = /^<([\w.$+=/-]+)@([\w.-]+)>$/;

/**
 * Returns the comparable form of a message id, or null when the text cannot be one. Angle brackets may be missing.
 * White space inside results from folding and is removed. Quotes around the left part mean nothing (RFC 5256 §3). The
 * domain is compared without regard to case.
 */
function normalizeId(text: string): string | null {
  if (text.length > MAX_ID_LENGTH) return null;
  const usual = USUAL_ID.exec(text);
  if (usual) return CONSTANT_IDS.has(usual[1]!.toLowerCase()) ? null : `<${usual[1]}@${usual[2]!.toLowerCase()}>`;
  const open = text.indexOf("<");
  const close = text.indexOf(">", open + 1);
  if (open >= 0 && close < 0) return null;
  const id = (open >= 0 ? text.slice(open + 1, close) : text.trim()).replace(open >= 0 ? /\s+/g : /^\s+|\s+$/g, "");
  if (/[\s<>\p{Cc}]/u.test(id)) return null;
  const at = id.lastIndexOf("@");
  // Some programs create ids without a domain. Such an id is accepted only if it is long enough to be unique.
  if (at < 0) return id.length >= 16 && /\d/.test(id) ? `<${id}>` : null;
  const left = id
    .slice(0, at)
    .replace(/^"(.*)"$/, "$1")
    .replace(/\\(.)/g, "$1");
  if (CONSTANT_IDS.has(left.toLowerCase())) return null;
  return `<${left}@${id.slice(at + 1).toLowerCase()}>`;
}

function normalizeIds(texts: string[]): string[] {
  return texts.map(normalizeId).filter((id) => id !== null);
}

/**
 * Returns the messages that a message names as its ancestors. Older programs wrote prose into In-Reply-To (`Message
 * from Ann <ann@x.org> of Monday <1234.56@x.org>`), and replies copied all of it into References. So an id that is the
 * address of a participant is dropped, and among several ids in In-Reply-To, generated ids take precedence over those
 * that look like an address.
 */
function ancestors(message: ReferenceFields, participants: string[]): string[] {
  const people = new Set(participants.map((address) => `<${address.trim().toLowerCase()}>`));
  const isMessage = (id: string) => !people.has(id.toLowerCase());
  const { references } = message;
  const kept =
    references.length > MAX_RECENT_REFERENCES + 1
      ? [...references.slice(0, 1), ...references.slice(-MAX_RECENT_REFERENCES)]
      : references;
  const referred = normalizeIds(kept).filter(isMessage);
  const replied = normalizeIds(message.inReplyTo.slice(-MAX_PARENTS)).filter(isMessage);
  if (replied.length < 2) return [...referred, ...replied];
  // References are the better source, and prose in In-Reply-To would only add doubt.
  if (referred.length > 0) return referred;
  const made = replied.filter((id) => /\d/.test(id.slice(0, id.lastIndexOf("@"))) && id.lastIndexOf("@") > 8);
  return made.length > 0 ? made : replied;
}

/**
 * Returns the keys that put a message into a thread: "id:<left@domain>" for its own id and for every id it refers to,
 * "srv:…" for the server's thread. The keys are distinct, own id first, and at most 113 however long the headers are.
 * Empty for a message without any id. `participants`, where given, keeps an address from being taken for an id.
 */
export function referenceKeys(message: ReferenceFields & { participants?: string[] }): string[] {
  const own = message.messageId === null ? null : normalizeId(message.messageId);
  const keys = new Set(own === null ? [] : [`id:${own}`]);
  for (const id of ancestors(message, message.participants ?? [])) keys.add(`id:${id}`);
  const server = message.serverThreadId?.trim();
  if (server) keys.add(`srv:${server}`);
  return [...keys];
}

/**
 * Base subjects that mean "no subject" in the languages of mail programs. Two messages cannot share a conversation by
 * them.
 */
const NO_SUBJECT = new Set([
  ...[
    "(no subject)",
    "no subject",
    "(none)",
    "none",
    "(kein betreff)",
    "kein betreff",
    "(ohne betreff)",
    "ohne betreff",
  ],
  ...["(sans objet)", "sans objet", "(pas d'objet)", "(aucun objet)", "(sin asunto)", "sin asunto", "(nessun oggetto)"],
  ...[
    "nessun oggetto",
    "(sem assunto)",
    "sem assunto",
    "(geen onderwerp)",
    "geen onderwerp",
    "(inget ämne)",
    "(ingen emne)",
  ],
  ...[
    "(intet emne)",
    "(ei aihetta)",
    "(brak tematu)",
    "brak tematu",
    "(bez předmětu)",
    "(nincs tárgy)",
    "(без темы)",
    "без темы",
  ],
  ...[
    "(без теми)",
    "(konu yok)",
    "(χωρίς θέμα)",
    "(无主题)",
    "无主题",
    "(無主旨)",
    "(件名なし)",
    "件名なし",
    "(제목 없음)",
    "제목 없음",
  ],
]);

const TWO_LETTERS = /[\p{L}\p{N}][^\p{L}\p{N}]*[\p{L}\p{N}]/u;
const THREE_LETTERS = /[\p{L}\p{N}][^\p{L}\p{N}]*[\p{L}\p{N}][^\p{L}\p{N}]*[\p{L}\p{N}]/u;
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/**
 * Returns the key under which messages that `subjectLink` might link can be found: "subj:" and the base subject. Null
 * when the subject identifies too little: a placeholder for no subject, or fewer than three letters or digits (two
 * ideographs suffice).
 */
export function subjectKey(subject: string): string | null {
  const { base } = baseSubject(subject);
  if (NO_SUBJECT.has(base)) return null;
  const enough = THREE_LETTERS.test(base) || (TWO_LETTERS.test(base) && DENSE.test(base));
  return enough ? `subj:${base}` : null;
}

/** Returns whether a message is a reply, judged by its subject, that names no message it replies to. */
export function isBareReply(message: LinkMessage): boolean {
  if (!baseSubject(message.subject).isReply) return false;
  const own = message.messageId === null ? null : normalizeId(message.messageId);
  return ancestors(message, message.participants).every((id) => id === own);
}

function shareParticipant(a: LinkMessage, b: LinkMessage, self: ReadonlySet<string>): boolean {
  const addresses = (message: LinkMessage) =>
    new Set(message.participants.map((p) => p.trim().toLowerCase()).filter(Boolean));
  const [left, right] = [addresses(a), addresses(b)];
  const shared = [...left].filter((address) => right.has(address));
  if (shared.some((address) => !self.has(address))) return true;
  // Notes to oneself have no other participant to share.
  const onlySelf = (set: Set<string>) => [...set].every((address) => self.has(address));
  return shared.length > 0 && onlySelf(left) && onlySelf(right);
}

/**
 * Returns whether two messages belong together by subject. Symmetric. All of this must hold:
 * - One of the messages is a reply without references.
 * - Both have the same base subject (`subjectKey`).
 * - They share a participant besides the account's own addresses (`self`, lower case).
 * - Their dates are at most 30 days apart.
 * - The reply is not older than the message it is linked with, unless that is a reply as well.
 * Mail that is merely alike ("Your invoice", every month) is never linked, because neither message is a reply.
 */
export function subjectLink(a: LinkMessage, b: LinkMessage, self: ReadonlySet<string>): boolean {
  const key = subjectKey(a.subject);
  if (key === null || key !== subjectKey(b.subject)) return false;
  // Fails for NaN dates as well.
  if (!(Math.abs(a.date - b.date) <= LINK_WINDOW_MS)) return false;
  const answers = (reply: LinkMessage, other: LinkMessage) =>
    isBareReply(reply) && (reply.date >= other.date || baseSubject(other.subject).isReply);
  return (answers(a, b) || answers(b, a)) && shareParticipant(a, b, self);
}

/** The threads found so far, kept by a message store; `T` is the store's thread id. */
export interface ThreadIndex<M extends LinkMessage, T> {
  /** Returns the thread that has a key of `referenceKeys`. */
  threadOfKey(key: string): T | undefined;
  /**
   * Returns stored messages with this `subjectKey` and a date from `from` to `to` (ms, inclusive), each with its
   * thread.
   */
  withSubject(key: string, from: number, to: number): Iterable<{ message: M; thread: T }>;
  create(): T;
  /** Merges `threads` into one of them and returns it; the store decides which one survives. */
  merge(threads: [T, T, ...T[]]): T;
  /** Stores the message and its keys under the thread. */
  add(message: M, thread: T, keys: string[], subjectKey: string | null): void;
}

/**
 * Puts one arriving message into its thread, merging the threads that it joins, and returns the thread. Called once for
 * every message in any order, it yields the same threads as `threadAll`.
 */
export function assignThread<M extends LinkMessage, T>(
  index: ThreadIndex<M, T>,
  message: M,
  self: ReadonlySet<string>,
): T {
  const keys = referenceKeys(message);
  const subject = subjectKey(message.subject);
  const joined = new Set<T>();
  for (const key of keys) {
    const thread = index.threadOfKey(key);
    if (thread !== undefined) joined.add(thread);
  }
  if (subject !== null) {
    for (const found of index.withSubject(subject, message.date - LINK_WINDOW_MS, message.date + LINK_WINDOW_MS)) {
      if (!joined.has(found.thread) && subjectLink(message, found.message, self)) joined.add(found.thread);
    }
  }
  const [first, second, ...rest] = [...joined];
  const thread =
    first === undefined ? index.create() : second === undefined ? first : index.merge([first, second, ...rest]);
  index.add(message, thread, keys, subject);
  return thread;
}

/**
 * Computes the threads of a whole set of messages by definition, without a store: every pair is compared. Deliberately
 * slow (quadratic among equal subjects) and simple, as a reference for the incremental computation. Returns the
 * positions of the messages, with threads and members ascending.
 */
export function threadAll(messages: LinkMessage[], self: ReadonlySet<string>): number[][] {
  const parent = messages.map((_, i) => i);
  const find = (i: number): number => {
    let root = i;
    while (parent[root] !== root) root = parent[root]!;
    while (parent[i] !== root) [parent[i], i] = [root, parent[i]!];
    return root;
  };
  const union = (a: number, b: number) => {
    parent[Math.max(find(a), find(b))] = Math.min(find(a), find(b));
  };
  const holders = new Map<string, number>();
  const alike = new Map<string, number[]>();
  messages.forEach((message, i) => {
    for (const key of referenceKeys(message)) union(i, holders.get(key) ?? holders.set(key, i).get(key)!);
    const subject = subjectKey(message.subject);
    if (subject !== null) alike.set(subject, [...(alike.get(subject) ?? []), i]);
  });
  for (const group of alike.values()) {
    for (const i of group)
      for (const j of group) if (i < j && subjectLink(messages[i]!, messages[j]!, self)) union(i, j);
  }
  return [...Map.groupBy(parent.keys(), find).values()];
}
