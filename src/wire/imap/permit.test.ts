import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { DOVECOT, type Dovecot, startDovecot } from "../../../test/support/dovecot.ts";
import { startProxy } from "../../../test/support/imap-proxy.ts";
import { mailText } from "../../../test/support/mail-text.ts";
import { connectImap } from "./connect.ts";

describe.skipIf(!DOVECOT)("a server that may not act any more", () => {
  let dovecot: Dovecot;
  let proxy: Awaited<ReturnType<typeof startProxy>>;
  beforeAll(async () => {
    // This server asks before each literal.
    dovecot = await startDovecot({ capability: "IMAP4rev1" });
    proxy = await startProxy(dovecot.imapPort);
  });
  afterAll(async () => {
    await proxy?.close();
    await dovecot?.stop();
  });

  const login = () => ({ host: "127.0.0.1", port: proxy.port, security: "none" as const, ...dovecot.logins.alice });

  test("writes nothing more, neither the next command nor the rest of one", async () => {
    let left = Number.POSITIVE_INFINITY;
    const client = await connectImap(login(), { ca: null, mayAct: () => left-- > 0 });
    expect(await client.list()).not.toBeEmpty();
    // The command, but not the message, for which the server asks then.
    left = 1;
    const text = mailText({ id: "half", text: "something secret" });
    await expect(client.append("INBOX", text, [])).rejects.toThrow();
    expect(client.usable).toBe(false);
    expect(proxy.sent).toContain("APPEND");
    expect(proxy.sent).not.toContain("secret");
    await expect(client.mailboxOpen("INBOX")).rejects.toThrow();
    expect(proxy.sent).not.toContain("SELECT");
  });

  test("does not sign in", async () => {
    const before = proxy.sent.length;
    await expect(connectImap(login(), { ca: null, mayAct: () => false })).rejects.toThrow();
    expect(proxy.sent.slice(before)).toBe("");
  });
});
