import type { Accounts } from "../../mailbox/accounts/accounts.ts";
import type { MailScope } from "../../mailbox/queries/scope.ts";
import type { Platform } from "../../platform/platform.ts";
import { queueCounting } from "./count-job.ts";
import { ContactCounts } from "./counts.ts";
import { searchable } from "./person.ts";
import { openProfile } from "./store.ts";
import type { AddressProfile, ContactAddressRow, ContactRow } from "./tables.ts";

/** Contacts that are compared, those with the latest contact. */
const MAX_CONTACTS = 1_000;
/** Addresses that one call decrypts. The next calls decrypt the rest. */
const MAX_OPENED = 200;
/** Users whose decrypted addresses are cached. */
const MAX_USERS = 4;
/** Addresses of one user that are cached, at about 300 bytes each. */
const MAX_CACHED = 10_000;
/** Messages of an address that are checked for the mailbox that the caller is bound to. */
const MAX_CHECKED = 500;
/** Texts from this length on are also looked for within words. */
const SHORTEST_WITHIN = 3;
/** Counts are brought up to date at most this often. */
const COUNT_EVERY_MS = 10_000;
const DAY_MS = 86_400_000;
/** After this time, a contact counts half as recent. */
const HALF_LIFE_DAYS = 30;
/** How much the latest contact counts in comparison with the number of threads, which counts logarithmically. */
const RECENCY = 6;
const VIP = 3;
const AUTOMATED = -4;

type Candidate = Pick<ContactAddressRow, "n" | "contact_n" | "name_at" | "name_rank"> &
  Pick<ContactRow, "kind" | "vip" | "threads" | "last_at"> & { address: string };

interface Opened {
  version: string;
  profile: AddressProfile;
  /** Name and address, normalized for comparison. */
  text: string;
}

/** Completes names and addresses of contacts as they are typed. The work of a call is bounded. */
export class ContactSuggestions {
  readonly #counts: ContactCounts;
  /** By user, least recently used first, then by address. */
  readonly #opened = new Map<string, Map<number, Opened>>();
  readonly #countedAt = new Map<string, number>();

  constructor(
    private readonly platform: Platform,
    private readonly accounts: Accounts,
  ) {
    this.#counts = new ContactCounts(platform.db);
  }

  /**
   * Returns contacts with mail whose name or address contains the text, at most `limit`: those with a word that begins
   * with it first, then by latest contact and number of threads. A caller bound to one mailbox gets contacts of that
   * mailbox. Contacts are found once the job COUNT_JOB has counted their mail.
   */
  matching(scope: MailScope, given: string, limit: number): AddressProfile[] {
    this.#followCounts(scope);
    const wanted = searchable(given.trim());
    const own = this.accounts.ownAddresses(scope.user_id);
    const now = this.platform.clock.now();
    const best = new Map<number, { profile: AddressProfile; rank: number; score: number; n: number }>();
    const cache = this.#cacheOf(scope.user_id);
    const budget = { opened: MAX_OPENED };
    for (const candidate of this.#candidates(scope)) {
      const opened = this.#open(scope.user_id, candidate, cache, budget);
      const rank = opened === null ? 0 : rankOf(opened.text, wanted);
      if (opened === null || rank === 0 || own.has(opened.profile.email.toLowerCase())) continue;
      const { contact_n, n } = candidate;
      const known = best.get(contact_n);
      if (!known || rank > known.rank) {
        best.set(contact_n, { profile: opened.profile, rank, score: scoreOf(candidate, now), n });
      }
    }
    const sorted = [...best.values()].sort((a, b) => b.rank - a.rank || b.score - a.score);
    const shown: AddressProfile[] = [];
    for (const { profile, n } of sorted) {
      if (shown.length === limit) break;
      if (this.#occursIn(scope, n)) shown.push(profile);
    }
    return shown;
  }

  #followCounts(scope: MailScope): void {
    const now = this.platform.clock.now();
    const key = `${scope.user_id} ${scope.account_id}`;
    if (now - (this.#countedAt.get(key) ?? Number.NEGATIVE_INFINITY) < COUNT_EVERY_MS) return;
    if (!this.#counts.isStale(scope.user_id, scope.account_id)) return;
    if (this.#countedAt.size > 1_000) this.#countedAt.clear();
    this.#countedAt.set(key, now);
    queueCounting(this.platform, scope);
  }

  /** Returns the addresses of the contacts with the latest contact, best name first. */
  #candidates({ user_id, account_id }: MailScope): Candidate[] {
    return this.platform.db.sql
      .query<Candidate, Record<string, string | number | null>>(
        account_id === null ? CANDIDATES : CANDIDATES_OF_MAILBOX,
      )
      .all({ ...(account_id === null ? { user: user_id } : { account: account_id }), limit: MAX_CONTACTS });
  }

  /** Opens an address, unless this call has opened many. */
  #open(
    user_id: string,
    { n, address, name_at, name_rank }: Candidate,
    cache: Map<number, Opened>,
    budget: { opened: number },
  ): Opened | null {
    const version = `${address} ${name_at} ${name_rank}`;
    const known = cache.get(n);
    if (known?.version === version) return known;
    if (budget.opened === 0) return null;
    budget.opened--;
    const { address_hmac, profile: sealed } = this.platform.db.sql
      .query<Pick<ContactAddressRow, "address_hmac" | "profile">, [number]>(
        "SELECT address_hmac, profile FROM contact_addresses WHERE n = ?",
      )
      .get(n)!;
    const profile = openProfile(this.platform.keyring.forUser(user_id), address_hmac, sealed);
    const opened = { version, profile, text: searchable(`${profile.name}\n${profile.email}`) };
    cache.set(n, opened);
    return opened;
  }

  #cacheOf(user_id: string): Map<number, Opened> {
    const known = this.#opened.get(user_id);
    const cache = known && known.size <= MAX_CACHED ? known : new Map<number, Opened>();
    this.#opened.delete(user_id);
    this.#opened.set(user_id, cache);
    if (this.#opened.size > MAX_USERS) this.#opened.delete(this.#opened.keys().next().value!);
    return cache;
  }

  /** Returns whether recent mail of an address is in the mailbox that the caller is bound to. */
  #occursIn({ account_id }: MailScope, address_n: number): boolean {
    if (account_id === null) return true;
    const row = this.platform.db.sql
      .query(
        `SELECT 1 FROM (SELECT message_n FROM contact_messages WHERE address_n = ? ORDER BY message_n DESC LIMIT ?) seen
         JOIN messages m ON m.n = seen.message_n WHERE m.account_id = ? LIMIT 1`,
      )
      .get(address_n, MAX_CHECKED, account_id);
    return row !== null;
  }
}

const ADDRESSES = `CROSS JOIN contact_addresses a ON a.contact_n = c.n ORDER BY c.last_at DESC, c.n, a.name_rank DESC, a.name_at DESC`;
const COLUMNS = `a.n, a.contact_n, substr(hex(a.address_hmac), 1, 16) AS address, a.name_at, a.name_rank, c.kind, c.vip,
  c.threads, c.last_at`;
const CANDIDATES = `SELECT ${COLUMNS} FROM (SELECT n, kind, vip, threads, last_at FROM contacts
    WHERE user_id = $user AND last_at > 0 AND threads > 0 ORDER BY last_at DESC, id DESC LIMIT $limit) c ${ADDRESSES}`;
const CANDIDATES_OF_MAILBOX = `SELECT ${COLUMNS} FROM (SELECT k.n, k.kind, k.vip, there.threads, there.last_at FROM
    (SELECT contact_n, threads, last_at FROM contact_mailboxes
      WHERE account_id = $account AND last_at > 0 AND threads > 0 ORDER BY last_at DESC LIMIT $limit) there
    CROSS JOIN contacts k ON k.n = there.contact_n) c ${ADDRESSES}`;

/**
 * Returns 2 if the text contains the wanted one at the beginning of a word, 1 if only within a word, else 0. A short one
 * is not looked for within words.
 */
function rankOf(text: string, wanted: string): 0 | 1 | 2 {
  if (wanted === "") return 2;
  let at = text.indexOf(wanted);
  if (at < 0) return 0;
  for (; at >= 0; at = text.indexOf(wanted, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1]!)) return 2;
  }
  return wanted.length < SHORTEST_WITHIN ? 0 : 1;
}

function scoreOf({ threads, last_at, vip, kind }: Candidate, now: number): number {
  const days = Math.max(0, now - last_at) / DAY_MS;
  const extra = (vip === 1 ? VIP : 0) + (kind === "automated" ? AUTOMATED : 0);
  return Math.log2(1 + threads) + RECENCY * 2 ** (-days / HALF_LIFE_DAYS) + extra;
}
