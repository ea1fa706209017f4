import type { Caller } from "../../http/guard/caller.ts";
import { ApiError, invalidParam } from "../../kernel/errors.ts";
import {
  type Account,
  type Author,
  hasServer,
  reasonWithoutServer,
  SYNC_JOB,
} from "../../mailbox/accounts/accounts.ts";
import type { Connection } from "../../mailbox/accounts/tables.ts";
import type { Found } from "../../wire/autoconfig/found.ts";
import { type Login, type LoginTest, loginsSucceeded } from "../../wire/login-test.ts";
import { normalizeEmail, sameAddress } from "../../wire/smtp/addresses.ts";
import type { LoginBody, MailboxPatch, NewMailbox } from "./model.ts";
import type { ConnectParts } from "./parts.ts";

/** Requests per person at a time. A server that does not respond can hold each for half a minute. */
const MAX_AT_ONCE = 4;

/** Connects, changes and removes a person's mailboxes. */
export class Mailboxes {
  readonly #asking = new Map<string, number>();

  constructor(private readonly parts: ConnectParts) {}

  /** Finds the servers for an address. @throws ApiError invalid_params */
  async discover(caller: Caller, email: string): Promise<Found> {
    const found = await this.#inTurn(caller, () => this.parts.discover(email));
    if (!found) throw invalidParam("email", "This is not an email address. Use the form you@example.org.");
    return found;
  }

  /** Tries both logins and returns their results. @throws ApiError rate_limited */
  test(caller: Caller, { imap, smtp = null, username, password }: LoginBody): Promise<LoginTest> {
    return this.#inTurn(caller, () => this.parts.testLogins({ imap, smtp, username, password }, caller.user_id));
  }

  list({ user_id }: Caller): Account[] {
    return this.parts.mailbox.accounts.list(user_id);
  }

  /** Connects a mailbox after both logins succeeded. @throws ApiError connection_failed, mailbox_exists */
  async connect<T>(caller: Caller, body: NewMailbox, store: (connected: () => Account) => T): Promise<T> {
    const { imap, smtp = null, username, password, read_only, exclude, on_server_delete } = body;
    const email = normalizeEmail(body.email);
    if (email === null) throw invalidParam("email", "This is not an email address. Use the form you@example.org.");
    this.parts.mailbox.accounts.requireNew(caller.user_id, email);
    const connection: Connection = { imap, smtp, username, password };
    const { provider } = await this.tryLogin(caller, { imap, smtp, username, password });
    return store(() => {
      const account = this.parts.mailbox.accounts.add({
        user_id: caller.user_id,
        provider,
        email,
        connection,
        ...(read_only === undefined ? {} : { read_only }),
        ...(exclude ? { exclude } : {}),
        ...(on_server_delete ? { on_server_delete } : {}),
        actor: authorOf(caller),
      });
      this.syncNow(account);
      return account;
    });
  }

  /** Changes a mailbox. A new password is tried first. @throws ApiError not_found, connection_failed, invalid_params */
  async update<T>(caller: Caller, id: string, patch: MailboxPatch, store: (changed: () => Account) => T): Promise<T> {
    const { accounts } = this.parts.mailbox;
    const before = accounts.owned(caller.user_id, id);
    refuseForFiles(before, patch);
    const aliases = patch.aliases && checkedAliases(before, patch.aliases);
    const connection = await this.#withPassword(caller, before, patch.password);
    const by = authorOf(caller);
    return store(() => {
      // The account may have changed while the password was tried.
      const account = accounts.owned(caller.user_id, id);
      if (connection) accounts.setConnection(account, connection, by);
      if (aliases) accounts.setProfile(account, { ...profileOf(account), aliases }, by);
      if (patch.read_only !== undefined && patch.read_only !== account.read_only) {
        accounts.setReadOnly(account, patch.read_only, by);
      }
      if (patch.primary && !account.is_primary) accounts.setPrimary(account, by);
      const paused = account.status === "paused";
      if (patch.paused !== undefined && patch.paused !== paused) accounts.setPaused(account, patch.paused, by);
      if (hasServer(account)) this.syncNow(account);
      return accounts.owned(caller.user_id, id);
    });
  }

  /** Disconnects a mailbox and deletes the local copy. Nothing changes on its server. @throws ApiError not_found */
  remove(caller: Caller, id: string): void {
    const { accounts } = this.parts.mailbox;
    const account = accounts.owned(caller.user_id, id);
    accounts.remove(account, authorOf(caller));
    this.syncNow(account);
  }

  /** Makes the mail worker fetch new mail now. @throws ApiError not_found, invalid_params if there is no mail server */
  sync(caller: Caller, id: string): void {
    this.syncNow(this.#withServer(caller, id));
  }

  /** Makes the mail worker compare the mailbox with its server. @throws ApiError not_found, invalid_params (no mail server) */
  check(caller: Caller, id: string): void {
    this.parts.checks.request(this.#withServer(caller, id));
  }

  #withServer(caller: Caller, id: string): Account {
    const account = this.parts.mailbox.accounts.owned(caller.user_id, id);
    const why = reasonWithoutServer(account);
    if (why !== null) throw invalidParam("id", why);
    return account;
  }

  /** Tries both logins. @throws ApiError connection_failed with both results */
  async tryLogin(caller: Caller, login: Login): Promise<LoginTest> {
    const tested = await this.#inTurn(caller, () => this.parts.testLogins(login, caller.user_id));
    if (loginsSucceeded(tested)) return tested;
    const { imap, smtp } = tested;
    const words = (imap.problem ?? smtp?.problem)?.message ?? "";
    throw new ApiError("connection_failed", words, { details: { imap, smtp } });
  }

  /** Makes the worker start, restart or end its work for the account at once, instead of within seconds. */
  syncNow({ id }: { id: string }): void {
    this.parts.platform.jobs.enqueue({ kind: SYNC_JOB, dedupe_key: id, payload: { account_id: id } });
  }

  /** @throws ApiError rate_limited if too many of the person's earlier requests are still running */
  async #inTurn<T>({ user_id }: Caller, ask: () => Promise<T>): Promise<T> {
    const asking = this.#asking.get(user_id) ?? 0;
    if (asking >= MAX_AT_ONCE) {
      throw new ApiError(
        "rate_limited",
        "Earlier connection tests are still waiting for their servers. Try again when they have finished.",
        { retryAfterS: 15 },
      );
    }
    this.#asking.set(user_id, asking + 1);
    try {
      return await ask();
    } finally {
      const left = this.#asking.get(user_id)! - 1;
      if (left > 0) this.#asking.set(user_id, left);
      else this.#asking.delete(user_id);
    }
  }

  async #withPassword(caller: Caller, account: Account, password: string | undefined): Promise<Connection | null> {
    if (password === undefined) return null;
    const connection = this.parts.mailbox.accounts.connection(account);
    if (!connection)
      throw invalidParam("password", reasonWithoutServer(account) ?? "No mail server is known for this mailbox.");
    if (connection.oauth)
      throw invalidParam(
        "password",
        "This mailbox signs in through its provider and uses no password. Connect it again to renew the sign-in.",
      );
    const { imap, smtp, username } = connection;
    await this.tryLogin(caller, { imap, smtp, username, password });
    return { ...connection, password };
  }
}

/** Returns the author of a caller's changes, for the audit log. */
export function authorOf({ actor, request_id }: Caller): Author {
  return { ...actor, request_id };
}

/**
 * Refuses changes that need a server: an imported mailbox is never watched, written to or sent from.
 * @throws ApiError invalid_params
 */
function refuseForFiles(account: Account, { paused, read_only, primary }: MailboxPatch): void {
  if (account.provider !== "imported") return;
  const why = reasonWithoutServer(account)!;
  if (paused) throw invalidParam("paused", `${why} There is nothing to pause.`);
  if (read_only === false) throw invalidParam("read_only", `${why} There is nothing to write to.`);
  if (primary) throw invalidParam("primary", `${why} It cannot send mail.`);
}

function profileOf({ email, exclude, aliases }: Account) {
  return { email, exclude, aliases };
}

function checkedAliases({ email }: Account, typed: readonly string[]): string[] {
  const kept: string[] = [];
  for (const [i, text] of typed.entries()) {
    const address = normalizeEmail(text.trim());
    if (address === null)
      throw invalidParam(`aliases[${i}]`, "This is not an email address. Use the form you@example.org.");
    if (!sameAddress(address, email) && !kept.some((one) => sameAddress(one, address))) kept.push(address);
  }
  return kept;
}
