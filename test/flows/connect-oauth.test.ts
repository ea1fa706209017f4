import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo, Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SMTPServer } from "smtp-server";
import { type ConnectServices, openConnectServices } from "../../src/app/connect.ts";
import type { OAuthStart } from "../../src/features/connect/model.ts";
import { OAuthConnect } from "../../src/features/connect/oauth-service.ts";
import { Mailboxes } from "../../src/features/connect/service.ts";
import type { Caller } from "../../src/http/guard/caller.ts";
import { SYNC_JOB } from "../../src/mailbox/accounts/accounts.ts";
import { type Authority, createAuthority, OPENSSL } from "../support/certificates.ts";
import { DOVECOT, type Dovecot, startDovecot } from "../support/dovecot.ts";
import { eventually } from "../support/eventually.ts";
import { type LiveApp, startLiveApp } from "../support/live-app.ts";
import { dovecotOAuth, dovecotOAuthSettings, type OAuthServer, startOAuth } from "../support/oauth-server.ts";
import { storedNames } from "../upgrade/stored-names.ts";

const REDIRECT = "http://127.0.0.1:8025/app/oauth/callback";

/**
 * The whole program, a mail server and a submission server that accept tokens, and the server that issues the tokens.
 */
describe.skipIf(!DOVECOT || !OPENSSL)("a mailbox that uses sign-in at its provider", () => {
  const dir = mkdtempSync(join(tmpdir(), "postroom-oauth-"));
  let authority: Authority;
  let oauth: OAuthServer;
  let dovecot: Dovecot;
  let smtp: SMTPServer;
  let smtpPort: number;
  let live: LiveApp;
  let connecting: ConnectServices;
  let service: OAuthConnect;
  let caller: Caller;
  const sent: { user: string; raw: string }[] = [];
  let account_id: string;

  beforeAll(async () => {
    authority = createAuthority();
    oauth = await startOAuth(authority.issue(["127.0.0.1"]));
    const settings = join(dir, "oauth2.conf");
    writeFileSync(settings, dovecotOAuthSettings(oauth));
    dovecot = await startDovecot({ extraConfig: dovecotOAuth(settings) });
    smtp = new SMTPServer({
      ...authority.issue(["127.0.0.1"]),
      logger: false,
      authMethods: ["XOAUTH2"],
      onAuth: ({ username, accessToken }, _session, done) =>
        oauth.ownerOf(accessToken ?? "") === username
          ? done(null, { user: username })
          : done(null, { data: { status: "401", schemes: "bearer", scope: "mail" } }),
      onData(stream, session, done) {
        let raw = "";
        stream.on("data", (chunk) => {
          raw += String(chunk);
        });
        stream.on("end", () => {
          sent.push({ user: String(session.user), raw });
          done();
        });
      },
    });
    smtp.on("error", () => {});
    smtpPort = await new Promise<number>((resolve) => {
      const listener = smtp.listen(0, "127.0.0.1", () => resolve((listener.address() as AddressInfo).port)) as Server;
    });
    const ca_file = join(dir, "ca.pem");
    writeFileSync(ca_file, `${dovecot.ca}\n${authority.ca}`);
    live = await startLiveApp({
      "mail.ca_file": ca_file,
      "mail.allow": "127.0.0.1",
      "oauth.google_authorize_url": oauth.authorize_url,
      "oauth.google_token_url": oauth.token_url,
    });
    const { platform, mailbox } = live.app;
    connecting = openConnectServices(platform, mailbox);
    service = new OAuthConnect(connecting, new Mailboxes(connecting));
    const user = platform.users.list()[0]!;
    const actor = { kind: "user", id: user.id } as const;
    const key = {
      kind: "session",
      id: "ses_1",
      name: "",
      scopes: [],
      account_id: null,
      created_at: 0,
      readsContext: true,
    } as const;
    caller = { user_id: user.id, user, key, account_id: null, actor, isTest: false, request_id: "req_1" };
    connecting.clients.put(user.id, actor, "google", { ...oauth.client, tenant: "" });
    await dovecot.deliver(
      "alice",
      "From: bob@x.test\r\nTo: alice@mail.test\r\nSubject: first\r\nMessage-ID: <1@x>\r\n\r\nHello",
    );
  }, 60_000);
  afterAll(async () => {
    connecting?.close();
    await live?.close();
    smtp?.close();
    await dovecot?.stop();
    await oauth?.stop();
    authority?.remove();
    rmSync(dir, { recursive: true, force: true });
  }, 30_000);

  const servers = () => ({
    imap: { host: "127.0.0.1", port: dovecot.imapsPort, security: "tls" as const },
    smtp: { host: "127.0.0.1", port: smtpPort, security: "starttls" as const },
  });
  const signIn = async (body: Omit<OAuthStart, "provider" | "email">) => {
    const url = service.start(caller, { provider: "google", email: "alice@mail.test", ...body }, REDIRECT);
    return service.finish(caller, oauth.consent(url, "alice@mail.test"), (connected) =>
      live.app.platform.db.write(connected),
    );
  };
  const statusOf = async () => (await live.call("GET", "/accounts")).json.data[0];
  const subjects = async () =>
    (await live.call("GET", "/threads")).json.data.map(({ subject }: { subject: string }) => subject).sort();
  const renewals = () => oauth.asked.filter(({ grant_type }) => grant_type === "refresh_token").length;

  test("is connected after both logins succeed, and its mail arrives", async () => {
    const account = await signIn(servers());
    account_id = account.id;
    expect(account).toMatchObject({ email: "alice@mail.test", provider: "imap", status: "connecting" });
    await eventually(async () => (await subjects()).includes("first"), 20_000);
    expect(oauth.asked[0]).toMatchObject({ grant_type: "authorization_code", redirect_uri: REDIRECT });
    expect(renewals()).toBe(0);
  }, 40_000);

  test("the connection and its tokens are stored under the names of version 0.1", () => {
    const names = storedNames(live.app.platform);
    expect(names.get("accounts.connection")).toContain("oauth.granted_at");
    expect([...names.get("oauth_grants.tokens")!].sort()).toEqual(["access_token", "provider", "refresh_token"]);
  });

  test("a token that the servers refuse is refreshed once, for the reading and the sending thread", async () => {
    oauth.expire();
    dovecot.doveadm("kick", "alice@mail.test");
    await dovecot.deliver(
      "alice",
      "From: bob@x.test\r\nTo: alice@mail.test\r\nSubject: second\r\nMessage-ID: <2@x>\r\n\r\nHello",
    );
    live.app.platform.jobs.enqueue({ kind: SYNC_JOB, payload: { account_id } });
    await eventually(async () => (await subjects()).includes("second"), 30_000);
    expect(renewals()).toBe(1);
    const reply = await live.call("POST", "/messages/send", {
      body: { account_id, to: ["carol@x.test"], subject: "By token", body: "Hi", undo_window_s: 0 },
      headers: { "Idempotency-Key": "send-1" },
    });
    expect(reply.status).toBe(200);
    await eventually(() => sent.length === 1, 20_000);
    expect(sent[0]).toMatchObject({ user: "alice@mail.test", raw: expect.stringContaining("Subject: By token") });
    expect(renewals()).toBe(1);
  }, 60_000);

  test("revoked access is reported as such, and reconnecting restores it", async () => {
    oauth.withdraw();
    dovecot.doveadm("kick", "alice@mail.test");
    live.app.platform.jobs.enqueue({ kind: SYNC_JOB, payload: { account_id } });
    await eventually(async () => (await statusOf()).status === "auth_failed", 30_000);
    expect((await statusOf()).last_error).toContain("no longer grants access to Postroom");
    const before = renewals();
    const account = await signIn({ account_id });
    expect(account.id).toBe(account_id);
    await dovecot.deliver(
      "alice",
      "From: bob@x.test\r\nTo: alice@mail.test\r\nSubject: third\r\nMessage-ID: <3@x>\r\n\r\nHello",
    );
    await eventually(async () => (await subjects()).includes("third"), 30_000);
    expect((await statusOf()).status).toBe("active");
    expect(renewals()).toBe(before);
  }, 60_000);
});
