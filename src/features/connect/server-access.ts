import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import type { Accounts } from "../../mailbox/accounts/accounts.ts";
import type { EgressGuard } from "../../platform/egress/guard.ts";
import type { Platform } from "../../platform/platform.ts";
import type { MailServer } from "../../wire/autoconfig/found.ts";

export interface ServerAccessParts {
  users: Pick<Platform["users"], "get" | "list">;
  accounts: Pick<Accounts, "list" | "connection">;
  /** The guard that applies `mail.allow`. */
  guard: EgressGuard;
  /** Returns all addresses of a name, as connecting resolves them. */
  resolve?: (host: string) => Promise<string[]>;
}

/**
 * Decides which mail servers a person may have contacted. The owner: any. A member: public servers, those in `mail.allow`,
 * and those that the owner's or their own mailboxes already use. Otherwise the result of a login test would show every
 * member what listens on this machine and in its network.
 */
export class ServerAccess {
  constructor(private readonly parts: ServerAccessParts) {}

  async isAllowed(user_id: string, server: MailServer): Promise<boolean> {
    const { users, guard, resolve = bySystem } = this.parts;
    if (users.get(user_id)?.role === "owner" || this.#isKnown(user_id, server)) return true;
    const { host } = server;
    const addresses = isIP(host) === 0 ? await resolve(host).catch(() => []) : [host];
    // The login itself reports a name that does not exist.
    return addresses.every((address) => isPermitted(guard, host, address));
  }

  #isKnown(user_id: string, { host, port }: MailServer): boolean {
    const { users, accounts } = this.parts;
    const owners = users.list().filter(({ role }) => role === "owner");
    return [user_id, ...owners.map(({ id }) => id)]
      .flatMap((id) => accounts.list(id))
      .map((account) => accounts.connection(account))
      .some((at) => [at?.imap, at?.smtp].some((server) => server?.host === host && server.port === port));
  }
}

function isPermitted(guard: EgressGuard, host: string, address: string): boolean {
  try {
    return guard.permitted(host, [address]).length > 0;
  } catch {
    return false;
  }
}

/** Resolves a name as sockets do, including short forms of addresses ("127.1"). */
async function bySystem(host: string): Promise<string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}
