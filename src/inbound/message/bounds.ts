import type { Contents } from "./contents.ts";

/** No mail program makes longer ones; whoever wants all of it has the raw message. */
const LONGEST_SUBJECT_CHARS = 2_000;
const LONGEST_NAME_CHARS = 500;
/** Of To, Cc, Bcc and Reply-To each. */
const MOST_PEOPLE = 1_000;
const MOST_ATTACHMENTS = 1_000;

/**
 * Keeps what lists show within reason: a subject of a megabyte or a hundred thousand recipients in one message must not
 * make every page that shows it slow. `GET /messages/{id}/raw` still has the message as it came.
 */
export function bounded(contents: Contents): Contents {
  const lists = [contents.replyTo, contents.to, contents.cc, contents.bcc];
  const tooMany = lists.some((list) => list.length > MOST_PEOPLE) || contents.attachments.length > MOST_ATTACHMENTS;
  const people = <T extends { name: string }>(list: readonly T[]): T[] => list.slice(0, MOST_PEOPLE).map(person);
  return {
    ...contents,
    truncated: contents.truncated || tooMany || contents.subject.length > LONGEST_SUBJECT_CHARS,
    subject: cut(contents.subject, LONGEST_SUBJECT_CHARS),
    from: person(contents.from),
    sender: contents.sender && person(contents.sender),
    replyTo: people(contents.replyTo),
    to: people(contents.to),
    cc: people(contents.cc),
    bcc: people(contents.bcc),
    attachments: contents.attachments.slice(0, MOST_ATTACHMENTS).map((attachment) => ({
      ...attachment,
      name: attachment.name && cut(attachment.name, LONGEST_NAME_CHARS),
    })),
  };
}

function person<T extends { name: string }>(one: T): T {
  return one.name.length > LONGEST_NAME_CHARS ? { ...one, name: cut(one.name, LONGEST_NAME_CHARS) } : one;
}

/** The beginning of a text, at most so many UTF-16 units, never half a character. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
