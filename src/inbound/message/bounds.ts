import type { IncomingContents } from "../../mailbox/store/incoming.ts";

/** No mail program writes longer subjects. The raw message has the full text. */
const LONGEST_SUBJECT_CHARS = 2_000;
const LONGEST_NAME_CHARS = 500;
/** Limit for each of To, Cc, Bcc and Reply-To. */
const MAX_RECIPIENTS = 1_000;
const MAX_ATTACHMENTS = 1_000;

/**
 * Limits the fields that lists show. A subject of a megabyte or a hundred thousand recipients must not slow down every
 * page that shows the message. `GET /messages/{id}/raw` still returns the original.
 */
export function bounded(contents: IncomingContents): IncomingContents {
  const lists = [contents.replyTo, contents.to, contents.cc, contents.bcc];
  const tooMany = lists.some((list) => list.length > MAX_RECIPIENTS) || contents.attachments.length > MAX_ATTACHMENTS;
  const people = <T extends { name: string }>(list: readonly T[]): T[] => list.slice(0, MAX_RECIPIENTS).map(person);
  return {
    ...contents,
    truncated: contents.truncated === true || tooMany || contents.subject.length > LONGEST_SUBJECT_CHARS,
    subject: cut(contents.subject, LONGEST_SUBJECT_CHARS),
    from: person(contents.from),
    replyTo: people(contents.replyTo),
    to: people(contents.to),
    cc: people(contents.cc),
    bcc: people(contents.bcc),
    attachments: contents.attachments.slice(0, MAX_ATTACHMENTS).map((attachment) => ({
      ...attachment,
      name: attachment.name && cut(attachment.name, LONGEST_NAME_CHARS),
    })),
  };
}

function person<T extends { name: string }>(one: T): T {
  return one.name.length > LONGEST_NAME_CHARS ? { ...one, name: cut(one.name, LONGEST_NAME_CHARS) } : one;
}

/** Returns the beginning of a text, at most this many UTF-16 units, without splitting a surrogate pair. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
