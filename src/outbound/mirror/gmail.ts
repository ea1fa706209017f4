import type { ImapFlow, MailboxObject } from "imapflow";
import type { Account } from "../../mailbox/accounts/accounts.ts";
import type { PendingChange } from "../../mailbox/changes/pending-changes.ts";
import type { Folder, Folders } from "../../mailbox/store/folders.ts";
import type { FolderRole } from "../../mailbox/store/state.ts";
import { GMAIL_FOLDERS, isGmail, planGmailMove } from "../../wire/imap/gmail.ts";
import { createFolder, flagsOf, openForWriting, Refusal, storeGmailLabel } from "./commands.ts";
import type { MirrorLedger, PendingMessage } from "./ledger.ts";
import { FOLDER_NAMES, type MoveGroup, type MoveReplay } from "./moves.ts";
import { copiesToMove } from "./plan.ts";
import type { Results } from "./results.ts";

/** Messages of one folder whose labels change in the same way. */
interface LabelGroup {
  holder: Folder;
  add: string[];
  remove: string[];
  /** The role of the view that shows the messages afterwards. Among inbox and snoozed mail, they show nowhere else. */
  role: FolderRole;
  entries: { uid: number; change: PendingChange }[];
}

type Target = Parameters<typeof planGmailMove>[1];

/** Replays moves on Gmail, where a message is in All Mail, Spam or Trash and labels decide which views show it. */
export class GmailMoveReplay {
  /**
   * Returns the replay for a Gmail account.
   * @param moves for changes that move as on any server
   * @returns null on other servers, and if All Mail is hidden from IMAP programs, because then folders are ordinary
   * folders
   */
  static for(
    client: ImapFlow,
    account: Account,
    folders: Folders,
    ledger: MirrorLedger,
    moves: MoveReplay,
    results: Results,
  ): GmailMoveReplay | null {
    const all = isGmail(client) ? ledger.folderOfRole("all") : null;
    return all && new GmailMoveReplay(client, account, folders, ledger, moves, results, all);
  }

  private constructor(
    private readonly client: ImapFlow,
    private readonly account: Account,
    private readonly folders: Folders,
    private readonly ledger: MirrorLedger,
    private readonly moves: MoveReplay,
    private readonly results: Results,
    private readonly all: Folder,
  ) {}

  async run(messages: readonly PendingMessage[]): Promise<void> {
    const labels = new Map<string, LabelGroup>();
    const moves = new Map<string, MoveGroup>();
    for (const { changes, copies } of messages) {
      const change = changes.find(({ field }) => field === "folder");
      if (!change) continue;
      const to = change.value as Target;
      const copy = copies.find(({ folder }) => folder.view_of === null);
      const from = GMAIL_FOLDERS.find((role) => role === copy?.role);
      if (!copy || !from) this.results.wait([change], "missing");
      else if (copiesToMove(copies, to, true).length === 0) this.results.accept([change]);
      else {
        const entry = { uid: copy.uid, change };
        const snoozed = this.ledger.folderOfRole("snoozed")?.path ?? null;
        const plan = planGmailMove(from, to, snoozed ?? FOLDER_NAMES.snoozed);
        if (plan.kind === "labels") {
          // A label that does not exist is on no message.
          const remove = plan.remove.filter((label) => snoozed !== null || label !== FOLDER_NAMES.snoozed);
          group(labels, to, { holder: copy.folder, add: plan.add, remove, role: to, entries: [] }, entry);
        } else {
          const target = plan.to === "all" ? this.all : await this.#folderFor(plan.to);
          // Without such a folder the state is kept here: the pending change outweighs the server's state
          // (docs/mail.md, "Mirroring to the mail server").
          if (target) group(moves, `${from} ${plan.to}`, { from: copy.folder, to: target, entries: [] }, entry);
        }
      }
    }
    for (const entry of labels.values()) await this.#label(entry);
    for (const entry of moves.values()) await this.moves.move(entry);
  }

  async #label({ holder, add, remove, role, entries }: LabelGroup): Promise<void> {
    const changes = entries.map(({ change }) => change);
    const uids = entries.map(({ uid }) => uid);
    try {
      if (role === "snoozed" && !(await this.#folderFor("snoozed"))) return; // kept here, as above
      const box: MailboxObject = await openForWriting(this.client, holder.path);
      if (Number(box.uidValidity) !== holder.uidvalidity) return this.results.wait(changes, "missing");
      if (box.readOnly) return this.results.refuse(changes, "The folder is read-only.");
      // Adds the new view before removing the old one. If interrupted, the message shows in both, and the next attempt
      // completes the change.
      for (const label of add) await storeGmailLabel(this.client, uids, true, label);
      for (const label of remove) await storeGmailLabel(this.client, uids, false, label);
      // UIDs that are gone are skipped silently.
      const found = await flagsOf(this.client, uids);
      const done = entries.filter(({ uid }) => found.has(uid));
      this.#show(
        holder,
        done.map(({ uid }) => uid),
        role,
      );
      this.results.accept(done.map(({ change }) => change));
      const lost = entries.filter(({ uid }) => !found.has(uid));
      this.results.wait(
        lost.map(({ change }) => change),
        "missing",
      );
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.temporary) this.results.wait(changes, "unavailable");
      else if (error.missing) this.results.wait(changes, "missing");
      else this.results.refuse(changes, error.words || error.message);
    }
  }

  /** Updates our locations immediately, so that the next sync sees no change. */
  #show(holder: Folder, uids: number[], role: FolderRole): void {
    const views = (["inbox", "snoozed"] as const).flatMap((name) => this.ledger.folderOfRole(name) ?? []);
    const into = views.filter((view) => view.role === role);
    this.ledger.shown(
      holder,
      uids,
      into,
      views.filter((view) => view.role !== role),
    );
  }

  /** Returns the folder of a role. The label for snoozed mail is created if it is missing. */
  async #folderFor(role: "inbox" | "snoozed" | "trash" | "spam"): Promise<Folder | null> {
    const have = this.ledger.folderOfRole(role);
    if (have || role !== "snoozed") return have;
    const path = FOLDER_NAMES.snoozed;
    if (this.account.exclude.includes(path)) return null;
    try {
      await createFolder(this.client, path);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return null;
    }
    return this.folders.upsertView(this.account, this.all, path, "snoozed");
  }
}

function group<G extends { entries: E[] }, E>(groups: Map<string, G>, key: string, empty: G, entry: E): void {
  const found = groups.get(key) ?? empty;
  groups.set(key, found);
  found.entries.push(entry);
}
