/**
 * Decides the tab that a message belongs to, once, at arrival, from its headers. docs/categories.md explains every rule
 * to the reader of the mail, in the same order as here. There is no model and no learning: the same message always gets
 * the same decision.
 */
import {
  CAMPAIGN_HEADER,
  MACHINE_SENDERS,
  MARKETING_SENDERS,
  MARKETING_SUBDOMAINS,
  NO_REPLY,
  SOCIAL_HOSTS,
} from "./hosts.ts";
import { PROMOTION_WORDS, TRANSACTION_WORDS } from "./vocabulary.ts";

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

const values = (input: CategoryInput, name: string) => input.headers.get(name) ?? [];
const first = (input: CategoryInput, name: string) => (values(input, name)[0] ?? "").trim().toLowerCase();

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
  return { "promo-words": PROMOTION_WORDS.test(subject), "transaction-words": TRANSACTION_WORDS.test(subject) };
}

/** The signals that a reason can name, in this order. */
const SIGNALS = [
  ...(["list-unsubscribe", "precedence", "campaign", "marketing-sender", "promo-words", "auto-submitted"] as const),
  ...(["feedback-id", "machine-sender", "null-sender", "transaction-words"] as const),
];
type Signal = (typeof SIGNALS)[number];

function because(rule: string, is: Record<Signal, boolean>, ...unnamed: Signal[]): string {
  const signals = SIGNALS.filter((signal) => is[signal] && !unnamed.includes(signal));
  return signals.length > 0 ? `${rule}:${signals.join("+")}` : rule;
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
  if (!mass && written) return { category: "primary", reason: "person" };

  const is = { ...seen, ...readSubject(input) };
  const informs = is["transaction-words"] && !is["promo-words"] && !is["marketing-sender"];
  const newsletter = is["marketing-sender"] || (is["list-unsubscribe"] && (is.campaign || written));
  if (mass && (is["promo-words"] || (newsletter && !informs))) {
    const unnamed = ["auto-submitted", "feedback-id", "machine-sender", "null-sender", "transaction-words"] as const;
    return { category: "promotions", reason: because("bulk", is, ...unnamed) };
  }
  // Automated mail with promotional words counts as advertising even without a way to unsubscribe.
  if (!mass && is["promo-words"] && !is["transaction-words"] && !is["auto-submitted"]) {
    return { category: "promotions", reason: because("bulk", is) };
  }
  return { category: "updates", reason: because("automated", is, "promo-words") };
}
