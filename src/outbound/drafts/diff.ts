/** What it means that drafts here and the server's Drafts folder differ. Pure. */
import type { DraftPlace } from "./store.ts";

/** A draft here, as far as its copy on the server goes. */
export interface KnownDraft {
  id: string;
  /** Where its copy was; null: it has none. */
  place: DraftPlace | null;
  /** Of the copy's Message-ID, in whatever form makes equal ones equal; null without a copy. */
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
  /** Another version of a known draft: another program saved it anew (IMAP messages never change). */
  edited: { draft_id: string; uid: number }[];
  /** Drafts that are not known here. */
  fresh: number[];
  /** Nothing on the server is this draft any more. */
  missing: string[];
}

/**
 * Compares by UID, and where that is new by Message-ID. Of several versions of one draft the one with the highest UID is the
 * newest; those below the known one are what a program forgot to remove, and are left alone.
 * @param remains UIDs that wait to be removed: they say nothing
 */
export function compareDrafts(
  known: readonly KnownDraft[],
  server: readonly ServerDraft[],
  uidvalidity: number,
  remains: ReadonlySet<number>,
): DraftDiff {
  const placed = known.filter(({ place }) => place !== null);
  const uidOf = (draft: KnownDraft) => (draft.place?.uidvalidity === uidvalidity ? draft.place.uid : null);
  const byUid = new Map(placed.map((draft) => [uidOf(draft), draft]));
  const byKey = new Map(placed.map((draft) => [draft.message_key, draft]));
  const present = new Set<string>();
  const newest = new Map<string, number>();
  const fresh: number[] = [];
  for (const { uid, message_key } of server) {
    if (remains.has(uid)) continue;
    const there = byUid.get(uid);
    const same = message_key === null ? undefined : byKey.get(message_key);
    if (there) present.add(there.id);
    else if (!same) fresh.push(uid);
    else if (uid > Math.max(uidOf(same) ?? 0, newest.get(same.id) ?? 0)) newest.set(same.id, uid);
  }
  return {
    present: [...present].filter((id) => !newest.has(id)),
    edited: [...newest].map(([draft_id, uid]) => ({ draft_id, uid })),
    fresh,
    missing: placed.filter(({ id }) => !present.has(id) && !newest.has(id)).map(({ id }) => id),
  };
}

/** What tells whether a message is the next version of a draft, where it has another Message-ID. */
export interface DraftLook {
  subject: string;
  in_reply_to: string | null;
}

/**
 * Which of the drafts that just went missing a new one replaces: some programs give a draft another Message-ID with every
 * save. Only what is certain counts: it answers the same message, or has the same subject, and no other fits as well.
 */
export function replacedBy<D extends DraftLook>(fresh: DraftLook, missing: readonly D[]): D | null {
  const fits = missing.filter(
    (old) =>
      (old.in_reply_to !== null && old.in_reply_to === fresh.in_reply_to) ||
      (old.in_reply_to === fresh.in_reply_to &&
        old.subject.trim() !== "" &&
        old.subject.trim() === fresh.subject.trim()),
  );
  return fits.length === 1 ? fits[0]! : null;
}
