import type { ImapFlow, ImapResponse, MailboxObject } from "imapflow";
import { formatMessageResponse } from "imapflow/lib/tools.js";
import { decodeGmailLabels, isGmail } from "../../wire/imap/gmail.ts";
import type { Listed } from "./fetch.ts";
import { type Range, readRanges } from "./uid-ranges.ts";

/** Changes of a folder since a MODSEQ, as CONDSTORE and QRESYNC (RFC 7162) report them. */
export interface Changes {
  changed: Listed[];
  vanished: number[];
}

/** imapflow's method for custom commands, which its published types leave out. */
interface CommandRunner {
  exec(
    command: string,
    attributes: unknown[],
    options: { untagged: Record<string, (untagged: ImapResponse) => Promise<void>> },
  ): Promise<{ next: () => void }>;
}

/**
 * Asks for changes since `modseq`. With QRESYNC the server also reports vanished UIDs, in ranges that may span millions
 * of UIDs that never existed. The ranges are intersected with our UIDs instead of being expanded.
 * @param known returns our UIDs within a range
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
          // Unsolicited flag updates have no Gmail labels. The response to this command has them and arrives as well.
          if (!message.uid || !message.flags || (isGmail(client) && !message.labels)) return;
          changed.push({
            uid: message.uid,
            size: 0,
            internalDate: 0,
            flags: message.flags,
            gmailLabels: decodeGmailLabels(client, message.labels),
            serverThreadId: null,
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

/** Returns the UID set of a VANISHED response. Overlapping ranges count once. */
function ranges(untagged: ImapResponse): Range[] {
  const values = (untagged.attributes ?? []).flatMap((attribute) =>
    attribute && !Array.isArray(attribute) && typeof attribute.value === "string" ? [attribute.value] : [],
  );
  return readRanges(values.join(","));
}
