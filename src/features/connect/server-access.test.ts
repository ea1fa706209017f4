import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createHarness, type Harness } from "../../../test/support/http-harness.ts";
import { createMailbox, type Mailbox } from "../../mailbox/mailbox.ts";
import { EgressGuard } from "../../platform/egress/guard.ts";
import type { MailServer } from "../../wire/autoconfig/found.ts";
import { ServerAccess } from "./server-access.ts";

let h: Harness;
let mailbox: Mailbox;
let owner_id: string;
beforeEach(() => {
  h = createHarness({});
  mailbox = createMailbox(h.platform);
  owner_id = h.session("owner@example.org", "owner").user.id;
});
afterEach(() => h.close());

const NAMES: Record<string, string[]> = {
  "imap.example.org": ["192.0.32.8"],
  "rebound.example.org": ["192.0.32.8", "127.0.0.1"],
  "mail.home.example": ["192.168.1.10"],
};
const at = (host: string, port = 993): MailServer => ({ host, port, security: "tls" });
function may(user_id: string, server: MailServer, allow: string[] = []): Promise<boolean> {
  const { users } = h.platform;
  const resolve = async (host: string) => NAMES[host] ?? Promise.reject(new Error("ENOTFOUND"));
  return new ServerAccess({ users, accounts: mailbox.accounts, guard: new EgressGuard(allow), resolve }).isAllowed(
    user_id,
    server,
  );
}
const connect = (user_id: string, server: MailServer) =>
  mailbox.accounts.add({
    user_id,
    provider: "imap",
    email: "someone@home.example",
    connection: { imap: server, smtp: null, username: "someone", password: "x" },
  });

describe("a member", () => {
  test.each(["imap.example.org", "192.0.32.8", "2606:2800:220:1::1", "nothing.example.org"])(
    "may connect a mailbox at %s",
    async (host) => expect(await may(h.user.id, at(host))).toBe(true),
  );

  test.each([
    "127.0.0.1",
    "::1",
    "::ffff:127.0.0.1",
    "0.0.0.0",
    "169.254.169.254",
    "10.0.0.1",
    "fd00::1",
    "mail.home.example",
    "rebound.example.org",
  ])("may not probe %s", async (host) => expect(await may(h.user.id, at(host))).toBe(false));

  test("may connect to a local server that the owner has listed or already uses for a mailbox", async () => {
    expect(await may(h.user.id, at("mail.home.example"), ["mail.home.example"])).toBe(true);
    expect(await may(h.user.id, at("192.168.1.10"), ["192.168.1.0/24"])).toBe(true);
    connect(owner_id, at("mail.home.example"));
    expect(await may(h.user.id, at("mail.home.example"))).toBe(true);
    expect(await may(h.user.id, at("mail.home.example", 22))).toBe(false);
  });

  test("learns nothing about the servers of other members' mailboxes", async () => {
    connect(h.newUser("bo@example.org").id, at("mail.home.example"));
    expect(await may(h.user.id, at("mail.home.example"))).toBe(false);
  });
});

test.each(["nowhere.invalid", "127.1", "2130706433", "0x7f.1"])(
  "%s is judged by the address it resolves to",
  async (host) => {
    const { users } = h.platform;
    const reach = new ServerAccess({ users, accounts: mailbox.accounts, guard: new EgressGuard([]) });
    const leadsHome = host !== "nowhere.invalid";
    expect(await reach.isAllowed(h.user.id, at(host))).toBe(!leadsHome);
    // If the machine's resolver does not respond, the lookup ends only after its timeout.
  },
  60_000,
);

test("the owner may connect a mailbox anywhere", async () => {
  for (const host of ["127.0.0.1", "mail.home.example"]) expect(await may(owner_id, at(host))).toBe(true);
});
