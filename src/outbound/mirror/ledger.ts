import type { Account, Accounts } from "../../mailbox/accounts/accounts.ts";
import {
  type Cursor,
  labelId,
  type PendingChange,
  type PendingChanges,
} from "../../mailbox/changes/pending-changes.ts";
import type { Folder, Folders } from "../../mailbox/store/folders.ts";
import type { Labels } from "../../mailbox/store/labels.ts";
import type { LocationSync } from "../../mailbox/store/location-sync.ts";
import type { Locations, ServerCopy } from "../../mailbox/store/locations.ts";
import type { FolderRole } from "../../mailbox/store/state.ts";
import { SYSTEM_ACTOR } from "../../platform/ledger/audit.ts";
import type { Platform } from "../../platform/platform.ts";
import type { CopyUid } from "./commands.ts";

/** A copy on the server. */
export interface CopyLocation extends ServerCopy {
  role: FolderRole;
}

/** A message with changes for the server, and its locations there. */
export interface PendingMessage {
  id: string;
  changes: PendingChange[];
  copies: CopyLocation[];
  /** A copy vanished from its folder and may show up in another one. */
  missing: boolean;
}

export interface PendingPage {
  messages: PendingMessage[];
  /** Null on the last page. */
  next: Cursor | null;
}

export interface LedgerParts {
  platform: Platform;
  accounts: Accounts;
  folders: Folders;
  labels: Labels;
  locationSync: LocationSync;
  locations: Locations;
  pending: PendingChanges;
}

/** The pending changes of an account, and how they are settled here after the server's response. */
export class MirrorLedger {
  constructor(
    private readonly parts: LedgerParts,
    private readonly account: Account,
  ) {}

  /** Returns the next messages with changes, at most `limit`, the oldest change first. */
  page(after: Cursor | null, limit: number): PendingPage {
    const { changes, next } = this.parts.pending.page(this.account.id, after, limit);
    const copies = this.parts.locations.ofMessages(this.account, [...changes.keys()]);
    const copiesOf = (id: string) => (copies.get(id) ?? []).map((place) => ({ ...place, role: place.folder.role }));
    const missing = this.parts.locations.missing([...changes.keys()]);
    const messages = [...changes].map(([id, changes]) => ({
      id,
      changes,
      copies: copiesOf(id),
      missing: missing.has(id),
    }));
    return { messages, next };
  }

  folderOfRole(role: FolderRole): Folder | null {
    const { folders } = this.parts;
    return folders.list(this.account).find((folder) => folder.role === role && folder.replaced_by === null) ?? null;
  }

  /** Records that the server keeps no keywords in a folder, so labels are kept only here. */
  noKeywords(folder: Folder): void {
    const { folders } = this.parts;
    const current = folders.get(this.account.user_id, folder.id);
    if (current?.keywords_ok) folders.save({ ...current, keywords_ok: false });
  }

  /** Removes changes that the server has. A change that was changed again in between stays. */
  settle(changes: readonly PendingChange[]): void {
    if (changes.length === 0) return;
    const { platform, pending, locationSync } = this.parts;
    platform.db.write(() => {
      const settled = changes.filter((change) => pending.forget(change));
      for (const change of settled) locationSync.mirrored(change);
      this.#refresh(settled.map((change) => change.thread_id));
    });
  }

  /** Reverts changes that the server refuses permanently, with an event and an audit row. */
  refuse(changes: readonly PendingChange[], reason: string): void {
    if (changes.length === 0) return;
    const { platform, pending } = this.parts;
    platform.db.write(() => {
      const taken = changes.filter((change) => pending.forget(change));
      for (const change of taken) pending.revert(change);
      this.#refresh(taken.map((change) => change.thread_id));
      const groups = Map.groupBy(taken, ({ thread_id, field, value }) => `${thread_id} ${field} ${value}`);
      for (const group of groups.values()) this.#audit(group, reason);
    });
  }

  /**
   * Updates the locations of messages that were moved on the server and have new UIDs, so that they never seem to be
   * gone. The changes that asked for the move are settled separately; after a crash before that, they are found done.
   * @param alone the target's messages are in no other folder (Gmail's Trash and Spam)
   * @returns false when the next sync has to find the location, because UIDs in a view differ from those of the folder
   * behind it
   */
  moved(from: Folder, to: Folder, copied: CopyUid, alone: boolean): boolean {
    const { platform, folders, locations } = this.parts;
    return platform.db.write(() => {
      const target = folders.get(this.account.user_id, to.id);
      const renumbered = target?.uidvalidity !== null && target?.uidvalidity !== copied.uidvalidity;
      if (!target || target.view_of !== null || renumbered) {
        this.gone(from, [...copied.uids.keys()]);
        return false;
      }
      locations.move(from, target, copied.uids, alone);
      this.#advance(target, [...copied.uids.values()]);
      return true;
    });
  }

  /**
   * Removes locations of messages whose new location the server did not report. The next sync of the new folder finds
   * them.
   */
  gone(folder: Folder, uids: readonly number[]): void {
    const { platform, accounts, locationSync } = this.parts;
    platform.db.write(() => {
      // A running pass may have checked the new folder before the messages arrived, so they wait for the pass after it.
      const { pass } = accounts.get(this.account.id) ?? this.account;
      const touched = uids.map((uid) => locationSync.vanished(folder.id, uid, pass)).filter((id) => id !== null);
      this.#refresh(touched);
    });
  }

  /**
   * Updates views after location labels were changed on the server (Gmail): `holder`'s messages now show in these
   * views.
   */
  shown(holder: Folder, uids: readonly number[], views: readonly Folder[], hidden: readonly Folder[]): void {
    const { platform, locations } = this.parts;
    platform.db.write(() => this.#refresh(locations.show(holder, uids, views, hidden)));
  }

  /** Advances the target's mark if all new UIDs directly follow it. */
  #advance(target: Folder, uids: number[]): void {
    const sorted = uids.sort((a, b) => a - b);
    const adjoins = target.uidvalidity !== null && sorted.every((uid, i) => uid === target.uidnext + i);
    if (adjoins) this.parts.folders.save({ ...target, uidnext: target.uidnext + sorted.length });
  }

  #refresh(threadIds: Iterable<string>): void {
    this.parts.locationSync.refreshAll(this.account.user_id, threadIds, true);
  }

  #audit(group: PendingChange[], reason: string): void {
    const { platform, labels } = this.parts;
    const { thread_id, field, value, previous, request_id } = group[0]!;
    const what = field.startsWith("label:") ? { field: "label", label: labels.name(labelId(field)) } : { field };
    platform.audit.record({
      user_id: this.account.user_id,
      actor: SYSTEM_ACTOR,
      action: "thread.update.refused",
      target: thread_id,
      before: { ...what, value, message_ids: group.map((change) => change.message_id) },
      after: { ...what, value: previous, reason },
      request_id,
    });
  }
}
