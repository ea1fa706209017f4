import type { ImapFlow, ImapResponse, MailboxObject } from "imapflow";
import { formatMessageResponse } from "imapflow/lib/tools.js";
import { decodeGmailLabels, isGmail } from "../../wire/imap/gmail.ts";
import type { Listed } from "./fetch.ts";
import { type Range, readRanges } from "./uid-ranges.ts";

/** What CONDSTORE and QRESYNC (RFC 7162) tell of a folder since a MODSEQ. */
export interface Changes {
  changed: Listed[];
  vanished: number[];
}

/** imapflow's way to send a command of one's own; its published types leave it out. */
interface CommandRunner {
  exec(
    command: string,
    attributes: unknown[],
    options: { untagged: Record<string, (untagged: ImapResponse) => Promise<void>> },
  ): Promise<{ next: () => void }>;
}

/**
 * Asks for changes since `modseq`. With QRESYNC the server also names what vanished, in ranges that may span millions of
 * UIDs that never existed; they are met with the UIDs that we know instead of being expanded.
 * @param known our UIDs within a range
 */
export async function changedSince(
  client: ImapFlow,
  box: MailboxObject,
  modseq: bigint,
  known: (from: number, to: number) => number[],
): Promise<Changes> {
  const changed: Listed[] = [];
  const vanished = new Set<number>();
  const atom = (value: string) => ({ type: "ATOM", value });
  const items = [atom("UID"), atom("FLAGS")];
  if (isGmail(client)) items.push(atom("X-GM-LABELS"));
  const since = [atom("CHANGEDSINCE"), atom(String(modseq))];
  if (client.enabled.has("QRESYNC")) since.push(atom("VANISHED"));
  const response = await (client as unknown as CommandRunner).exec(
    "UID FETCH",
    [{ type: "SEQUENCE", value: "1:*" }, items, since],
    {
      untagged: {
        FETCH: async (untagged: ImapResponse) => {
          const message = await formatMessageResponse(untagged, box);
          // Flags alone, told unasked, say nothing of Gmail's labels; the answer that does comes, too.
          if (!message.uid || !message.flags || (isGmail(client) && !message.labels)) return;
          changed.push({
            uid: message.uid,
            size: 0,
            internal_date: 0,
            flags: message.flags,
            gmail_labels: decodeGmailLabels(client, message.labels),
            server_thread_id: null,
          });
        },
        VANISHED: async (untagged: ImapResponse) => {
          for (const [from, to] of ranges(untagged)) for (const uid of known(from, to)) vanished.add(uid);
        },
      },
    },
  );
  response.next();
  return { changed, vanished: [...vanished] };
}

/** The UID set of a VANISHED answer. Ranges that overlap count once. */
function ranges(untagged: ImapResponse): Range[] {
  const values = (untagged.attributes ?? []).flatMap((attribute) =>
    attribute && !Array.isArray(attribute) && typeof attribute.value === "string" ? [attribute.value] : [],
  );
  return readRanges(values.join(","));
}
