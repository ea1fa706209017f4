/**
 * Decides the tab that a message belongs to, once, at arrival, from its headers. docs/categories.md explains every rule
 * to the reader of the mail, in the same order as here. There is no model and no learning: the same message always gets
 * the same decision.
 */
import { type BodySignals, type CategoryBody, enclosesMail, NO_BODY, readBody } from "./body.ts";
import {
  CAMPAIGN_HEADER,
  FREE_MAIL,
  MACHINE_SENDERS,
  MARKETING_SENDERS,
  MARKETING_SUBDOMAINS,
  NEWSLETTER_HOSTS,
  NO_REPLY,
  RELAY_HEADER,
  RELAY_HOSTS,
  ROLE_SENDERS,
  SOCIAL_HOSTS,
} from "./hosts.ts";
import { phrases } from "./phrases.ts";
import { promotionWords, socialWords, transactionWords } from "./vocabulary.ts";

export type Category = "primary" | "social" | "promotions" | "updates";

export interface CategoryInput {
  from: { name: string; email: string };
  /** Decoded. */
  subject: string;
  /** Names in lower case; values unfolded and decoded, in order of appearance. */
  headers: ReadonlyMap<string, string[]>;
  /** The user has written to this sender before. */
  knownCorrespondent: boolean;
  /** One of the account's addresses is in To or Cc, not only a list's address. */
  toMe: boolean;
  /** The message has an In-Reply-To or References header. */
  isReply?: boolean;
  messageId?: string | null;
  /** Absent: only the headers decide. */
  body?: CategoryBody;
}

export interface CategoryDecision {
  category: Category;
  /**
   * Which rule decided, and after ":" by which signals, joined by "+" in a fixed order: "list-id",
   * "bulk:list-unsubscribe+promo-words". The names are those of docs/categories.md and stay stable.
   */
  reason: string;
}

/** Only the beginning of a subject is examined, so that the cost does not depend on its length. */
const MAX_SUBJECT = 300;

const MAX_HEADER = 1_000;

const values = (input: CategoryInput, name: string) => input.headers.get(name) ?? [];
/** The beginning of the first header of a name. No mail program writes longer ones of those that are read here. */
const first = (input: CategoryInput, name: string) =>
  (values(input, name)[0] ?? "").slice(0, MAX_HEADER).trim().toLowerCase();

function localPart(input: CategoryInput): string {
  const email = input.from.email.trim().toLowerCase();
  return email.slice(0, Math.max(0, email.lastIndexOf("@")));
}

const senderWords = (local: string) => local.split(/[^\p{L}]+/u).filter(Boolean);

/** Returns the labels of the sender's domain, outermost last. Of an extremely long domain, only the last few. */
function domainLabels(input: Pick<CategoryInput, "from">): string[] {
  return (input.from.email.split("@").at(-1) ?? "").slice(-253).trim().toLowerCase().split(".").slice(-6);
}

/**
 * Returns the social network that a sender's domain belongs to, or null: "facebookmail.com" for
 * security@mail.facebookmail.com.
 */
function socialHost(input: Pick<CategoryInput, "from">): string | null {
  const labels = domainLabels(input);
  for (let i = 0; i + 1 < labels.length; i++) {
    const host = labels.slice(i).join(".");
    if (SOCIAL_HOSTS.has(host)) return host;
  }
  return null;
}

/** Returns whether the message reports that mail the user sent was not delivered or was delayed (RFC 3464). */
function isDeliveryReport(input: CategoryInput): boolean {
  const type = first(input, "content-type");
  if (type.startsWith("multipart/report") && /report-type="?delivery-status/.test(type)) return true;
  return localPart(input) === "mailer-daemon" || values(input, "x-failed-recipients").length > 0;
}

/**
 * Returns whether the message is an invitation, its update or an answer to one. Calendars send these in a person's
 * name.
 */
function isCalendarMail(input: CategoryInput): boolean {
  if (first(input, "content-type").startsWith("text/calendar")) return true;
  // Exchange's class for meeting requests, and the sender that Google Calendar uses for invitations.
  if (/calendar|meeting/.test(first(input, "content-class"))) return true;
  return first(input, "sender").includes("calendar-notification@google.com");
}

/**
 * Returns whether people write to this list: it says how to post (RFC 2369 §3.4), or its software serves only such
 * lists.
 */
function isDiscussionList(input: CategoryInput): boolean {
  if (values(input, "list-post").some((value) => /<\s*mailto:/i.test(value))) return true;
  if (
    ["x-mailman-version", "mailing-list", "x-mailing-list", "x-google-group-id"].some((name) => input.headers.has(name))
  )
    return true;
  return (
    input.headers.has("list-id") && first(input, "precedence") === "list" && !input.headers.has("list-unsubscribe-post")
  );
}

function readHeaders(input: CategoryInput) {
  const local = localPart(input).slice(0, 64);
  const submitted = first(input, "auto-submitted");
  const precedence = first(input, "precedence");
  return {
    "list-unsubscribe": input.headers.has("list-unsubscribe") || input.headers.has("list-unsubscribe-post"),
    precedence: ["bulk", "junk", "list"].includes(precedence),
    campaign: [...input.headers.keys()].some((name) => CAMPAIGN_HEADER.test(name)),
    "marketing-sender":
      MARKETING_SENDERS.has(senderWords(local)[0] ?? "") ||
      domainLabels(input)
        .slice(0, -2)
        .some((label) => MARKETING_SUBDOMAINS.has(label)),
    "auto-submitted":
      (submitted !== "" && submitted !== "no") || precedence === "auto_reply" || input.headers.has("x-autoreply"),
    "feedback-id": input.headers.has("feedback-id"),
    "machine-sender": NO_REPLY.test(local) || senderWords(local).some((word) => MACHINE_SENDERS.has(word)),
    "null-sender": first(input, "return-path") === "<>",
  };
}

function readSubject(input: CategoryInput) {
  const subject = input.subject.slice(0, MAX_SUBJECT).normalize("NFKC");
  return { "promo-words": promotionWords().test(subject), "transaction-words": transactionWords().test(subject) };
}

/** The signals that a reason can name, in this order. */
const SIGNALS = [
  ...(["list-unsubscribe", "precedence", "campaign", "marketing-sender", "promo-words", "auto-submitted"] as const),
  ...(["feedback-id", "machine-sender", "null-sender", "transaction-words"] as const),
  ...(["unsubscribe-text", "mailing-service", "reader-note", "newsletter-words", "layout", "role-sender"] as const),
  ...(["not-to-me", "automatic-text", "transaction-text"] as const),
];
type Signal = (typeof SIGNALS)[number];
type Signals = Record<Signal, boolean>;

function because(rule: string, is: Partial<Signals>, ...unnamed: Signal[]): string {
  const signals = SIGNALS.filter((signal) => is[signal] && !unnamed.includes(signal));
  return signals.length > 0 ? `${rule}:${signals.join("+")}` : rule;
}

/** Signals of the text that support others. Reasons of mail that its headers decide do not name them. */
const WEAK = ["reader-note", "layout", "role-sender", "not-to-me"] as const;

const ANSWER_SUBJECT =
  /^\s*(?:\[[^\]]{0,60}\]\s*)?(?:re|aw|antw|sv|vs|odp|ha|ynt|res|rif|r|回复|回覆|答复|返信|답장)\s?(?:\[\d+\])?\s?[:：]/iu;
const FORWARD_SUBJECT = /^\s*(?:fwd?|wg|tr|rv|enc|i|doorst|vl|pd|ilt|转发|轉寄|転送|전달)\s?[:：]/iu;

/** Returns whether a message continues a conversation, as posts to lists of unknown software do. */
const isAnswer = (input: CategoryInput): boolean =>
  input.isReply === true || ANSWER_SUBJECT.test(input.subject.slice(0, 100));

/** Returns whether a person answers or forwards something, so that the words in the text may be someone else's. */
function isConversation(input: CategoryInput, body: CategoryBody): boolean {
  return (
    ANSWER_SUBJECT.test(input.subject.slice(0, 100)) ||
    FORWARD_SUBJECT.test(input.subject.slice(0, 100)) ||
    enclosesMail(body)
  );
}

/** Reads the text. Of mail that a person may have written it does so only if no words of other people are in it. */
function bodyOf(input: CategoryInput, automated: boolean): BodySignals {
  if (!input.body) return NO_BODY;
  const domain = input.from.email.slice(input.from.email.lastIndexOf("@") + 1).toLowerCase();
  if (!automated && (FREE_MAIL.has(domain) || isConversation(input, input.body))) return NO_BODY;
  return readBody(input.body);
}

const NAMES = new Set(["newsletter"] as const);

function readText(input: CategoryInput, body: BodySignals) {
  const words = `${input.from.name.slice(0, 100)} ${input.subject.slice(0, MAX_SUBJECT)}`.toLowerCase();
  const named = phrases().find(words, NAMES).size > 0;
  const hosts = [input.messageId ?? "", first(input, "return-path"), first(input, "sender"), ...body.hosts];
  return {
    "unsubscribe-text": body.unsubscribe,
    "mailing-service": hosts.some((host) => isHostOf(NEWSLETTER_HOSTS, host)),
    "reader-note": body.note,
    "newsletter-words": named || (body.newsletter && body.unsubscribe && !body.transaction),
    layout: body.layout,
    "role-sender": isSharedAddress(input),
    "not-to-me": !input.toMe,
    "automatic-text": body.automatic,
    "transaction-text": body.transaction,
  };
}

const folded = (text: string): string =>
  text
    .toLowerCase()
    .normalize("NFD")
    .replace(/\p{M}+/gu, "");

/** Returns whether an address looks like one of an office or a program: it is named for its task, not for its person. */
function isSharedAddress(input: CategoryInput): boolean {
  const local = folded(localPart(input).slice(0, 64));
  const words = senderWords(local);
  if (ROLE_SENDERS.has(words[0] ?? "")) return true;
  const names = folded(input.from.name.slice(0, 80)).match(/[a-z]{2,}/g) ?? [];
  if (names.length === 0 || words.length === 0) return false;
  if (local === domainLabels(input).at(-2)) return true;
  const bare = words.join("");
  return !names.some(
    (name) =>
      words.some((word) => name.startsWith(word) || word.startsWith(name)) || (name.length > 3 && bare.includes(name)),
  );
}

const LONGEST_HOST = 254;

/** Returns whether a host, which may follow an "@", belongs to one of the domains. */
function isHostOf(domains: ReadonlySet<string>, address: string): boolean {
  const host = address.slice(-LONGEST_HOST).toLowerCase();
  const labels = host
    .slice(host.lastIndexOf("@") + 1)
    .replace(/[>\s]+$/, "")
    .replace(/\d+/g, "#")
    .split(".");
  return domains.has(labels.slice(-2).join(".")) || domains.has(labels.slice(-3).join("."));
}

/** Returns whether a message is about something that the reader ordered, owns or must act on. */
function isAboutYours(is: Signals, body: BodySignals): boolean {
  if (is["transaction-text"]) return is["transaction-words"] || !is["promo-words"];
  // A long text without numbers, with pictures and links, is none, although its subject has such words.
  const isEssay = body.unsubscribe && body.layout && !body.figures && body.length >= SHORT_CHARS;
  return is["transaction-words"] && !is["promo-words"] && !is["marketing-sender"] && !isEssay;
}

/** Returns whether the text begins with advertising words. */
const advertises = (input: CategoryInput): boolean => promotionWords().test(input.body?.newText.slice(0, 500) ?? "");

const isSocialNotice = (input: CategoryInput): boolean => socialWords().test(input.subject.slice(0, MAX_SUBJECT));

/** A shorter text from an office, without a layout, may be a few lines by a person about a newsletter. */
const SHORT_CHARS = 600;

/** How much each signal of a text counts. One alone never decides: people write about newsletters, too. */
const WEIGHTS: Partial<Record<Signal, number>> = {
  "unsubscribe-text": 2,
  "mailing-service": 2,
  "reader-note": 1,
  "newsletter-words": 1,
  layout: 1,
  "role-sender": 1,
  "not-to-me": 1,
};
const ENOUGH = 4;

/** Decides the category of mail whose headers look as if a person wrote it. */
function fromText(input: CategoryInput, is: Signals, body: BodySignals): CategoryDecision {
  const person = { category: "primary", reason: "person" } as const;
  if (body === NO_BODY) return person;
  if (is["role-sender"] && !isAboutYours(is, body) && isSocialNotice(input)) {
    return { category: "social", reason: "social-words" };
  }
  let points = 0;
  for (const [signal, weight] of Object.entries(WEIGHTS)) if (is[signal as Signal]) points += weight;
  const relayed =
    [...input.headers.keys()].some((name) => RELAY_HEADER.test(name)) ||
    [input.messageId ?? "", first(input, "return-path")].some((host) => isHostOf(RELAY_HOSTS, host));
  if (relayed) points++;
  if (!is.layout && !is["mailing-service"] && body.length < SHORT_CHARS) points--;
  const toMany = is["unsubscribe-text"] || is["mailing-service"] || (is["newsletter-words"] && is["reader-note"]);
  const about = is["transaction-text"] || is["transaction-words"];
  if (toMany && points >= ENOUGH && !input.isReply && !isAboutYours(is, body)) {
    return { category: "promotions", reason: because("bulk", is, "transaction-words", "transaction-text") };
  }
  const programs = [
    is.layout || body.table,
    is["role-sender"],
    is["mailing-service"] || relayed,
    is["reader-note"],
    is["unsubscribe-text"],
  ].filter(Boolean).length;
  // An office whose people ask something writes itself, although its subject is a booking.
  const both = is["transaction-text"] && is["transaction-words"] && !body.asks;
  const automatic = is["automatic-text"] && programs > 0;
  if (automatic || (about && programs > 0 && programs + Number(both) >= 2)) {
    return { category: "updates", reason: because("automated", is, "promo-words") };
  }
  return person;
}

const SOCIAL = "social-host";

/** Returns the part of a reason that the database stores in clear: the host of a social network is left out. */
export function storedReason(reason: string): string {
  return reason.startsWith(`${SOCIAL}:`) ? SOCIAL : reason;
}

/** Restores the reason that was passed to `storedReason`. */
export function fullReason(stored: string, from: CategoryInput["from"]): string {
  const host = stored === SOCIAL ? socialHost({ from }) : null;
  return host === null ? stored : `${SOCIAL}:${host}`;
}

/** Decides the category of a message. Pure, never throws. */
export function categorize(input: CategoryInput): CategoryDecision {
  if (input.knownCorrespondent) return { category: "primary", reason: "known-correspondent" };
  if (isDeliveryReport(input)) return { category: "primary", reason: "delivery-report" };

  const host = socialHost(input);
  if (host !== null) {
    const words = readSubject(input);
    // A receipt or a security code from a social network belongs to updates.
    if (words["transaction-words"] && !words["promo-words"]) {
      return { category: "updates", reason: "automated:transaction-words" };
    }
    return { category: "social", reason: `${SOCIAL}:${host}` };
  }

  const seen = readHeaders(input);
  const machine = seen["machine-sender"] || seen["auto-submitted"] || seen["null-sender"];
  if (isCalendarMail(input) && !seen["machine-sender"]) return { category: "primary", reason: "calendar" };
  if (isDiscussionList(input) && !seen.campaign && !seen["marketing-sender"]) {
    return input.toMe && !machine
      ? { category: "primary", reason: "list-id+to-me" }
      : { category: "updates", reason: "list-id" };
  }

  // Advertisers must offer a way to unsubscribe, so an advertisement has at least one of these signals. A receipt may
  // have them, too.
  const mass = seen["list-unsubscribe"] || seen.precedence || seen.campaign || seen["marketing-sender"];
  const written = !machine && !seen["feedback-id"];
  const body = bodyOf(input, mass || machine);
  const is: Signals = { ...seen, ...readSubject(input), ...readText(input, body) };
  if (!mass && written) return fromText(input, is, body);
  const informs = !is["newsletter-words"] && isAboutYours(is, body);
  if ((machine || is["role-sender"]) && !informs && isSocialNotice(input))
    return { category: "social", reason: "social-words" };
  const newsletter =
    is["marketing-sender"] ||
    (is["list-unsubscribe"] && (is.campaign || (written && !isAnswer(input)))) ||
    (is["unsubscribe-text"] && (is["newsletter-words"] || is["mailing-service"] || (is.layout && advertises(input))));
  if ((mass || is["unsubscribe-text"]) && !informs && (is["promo-words"] || newsletter)) {
    const unnamed = ["auto-submitted", "feedback-id", "machine-sender", "null-sender", "transaction-words"] as const;
    return { category: "promotions", reason: because("bulk", is, ...unnamed, ...WEAK) };
  }
  // Automated mail with promotional words counts as advertising even without a way to unsubscribe.
  if (!mass && !informs && is["promo-words"] && !is["transaction-words"] && !is["auto-submitted"]) {
    return { category: "promotions", reason: because("bulk", is, ...WEAK) };
  }
  return { category: "updates", reason: because("automated", is, "promo-words", ...WEAK) };
}
