import { notFound } from "../../kernel/errors.ts";
import type { Accounts } from "../../mailbox/accounts.ts";
import type { MailScope, Position } from "../../mailbox/queries.ts";
import type { Platform } from "../../platform/platform.ts";
import type { ContactKind } from "./kind.ts";
import { searchable } from "./person.ts";
import { openProfile } from "./store.ts";

/** One contact, opened. */
export interface ContactView {
  id: string;
  kind: ContactKind;
  name: string;
  /** The address that was seen last under the best name. */
  email: string;
  /** All of its addresses, `email` first. */
  emails: string[];
  vip: boolean;
  notes: string;
  threads: number;
  /** ms; 0: never. */
  last_at: number;
}

export interface ContactFilter {
  q?: string;
  vip?: boolean;
  kind?: ContactKind;
}

interface StoredContact {
  n: number;
  id: string;
  kind: ContactKind;
  vip: number;
  notes: Uint8Array | null;
  threads: number;
  last_at: number;
  /** [hmac hex, profile hex] of its addresses, best name first. */
  addresses: string;
}

/** The date that a message shows (see mailbox/queries.ts, shownDate). */
const SHOWN_DATE = `CASE WHEN m.sent_date >= 631152000000 AND m.sent_date <= m.internal_date + 86400000
  THEN m.sent_date ELSE m.internal_date END`;
/** What counts: mail that is neither spam nor thrown away. */
const COUNTED = `contact_messages cm JOIN messages m ON m.n = cm.message_n
  JOIN threads t ON t.id = m.thread_id AND t.state NOT IN ('spam', 'trash')`;

/** Reads contacts. */
export class ContactQueries {
  constructor(
    private readonly platform: Platform,
    private readonly accounts: Accounts,
  ) {}

  /**
   * Contacts, last contact first, then by descending id; at most `limit`, after the position [last_at, id]. The user's own
   * addresses are left out, and who is only known from spam or deleted mail. A caller bound to one mailbox sees who is in
   * contact with it, counted there.
   */
  list(scope: MailScope, filter: ContactFilter, after: Position | null, limit: number): ContactView[] {
    this.settle(scope.user_id);
    const found = filter.q === undefined ? null : this.#found(scope.user_id, filter.q);
    return this.platform.db.sql
      .query<StoredContact, Record<string, string | number | null>>(listSql(scope.account_id !== null))
      .all({
        user: scope.user_id,
        ...(scope.account_id === null ? {} : { account: scope.account_id }),
        own: JSON.stringify(this.#own(scope.user_id)),
        found: found && JSON.stringify(found),
        vip: filter.vip ? 1 : 0,
        kind: filter.kind ?? null,
        // Machines are only in the way of who looks through their contacts.
        machines: filter.kind !== undefined || filter.vip || found !== null ? 1 : 0,
        after_at: Number(after?.[0] ?? Number.MAX_SAFE_INTEGER),
        after_id: String(after?.[1] ?? ""),
        limit,
      })
      .map((row) => this.#open(scope.user_id, row));
  }

  /** One contact, also by the id of one that was joined into it. @throws ApiError not_found */
  get(scope: MailScope, id: string): ContactView {
    this.settle(scope.user_id);
    const row = this.platform.db.sql
      .query<StoredContact, { id: string; user: string; account: string | null }>(
        `SELECT c.n, c.id, c.kind, c.vip, c.notes, c.threads, c.last_at, ${ADDRESSES} FROM contacts c
         WHERE c.user_id = $user AND (c.id = $id OR c.n = (SELECT contact_n FROM contact_aliases WHERE id = $id AND user_id = $user))
           AND ($account IS NULL OR EXISTS (SELECT 1 FROM contact_addresses a JOIN contact_messages cm ON cm.address_n = a.n
             JOIN messages m ON m.n = cm.message_n WHERE a.contact_n = c.n AND m.account_id = $account))`,
      )
      .get({ id, user: scope.user_id, account: scope.account_id });
    if (!row) throw notFound("contact");
    return this.#open(scope.user_id, row);
  }

  /** Counts anew what has changed since somebody last looked. */
  settle(user_id: string): void {
    const { db } = this.platform;
    if (!db.sql.query("SELECT 1 FROM contacts WHERE user_id = ? AND stale = 1 LIMIT 1").get(user_id)) return;
    db.sql
      .query(
        `UPDATE contacts SET stale = 0, (threads, last_at) = (
           SELECT count(DISTINCT m.thread_id), coalesce(max(${SHOWN_DATE}), 0)
           FROM ${COUNTED} JOIN contact_addresses a ON a.n = cm.address_n WHERE a.contact_n = contacts.n)
         WHERE user_id = ? AND stale = 1`,
      )
      .run(user_id);
  }

  /** Row numbers of the contacts with a name or an address that holds the text: names are sealed, so all are opened. */
  #found(user_id: string, q: string): number[] {
    const wanted = searchable(q.trim());
    const sealer = this.platform.keyring.forUser(user_id);
    const found = new Set<number>();
    for (const { contact_n, address_hmac, profile } of this.platform.db.sql
      .query<{ contact_n: number; address_hmac: Uint8Array; profile: Uint8Array }, [string]>(
        "SELECT contact_n, address_hmac, profile FROM contact_addresses WHERE user_id = ?",
      )
      .iterate(user_id)) {
      if (found.has(contact_n)) continue;
      const { name, email } = openProfile(sealer, address_hmac, profile);
      if (searchable(`${name}\n${email}`).includes(wanted)) found.add(contact_n);
    }
    return [...found];
  }

  /** HMACs of the user's own addresses, hex. */
  #own(user_id: string): string[] {
    const sealer = this.platform.keyring.forUser(user_id);
    return this.accounts
      .list(user_id)
      .flatMap(({ email, aliases }) => [email, ...aliases])
      .map((email) => Buffer.from(sealer.hmac("address", email.toLowerCase())).toString("hex").toUpperCase());
  }

  #open(user_id: string, { n: _, addresses, vip, notes, ...row }: StoredContact): ContactView {
    const sealer = this.platform.keyring.forUser(user_id);
    const people = (JSON.parse(addresses) as [string, string][]).map(([hmac, profile]) =>
      openProfile(sealer, Buffer.from(hmac, "hex"), Buffer.from(profile, "hex")),
    );
    return {
      ...row,
      name: people.find(({ name }) => name !== "")?.name ?? "",
      email: people[0]!.email,
      emails: people.map(({ email }) => email),
      vip: vip === 1,
      notes: notes === null ? "" : sealer.open(`contacts.notes:${row.id}`, notes),
    };
  }
}

const ADDRESSES = `(SELECT json_group_array(json_array(hex(a.address_hmac), hex(a.profile)) ORDER BY a.name_rank DESC, a.name_at DESC, a.n)
  FROM contact_addresses a WHERE a.contact_n = c.n) AS addresses`;

/** The statement of the list; for a caller bound to one mailbox it counts what lies there. */
function listSql(bound: boolean): string {
  const counted = bound
    ? `contacts c JOIN (SELECT a.contact_n, count(DISTINCT m.thread_id) AS threads, max(${SHOWN_DATE}) AS last_at
         FROM ${COUNTED} JOIN contact_addresses a ON a.n = cm.address_n WHERE m.account_id = $account GROUP BY a.contact_n) x
         ON x.contact_n = c.n`
    : "contacts c";
  const [threads, last_at] = bound ? ["x.threads", "x.last_at"] : ["c.threads", "c.last_at"];
  return `SELECT c.n, c.id, c.kind, c.vip, c.notes, ${threads} AS threads, ${last_at} AS last_at, ${ADDRESSES} FROM ${counted}
    WHERE c.user_id = $user AND (${threads} > 0 OR c.vip = 1 OR c.imported = 1 OR c.notes IS NOT NULL)
      AND ($found IS NULL OR c.n IN (SELECT value FROM json_each($found))) AND ($vip = 0 OR c.vip = 1) AND ($kind IS NULL OR c.kind = $kind) AND ($machines = 1 OR c.kind <> 'automated')
      AND NOT EXISTS (SELECT 1 FROM contact_addresses a WHERE a.contact_n = c.n
        AND hex(a.address_hmac) IN (SELECT value FROM json_each($own)))
      AND (${last_at}, c.id) < ($after_at, $after_id)
    ORDER BY ${last_at} DESC, c.id DESC LIMIT $limit`;
}
