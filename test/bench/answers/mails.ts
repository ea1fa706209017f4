import { readFileSync } from "node:fs";
import { join } from "node:path";
import { calendarPart, htmlPart, message, type Part, textPart } from "./mime.ts";

interface Person {
  key: string;
  name: string;
  email: string;
  /** Lines below every text of theirs. */
  signature: string[];
}

/** A mail of the set. */
export interface Mail {
  name: string;
  from: Person;
  to: Person[];
  cc: Person[];
  /** Time of receipt, ms. */
  at: number;
  subject: string;
  text: string;
  raw: Uint8Array;
  /** Whether the owner of the mailbox wrote it. */
  outgoing: boolean;
}

/** The mailboxes of the set, by the name of their file. The person that a file declares first is the owner. */
export const MAILBOXES = [
  "hale",
  "keller",
  "moreau",
  "ferreira",
  "berg",
  "osei",
  "lindner",
  "novak",
  "brennan",
  "roth",
  "vale",
  "okoro",
] as const;

export function mailsOf(mailbox: string): Mail[] {
  return readMails(mailbox, readFileSync(join(import.meta.dir, `mail/${mailbox}.txt`), "utf8"));
}

interface Draft {
  name: string;
  fields: Map<string, string>;
  body: string;
}

/**
 * Reads the mails of a file. A `person` line declares someone and their signature. A mail begins with `=== NAME`, has
 * fields (`from`, `at`, `subject`; optional `to`, `cc`, `re`, `quote`, `layout`, `ics`), an empty line, and its text.
 * @throws Error for an unknown name
 */
export function readMails(mailbox: string, source: string): Mail[] {
  const [head = "", ...blocks] = source.split(/^=== /m);
  const people = new Map<string, Person>();
  for (const [, key, name, email, signature = ""] of head.matchAll(/^person (\w+): (.+?) <(.+?)>(?: \| (.+))?$/gm)) {
    people.set(key!, { key: key!, name: name!, email: email!, signature: signature.split(" | ").filter(Boolean) });
  }
  const [owner] = people.keys();
  const personOf = (key: string): Person => {
    const person = people.get(key);
    if (!person) throw new Error(`${mailbox}: there is no person ${key}`);
    return person;
  };
  const mails = new Map<string, Mail>();
  for (const block of blocks) {
    const draft = draftOf(block);
    const field = (name: string) => draft.fields.get(name) ?? null;
    const from = personOf(field("from") ?? "");
    const parent = field("re") === null ? null : mails.get(field("re")!);
    if (parent === undefined || mails.has(draft.name)) throw new Error(`${mailbox}: wrong name at ${draft.name}`);
    const listed = (name: string) => (field(name) ?? "").split(/,\s*/).filter(Boolean).map(personOf);
    const subject = field("subject") ?? `Re: ${parent!.subject.replace(/^Re: /, "")}`;
    const at = Date.parse(`${field("at")!.replace(" ", "T")}:00Z`);
    const layout = field("layout");
    const own = [draft.body, ...(layout ? [] : [from.signature.join("\n")])].filter(Boolean).join("\n\n");
    const text = field("quote") && parent ? `${own}\n\n${quoted(parent)}` : own;
    const mail = {
      name: draft.name,
      from,
      to: field("to") === null ? [personOf(owner!)] : listed("to"),
      cc: listed("cc"),
      at,
      subject,
      text: draft.body,
      outgoing: from.key === owner,
    };
    const id = (name: string) => `<${name}@${mailbox}.example>`;
    const thread = parent ? { inReplyTo: id(parent.name) } : {};
    const parts: Part[] = layout === "receipt" ? [htmlPart(draft.body)] : [textPart(text)];
    if (layout === "newsletter") parts.push(htmlPart(draft.body));
    const event = field("ics");
    if (event) parts.push(calendarPart(draft.name, event, from.email));
    const bulk: Record<string, string> =
      layout === "newsletter" ? { "List-Unsubscribe": `<https://${from.email.split("@")[1]}/leave>` } : {};
    mails.set(draft.name, { ...mail, raw: message({ ...mail, id: id(draft.name), ...thread, headers: bulk, parts }) });
  }
  return [...mails.values()];
}

function draftOf(block: string): Draft {
  const gap = block.indexOf("\n\n");
  const [name = "", ...lines] = block.slice(0, gap).split("\n");
  const fields = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()] as const),
  );
  return { name, fields, body: block.slice(gap + 2).trim() };
}

/** Returns the parent as mail programs quote it. */
function quoted({ from, at, text }: Mail): string {
  const day = new Date(at).toISOString().slice(0, 10).split("-").reverse().join("/");
  return `On ${day}, ${from.name} <${from.email}> wrote:\n${text.replace(/^/gm, "> ")}`;
}
