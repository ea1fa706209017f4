import { notFound } from "../../kernel/errors.ts";
import type { Accounts } from "../../mailbox/accounts/accounts.ts";
import type { MailScope, Position } from "../../mailbox/queries/scope.ts";
import type { Platform } from "../../platform/platform.ts";
import { ContactCounts } from "./counts.ts";
import type { ContactKind } from "./kind.ts";
import { ContactNames } from "./names.ts";
import { searchable } from "./person.ts";
import { NAME_RANK, openProfile } from "./store.ts";
import type { ContactRow } from "./tables.ts";

/** A contact, decrypted. */
export interface ContactView {
  id: string;
  kind: ContactKind;
  name: string;
  /**
   * Preferably an address from an address book or one that the user has written to, because anyone can write under a
   * known name.
   */
  email: string;
  /** All addresses of the contact, `email` first. */
  emails: string[];
  /** Those of `emails` that are from an address book or that the user has written to. */
  knownEmails: string[];
  vip: boolean;
  notes: string;
  threads: number;
  /** ms; 0: never. */
  last_at: number;
}

export interface ContactFilter {
  q?: string;
  /** True: only VIPs; false: only the others. */
  vip?: boolean;
  kind?: ContactKind;
}

type StoredContact = Pick<ContactRow, "n" | "id" | "kind" | "vip" | "notes" | "threads" | "last_at"> & {
  /** For each address: [hmac hex, profile hex, whether the user has written to it or imported it], best name first. */
  addresses: string;
};

/** Reads contacts. */
export class ContactQueries {
  readonly #counts: ContactCounts;
  readonly #names: ContactNames;

  constructor(
    private readonly platform: Platform,
    private readonly accounts: Accounts,
  ) {
    this.#counts = new ContactCounts(platform.db);
    this.#names = new ContactNames(platform);
  }

  /**
   * Returns at most `limit` contacts, latest contact first, then by descending id, after the position [last_at, id].
   * Leaves out the user's own addresses and contacts that occur only in spam or deleted mail. A caller bound to one
   * mailbox sees only contacts and addresses of that mailbox, with that mailbox's counts.
   */
  list(scope: MailScope, filter: ContactFilter, after: Position | null, limit: number): ContactView[] {
    this.#settled(scope);
    const found = filter.q === undefined ? null : this.#found(scope, filter.q);
    return this.platform.db.sql
      .query<StoredContact, Record<string, string | number | null>>(listSql(scope.account_id !== null))
      .all({
        user: scope.user_id,
        account: scope.account_id,
        own: JSON.stringify(this.#own(scope.user_id)),
        found: found && JSON.stringify(found),
        vip: filter.vip === undefined ? null : Number(filter.vip),
        kind: filter.kind ?? null,
        // Automated senders are hidden unless the caller filters for a kind, for VIPs or by text.
        machines: filter.kind !== undefined || filter.vip === true || found !== null ? 1 : 0,
        after_at: Number(after?.[0] ?? Number.MAX_SAFE_INTEGER),
        after_id: String(after?.[1] ?? ""),
        limit,
      })
      .map((row) => this.#open(scope.user_id, row));
  }

  /** Returns one contact. Also accepts the id of a contact that was merged into it. @throws ApiError not_found */
  get(scope: MailScope, id: string): ContactView {
    this.#counts.settle(scope.user_id);
    const row = this.platform.db.sql
      .query<StoredContact, { id: string; user: string; account: string | null }>(
        `SELECT c.n, c.id, c.kind, c.vip, c.notes, c.threads, c.last_at, ${ADDRESSES} AS addresses
         FROM contacts c WHERE c.user_id = $user AND (c.id = $id OR c.n = (SELECT contact_n FROM contact_aliases WHERE id = $id AND user_id = $user))
           AND ($account IS NULL OR EXISTS (SELECT 1 FROM contact_addresses a JOIN contact_messages cm ON cm.address_n = a.n
             JOIN messages m ON m.n = cm.message_n WHERE a.contact_n = c.n AND m.account_id = $account))`,
      )
      .get({ id, user: scope.user_id, account: scope.account_id });
    if (!row) throw notFound("contact");
    return this.#open(scope.user_id, row);
  }

  /**
   * Updates the counts in slices, so that other requests are not blocked. Call it before `list` and `get` for a caller
   * who is bound to one mailbox.
   */
  async settle({ user_id, account_id }: MailScope): Promise<void> {
    if (account_id === null) this.#counts.settle(user_id);
    else for (const _ of this.#counts.settleIn(user_id, account_id)) await Bun.sleep(0);
  }

  #settled({ user_id, account_id }: MailScope): void {
    if (account_id === null) this.#counts.settle(user_id);
    else for (const _ of this.#counts.settleIn(user_id, account_id));
  }

  /** Returns the row numbers of contacts whose name or address contains the text. */
  #found({ user_id, account_id }: MailScope, q: string): number[] {
    const wanted = searchable(q.trim());
    const { sql } = this.platform.db;
    const matches = this.#names.of(user_id).filter(({ text }) => text.includes(wanted));
    return sql
      .query<{ n: number }, Record<string, string | null>>(
        `SELECT DISTINCT a.contact_n AS n FROM json_each($addresses) w JOIN contact_addresses a ON a.n = w.value WHERE ${IN_MAILBOX}`,
      )
      .all({ addresses: JSON.stringify(matches.map(({ n }) => n)), account: account_id })
      .map(({ n }) => n);
  }

  /** Returns the HMACs of the user's own addresses, hex. */
  #own(user_id: string): string[] {
    const sealer = this.platform.keyring.forUser(user_id);
    return [...this.accounts.ownAddresses(user_id)].map((email) =>
      Buffer.from(sealer.hmac("address", email)).toString("hex").toUpperCase(),
    );
  }

  #open(user_id: string, { n: _, addresses, vip, notes, ...row }: StoredContact): ContactView {
    const sealer = this.platform.keyring.forUser(user_id);
    const people = (JSON.parse(addresses) as [string, string, number][]).map(([hmac, profile, known]) => ({
      ...openProfile(sealer, Buffer.from(hmac, "hex"), Buffer.from(profile, "hex")),
      known: known === 1,
    }));
    const emailsOf = (those: typeof people) => those.map(({ email }) => email);
    const knownEmails = emailsOf(people.filter(({ known }) => known));
    const emails = [...knownEmails, ...emailsOf(people.filter(({ known }) => !known))];
    return {
      ...row,
      name: people.find(({ name }) => name !== "")?.name ?? "",
      email: emails[0]!,
      emails,
      knownEmails,
      vip: vip === 1,
      notes: notes === null ? "" : sealer.open(`contacts.notes:${row.id}`, notes),
    };
  }
}

/** Addresses that occur in the caller's mailbox; all addresses for a caller who is not bound to one. */
const IN_MAILBOX = `($account IS NULL OR EXISTS (SELECT 1 FROM contact_messages seen JOIN messages s ON s.n = seen.message_n
  WHERE seen.address_n = a.n AND s.account_id = $account))`;
/** From an address book (NAME_RANK.book), or one that the user has written to. */
const KNOWN = `(a.name_rank = ${NAME_RANK.book} OR EXISTS (SELECT 1 FROM accounts own JOIN correspondents k
  ON k.account_id = own.id AND k.address_hmac = a.address_hmac WHERE own.user_id = a.user_id))`;
const ADDRESSES = `(SELECT json_group_array(json_array(hex(a.address_hmac), hex(a.profile), ${KNOWN})
    ORDER BY a.name_rank DESC, a.name_at DESC, a.n)
  FROM contact_addresses a WHERE a.contact_n = c.n AND ${IN_MAILBOX})`;

/** Builds the statement of the list; for a caller bound to one mailbox with the counts of that mailbox. */
function listSql(bound: boolean): string {
  const here =
    "JOIN contact_mailboxes there ON there.account_id = $account AND there.contact_n = c.n AND there.threads > 0";
  const [counts, join] = bound ? ["there", here] : ["c", ""];
  return `SELECT c.n, c.id, c.kind, c.vip, c.notes, ${counts}.threads, ${counts}.last_at, ${ADDRESSES} AS addresses
    FROM contacts c ${join}
    WHERE c.user_id = $user
      AND (${counts}.threads > 0 OR c.vip = 1 OR c.imported = 1 OR c.notes IS NOT NULL)
      AND ($found IS NULL OR c.n IN (SELECT value FROM json_each($found)))
      AND ($vip IS NULL OR c.vip = $vip)
      AND ($kind IS NULL OR c.kind = $kind)
      AND ($machines = 1 OR c.kind <> 'automated')
      AND NOT EXISTS (SELECT 1 FROM contact_addresses a
        WHERE a.contact_n = c.n AND hex(a.address_hmac) IN (SELECT value FROM json_each($own)))
      AND (${counts}.last_at, c.id) < ($after_at, $after_id)
    ORDER BY ${counts}.last_at DESC, c.id DESC LIMIT $limit`;
}
