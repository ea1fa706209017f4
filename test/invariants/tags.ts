import { Correspondents } from "../../src/mailbox/store/correspondents.ts";
import { envelopeOf, openStoredContent } from "../../src/mailbox/store/stored-message.ts";
import { identify } from "../../src/mailbox/threading/identity.ts";
import { linkMessage, SqliteThreadIndex } from "../../src/mailbox/threading/thread-index.ts";
import { Threads } from "../../src/mailbox/threading/threads.ts";
import { SealBroken } from "../../src/platform/sealing/box.ts";
import { type Fixture, rows } from "./finding.ts";

interface TaggedRow {
  id: string;
  user_id: string;
  account_id: string;
  msgid_hmac: Uint8Array;
  content_hmac: Uint8Array;
  sender_hmac: Uint8Array;
  subject_hmac: Uint8Array | null;
  from_correspondent: number;
}

const isEqual = (a: Uint8Array | null, b: Uint8Array | null) =>
  a === null || b === null ? a === b : Buffer.compare(a, b) === 0;

/**
 * Checks the tags of messages against the sealed values: a wrong tag hides its message from lookups. Leaves out
 * `people`, which also depends on the addresses that the account had when the message arrived.
 */
export function checkTags({ platform, miss }: Fixture): void {
  const correspondents = new Correspondents(platform, new Threads(platform));
  const tagged = rows<TaggedRow>(
    platform,
    `SELECT id, user_id, account_id, msgid_hmac, content_hmac, sender_hmac, subject_hmac, from_correspondent
     FROM messages m WHERE EXISTS (SELECT 1 FROM data_keys k WHERE k.user_id = m.user_id)`,
  );
  for (const { id, user_id, account_id, ...row } of tagged) {
    const kept = opened(() => openStoredContent(platform, id));
    if (kept === null) continue;
    const target = { id: account_id, user_id, self: new Set<string>() };
    const identity = identify(platform.keyring.forUser(user_id), kept);
    const sender = correspondents.ofSender(target, kept.from.email);
    const sent_date = kept.date ?? kept.internalDate;
    const index = new SqliteThreadIndex(platform, target, () => {});
    const subject = index.subjectOf(linkMessage(envelopeOf(kept), sent_date), target.self);
    if (!isEqual(row.msgid_hmac, identity.messageIdTag)) miss("tags", `${id} has the tag of another Message-ID`);
    if (!isEqual(row.content_hmac, identity.contentTag)) miss("tags", `${id} has the tag of another content`);
    if (!isEqual(row.sender_hmac, sender.tag)) miss("tags", `${id} has the tag of another sender`);
    if (!isEqual(row.subject_hmac, subject.tag)) miss("tags", `${id} has the tag of another subject`);
    if (row.from_correspondent !== Number(sender.known)) {
      miss("tags", `${id} is ${sender.known ? "not " : ""}marked as mail of a correspondent`);
    }
  }
}

/** What does not open is reported by checkSealed. */
function opened<T>(open: () => T): T | null {
  try {
    return open();
  } catch (error) {
    if (error instanceof SealBroken) return null;
    throw error;
  }
}
