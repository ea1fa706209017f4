/** Interprets differences between local drafts and the server's Drafts folder. Pure. */
import type { DraftLocation } from "./store.ts";

/** A local draft and its copy on the server. */
export interface KnownDraft {
  id: string;
  /** Location of its copy; null if it has none. */
  location: DraftLocation | null;
  /** The Message-ID of the copy, in a normalized form that can be compared; null without a copy. */
  message_key: string | null;
}

/** A message in the Drafts folder. */
export interface ServerDraft {
  uid: number;
  message_key: string | null;
}

export interface DraftDiff {
  /** The copy is where it was. */
  present: string[];
  /** Newer versions of known drafts: another program saved them again (IMAP messages never change). */
  edited: { draft_id: string; uid: number }[];
  /** Drafts that are not known here. */
  added: number[];
  /** Drafts that no longer have a copy on the server. */
  missing: string[];
}

/**
 * Compares by UID, and new UIDs by Message-ID. Of several versions of a draft, the one with the highest UID is the
 * newest. Versions below the known one were left by another program and are ignored.
 * @param remains UIDs that wait to be removed, which are ignored
 */
export function compareDrafts(
  known: readonly KnownDraft[],
  server: readonly ServerDraft[],
  uidvalidity: number,
  remains: ReadonlySet<number>,
): DraftDiff {
  const placed = known.filter(({ location }) => location !== null);
  const uidOf = (draft: KnownDraft) => (draft.location?.uidvalidity === uidvalidity ? draft.location.uid : null);
  const byUid = new Map(placed.map((draft) => [uidOf(draft), draft]));
  const byKey = new Map(placed.map((draft) => [draft.message_key, draft]));
  const present = new Set<string>();
  const newest = new Map<string, number>();
  const added: number[] = [];
  for (const { uid, message_key } of server) {
    if (remains.has(uid)) continue;
    const draft = byUid.get(uid);
    const same = message_key === null ? undefined : byKey.get(message_key);
    if (draft) present.add(draft.id);
    else if (!same) added.push(uid);
    else if (uid > Math.max(uidOf(same) ?? 0, newest.get(same.id) ?? 0)) newest.set(same.id, uid);
  }
  return {
    present: [...present].filter((id) => !newest.has(id)),
    edited: [...newest].map(([draft_id, uid]) => ({ draft_id, uid })),
    added,
    missing: placed.filter(({ id }) => !present.has(id) && !newest.has(id)).map(({ id }) => id),
  };
}

/** The fields that show whether a message with another Message-ID is the next version of a draft. */
export interface DraftFingerprint {
  subject: string;
  in_reply_to: string | null;
}

/**
 * Returns the missing draft that a new one replaces, because some programs change the Message-ID with every save. Only
 * a certain match counts: it answers the same message, or has the same subject, and no other draft matches.
 */
export function replacedBy<D extends DraftFingerprint>(added: DraftFingerprint, missing: readonly D[]): D | null {
  const fits = missing.filter(
    (old) =>
      (old.in_reply_to !== null && old.in_reply_to === added.in_reply_to) ||
      (old.in_reply_to === added.in_reply_to &&
        old.subject.trim() !== "" &&
        old.subject.trim() === added.subject.trim()),
  );
  return fits.length === 1 ? fits[0]! : null;
}
