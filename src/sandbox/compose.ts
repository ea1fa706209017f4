import MailComposer from "nodemailer/lib/mail-composer";
import { type MadeAttachment, makeAttachment } from "./attachments.ts";
import { documentHtml, typedHtml, withSignature } from "./body.ts";
import { icalendar } from "./invite.ts";
import { personOf } from "./people.ts";
import type { Lang, MailClient, Person, PersonKey } from "./person.ts";
import { type Parts, type Quotable, quoteForward, quoteReply } from "./quote.ts";
import { fill } from "./template.ts";
import { arrivalHeaders, programHeaders, token } from "./transport.ts";
import type { SandboxMessage, SandboxRawMessage, SandboxThread } from "./types.ts";
import { resolveWhen } from "./when.ts";

const OWNER: PersonKey = "alex";

/** A message whose relative parts (time, recipients, subject, identifiers) are resolved. */
interface Settled extends Quotable {
  source: SandboxMessage;
  messageId: string;
  references: string[];
  fromKey: PersonKey;
  toKeys: PersonKey[];
  ccKeys: PersonKey[];
  attachments: MadeAttachment[];
}

function recipients(message: SandboxMessage, parent: Settled | undefined): { to: PersonKey[]; cc: PersonKey[] } {
  if (message.to) return { to: message.to, cc: message.cc ?? [] };
  if (!parent) return { to: [OWNER], cc: message.cc ?? [] };
  const own = parent.fromKey === message.from;
  const to = own ? parent.toKeys : [parent.fromKey];
  const others = own ? parent.ccKeys : [...parent.toKeys, ...parent.ccKeys];
  const kept = others.filter((key) => key !== message.from && !to.includes(key));
  return { to, cc: [...new Set([...kept, ...(message.cc ?? [])])] };
}

/** Adds the reply or forward prefix of the sender's program, if there is none. */
function replySubject(subject: string, sender: Person, forward: boolean): string {
  if (forward) return `Fwd: ${subject}`;
  if (/^(re|aw|fw|fwd)\s*:/i.test(subject)) return subject;
  if (sender.client === "outlook") return sender.lang === "de-DE" ? `AW: ${subject}` : `RE: ${subject}`;
  return `Re: ${subject}`;
}

/**
 * Returns the date of a message. Moving two times off the same weekend can swap their order; a reply is then dated some
 * minutes after the message that it answers.
 */
function dateOf(message: SandboxMessage, parent: Settled | undefined, now: Date): Date {
  const own = Math.floor(resolveWhen(message.at, now).getTime() / 60_000) * 60_000;
  const earliest = parent ? parent.date.getTime() + 7 * 60_000 : own;
  return new Date(Math.min(Math.max(own, earliest), Math.floor(now.getTime() / 1000) * 1000));
}

function settle(thread: SandboxThread, now: Date): Settled[] {
  const settled: Settled[] = [];
  for (const [index, message] of thread.messages.entries()) {
    const parentIndex = message.replyTo === undefined ? index - 1 : message.replyTo;
    const parent = parentIndex === null ? undefined : settled[parentIndex];
    const from = personOf(message.from);
    const lang = message.lang ?? thread.lang ?? from.lang ?? "en-GB";
    const date = dateOf(message, parent, now);
    const fill_ = (text: string) => fill(text, { now, date, lang });
    const { to, cc } = recipients(message, parent);
    const raw = message.subject ?? (parent ? parent.subject : thread.subject);
    const subject = message.subject || !parent ? fill_(raw) : replySubject(raw, from, message.quote === "forward");
    const id = token(thread.id, String(index), now.toISOString());
    const typed = fill_(message.body ?? "");
    const mine: Parts = {
      text: message.html ? typed : withSignature(typed, from.signature),
      innerHtml: message.html ? fill_(message.html) : typedHtml(typed, from.signature, from.client, lang),
    };
    const quoted =
      !parent || message.html || message.quote === "none"
        ? mine
        : message.quote === "forward"
          ? quoteForward(mine, parent, lang)
          : quoteReply(mine, parent, from.client, lang);
    const own = (message.attachments ?? []).map((a) => makeAttachment(a, fill_));
    settled.push({
      source: message,
      messageId: `<${id}@${from.email.split("@")[1]}>`,
      references: parent ? [...parent.references, parent.messageId] : [],
      fromKey: message.from,
      toKeys: to,
      ccKeys: cc,
      from,
      to: to.map(personOf),
      cc: cc.map(personOf),
      date,
      subject,
      text: quoted.text,
      innerHtml: quoted.innerHtml,
      attachments: message.quote === "forward" && parent ? [...parent.attachments, ...own] : own,
    });
  }
  return settled;
}

const crlf = (text: string) => text.replace(/\r?\n/g, "\r\n");

/**
 * Returns the transfer encoding that a program uses for text that is not ASCII in short lines; `undefined` lets the
 * composer choose.
 */
function textEncoding(text: string, client: MailClient, lang: Lang): string | undefined {
  if (client === "outlook" || lang === "ja-JP" || lang === "ar-JO") return "base64";
  if (client !== "plain") return "quoted-printable";
  return /[^\n -~]|[^\n]{77}/.test(text) ? "quoted-printable" : undefined;
}

const address = (person: Person) => ({ name: person.name, address: person.email });

async function rawMessage(thread: SandboxThread, m: Settled, parent: string | undefined, now: Date) {
  const lang = m.source.lang ?? thread.lang ?? m.from.lang ?? "en-GB";
  const fillHere = (text: string) => fill(text, { now, date: m.date, lang });
  const id = m.messageId.slice(1, 25);
  const arrived = m.fromKey === OWNER ? [] : arrivalHeaders(m.from, personOf(OWNER), m.date, id);
  const typed = m.source.html ? {} : programHeaders(m.from.client);
  const further = { ...typed, ...m.from.headers, ...m.source.headers };
  const html = m.source.html ? m.innerHtml : documentHtml(m.innerHtml, m.from.client, lang);
  const composer = new MailComposer({
    headers: [...arrived, ...Object.entries(further)].map(([key, value]) => ({ key, value: fillHere(value) })),
    from: address(m.from),
    to: m.to.map(address),
    cc: m.cc.map(address),
    subject: m.subject,
    date: m.date,
    messageId: m.messageId,
    inReplyTo: parent,
    references: m.references.length > 0 ? m.references.join(" ") : undefined,
    text: m.text === "" ? undefined : crlf(m.text),
    html: m.source.html || m.from.client !== "plain" ? crlf(html) : undefined,
    encoding: textEncoding(m.text, m.from.client, lang),
    attachments: m.attachments,
    icalEvent: m.source.invite && {
      method: m.source.invite.method,
      filename: "invite.ics",
      content: icalendar(m.source.invite, m.date, now),
    },
    boundaryPrefix: "=_sandbox",
    baseBoundary: id,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return new Uint8Array(await composer.compile().build());
}

/** Composes the messages of one thread, in the order of its source. `now` is the seeding time. */
export async function composeThread(thread: SandboxThread, now: Date): Promise<SandboxRawMessage[]> {
  const settled = settle(thread, now);
  const answered = new Set<string>();
  for (const m of settled) {
    const parent = m.references.at(-1);
    if (parent && m.fromKey === OWNER && m.source.quote !== "forward") answered.add(parent);
  }
  return Promise.all(
    settled.map(async (m) => ({
      raw: await rawMessage(thread, m, m.references.at(-1), now),
      folder: m.source.folder ?? (m.fromKey === OWNER ? "sent" : (thread.folder ?? "inbox")),
      internalDate: m.date,
      flags: {
        seen: !m.source.unread,
        flagged: m.source.starred ?? false,
        answered: answered.has(m.messageId) && m.fromKey !== OWNER,
      },
      labels: [...new Set([...(thread.labels ?? []), ...(m.source.labels ?? [])])],
    })),
  );
}
