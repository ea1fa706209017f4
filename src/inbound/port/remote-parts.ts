import type { ImapFlow, MessageStructureObject } from "imapflow";
import type { Clock } from "../../kernel/clock.ts";
import { ApiError } from "../../kernel/errors.ts";
import { fetchByUid } from "../../wire/imap/responses.ts";
import { type ConnectionQueue, PRIORITY } from "../sync/connection-queue.ts";
import { UNAVAILABLE } from "./messages.ts";
import type { PartLocation } from "./part-locations.ts";

/** Fetched by one command. Limits what imapflow holds in memory. */
const CHUNK_BYTES = 1024 * 1024;
/** A connection that cannot even open a folder within this time is dead, even if its socket is open, ms. */
const SELECT_MS = 10_000;
/** Dead connections in a row before giving up. Any progress resets the count. */
const CONNECTIONS = 2;

export interface RemoteRead {
  queue: ConnectionQueue;
  clock: Clock;
  location: PartLocation;
  /** IMAP part number; null for the whole message. */
  part: string | null;
  signal: AbortSignal;
  /** Called once with the folder open, before the first byte. Returns false when the message is not there. */
  begin: (client: ImapFlow) => Promise<boolean>;
  take: (chunk: Uint8Array) => void | Promise<void>;
}

/**
 * Reads a message or part in its encoded form, in pieces. It keeps its turn on the account's connection unless another
 * interactive request waits, and resumes where it was when the connection breaks.
 * @returns false when the message is not, or no longer, in that folder
 */
export async function readRemote(read: RemoteRead): Promise<boolean> {
  const { queue, signal } = read;
  const progress = { at: 0, begun: false };
  for (let faults = 0; ; ) {
    const before = progress.at;
    let client: ImapFlow | null = null;
    try {
      const state = await queue.run(PRIORITY.interactive, async (connected) => {
        client = connected;
        signal.throwIfAborted();
        return await turn(connected, read, progress);
      });
      if (state === "gone" && progress.at > 0) throw new ApiError("provider_unavailable", UNAVAILABLE);
      if (state === "gone") return false;
      if (state === "done") return true;
    } catch (error) {
      faults = progress.at > before ? 1 : faults + 1;
      // Retry only if a connection existed and died. A server that is down stays down for a while.
      const died = client !== null && !(client as ImapFlow).usable;
      if (signal.aborted || !died || faults >= CONNECTIONS) throw error;
    }
  }
}

async function turn(
  client: ImapFlow,
  { queue, clock, location, part, signal, begin, take }: RemoteRead,
  progress: { at: number; begun: boolean },
): Promise<"gone" | "done" | "again"> {
  if (!(await select(client, clock, location))) return "gone";
  if (!progress.begun) {
    if (!(await begin(client))) return "gone";
    progress.begun = true;
  }
  for (;;) {
    signal.throwIfAborted();
    const chunk = await range(client, location.uid, part, progress.at, CHUNK_BYTES);
    if (!chunk) return "gone";
    progress.at += chunk.length;
    await take(chunk);
    if (chunk.length < CHUNK_BYTES) return "done";
    // No priority is higher than ours, so this checks whether another request of the same priority waits.
    if (queue.wanted(PRIORITY.mirror)) return "again";
  }
}

/** Opens the folder. @returns false when it is gone or its UIDVALIDITY has changed */
async function select(client: ImapFlow, clock: Clock, location: PartLocation): Promise<boolean> {
  const stop = clock.after(SELECT_MS, () => client.close());
  try {
    const box = await client.mailboxOpen(location.path, { readOnly: true });
    return Number(box.uidValidity) === location.uidvalidity;
  } catch (error) {
    if ((error as { responseStatus?: unknown }).responseStatus === "NO") return false;
    throw error;
  } finally {
    stop();
  }
}

/**
 * Returns bytes of a message or part from `start`, fewer than `length` at its end; null when the message is not there.
 */
export async function range(
  client: ImapFlow,
  uid: number,
  part: string | null,
  start: number,
  length: number,
): Promise<Uint8Array | null> {
  const slice = { start, maxLength: length };
  const query = part === null ? { source: slice } : { bodyParts: [{ key: part, ...slice }] };
  const found = await fetchByUid(client, uid, query);
  // A response without the bytes answers something else. Only one with the field, even if empty, marks the end.
  if (!found || !((part === null ? "source" : "bodyParts") in found)) return null;
  return (part === null ? found.source : found.bodyParts?.get(part.toLowerCase())) || new Uint8Array(0);
}

/** Returns RFC822.SIZE; null when the message is not there. */
export async function sizeOf(client: ImapFlow, uid: number): Promise<number | null> {
  const found = await fetchByUid(client, uid, { size: true });
  return found ? (found.size ?? 0) : null;
}

/** Returns BODYSTRUCTURE; null when the message is not there or the server cannot provide it. */
export async function structureOf(client: ImapFlow, uid: number): Promise<MessageStructureObject | null> {
  return (await fetchByUid(client, uid, { bodyStructure: true }))?.bodyStructure ?? null;
}

/**
 * Verifies a message's size. RFC822.SIZE is only an estimate on some servers, and a wrong Content-Length breaks a
 * download. The size is trusted when exactly one byte remains at its end. @returns the size, or null
 */
export async function confirmSize(
  client: ImapFlow,
  uid: number,
  part: string | null,
  size: number,
): Promise<number | null> {
  if (size < 1) return null;
  const end = await range(client, uid, part, size - 1, 16);
  return end?.length === 1 ? size : null;
}
