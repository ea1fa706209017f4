import { afterEach, beforeEach, expect, test } from "bun:test";
import { type Scratch, scratchPlatform } from "../../../test/support/scratch-platform.ts";
import { Accounts } from "./accounts.ts";
import type { Provider } from "./tables.ts";

let scratch: Scratch;
let accounts: Accounts;
beforeEach(() => {
  scratch = scratchPlatform();
  accounts = new Accounts(scratch.platform);
});
afterEach(() => scratch.close());

const connect = (email: string, provider: Provider = "imap") =>
  accounts.add({ user_id: scratch.user.id, provider, email, connection: null });
const primary = () => accounts.list().flatMap(({ email, is_primary }) => (is_primary ? [email] : []));

test("when the primary mailbox is disconnected, the oldest remaining mailbox with a server becomes primary", () => {
  connect("old@imported.invalid", "imported");
  const first = connect("first@example.org");
  const second = connect("second@example.org");
  connect("third@example.org");
  expect(primary()).toEqual(["first@example.org"]);
  accounts.remove(first);
  expect(primary()).toEqual(["second@example.org"]);
  accounts.remove(accounts.get(second.id)!);
  expect(primary()).toEqual(["third@example.org"]);
});

test("an imported mailbox is never primary, and does not keep the next mailbox from becoming primary", () => {
  connect("old@imported.invalid", "imported");
  accounts.remove(connect("first@example.org"));
  expect(primary()).toEqual([]);
  connect("second@example.org");
  expect(primary()).toEqual(["second@example.org"]);
});

test("API keys that are bound to a mailbox are revoked with it", () => {
  const { keys, audit } = scratch.platform;
  const account = connect("first@example.org");
  const make = (account_id: string | null) =>
    keys.create({ user_id: scratch.user.id, name: "key", scopes: ["calendar:read"], test: false, account_id }).key.id;
  const [bound, free] = [make(account.id), make(null)];
  accounts.remove(account);
  expect([keys.get(bound)!.revoked_at, keys.get(free)!.revoked_at]).toEqual([scratch.clock.now(), null]);
  expect(audit.list(scratch.user.id, { limit: 9, action: "key.revoke" })).toMatchObject([{ target: bound }]);
});
