import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type AddressInfo, createServer, type Server } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { SMTPServer } from "smtp-server";
import { type Authority, createAuthority, OPENSSL } from "../../test/support/certificates.ts";
import { DOVECOT, type Dovecot, startDovecot } from "../../test/support/dovecot.ts";
import { systemClock } from "../platform/clock.ts";
import type { MailServer } from "./autoconfig/found.ts";
import { speaksProtocol } from "./autoconfig/greeting.ts";
import { explainImapFailure } from "./imap/failures.ts";
import { type Login, loginsSucceeded } from "./login-test.ts";
import { testLogins } from "./logins.ts";
import { PROBLEM_CODES, problem, refusedLogin } from "./problems.ts";

describe.skipIf(!DOVECOT || !OPENSSL)("testing both logins of a mailbox", () => {
  let dovecot: Dovecot;
  let authority: Authority;
  let smtp: SMTPServer;
  let smtpPort: number;
  let ca: string;
  const opened: { close(): unknown }[] = [];

  beforeAll(async () => {
    dovecot = await startDovecot();
    authority = createAuthority();
    ca = `${dovecot.ca}\n${authority.ca}`;
    smtp = new SMTPServer({
      ...authority.issue(["127.0.0.1", "localhost"]),
      logger: false,
      onAuth: ({ username, password }, _session, done) =>
        password === dovecot.logins.alice.password ? done(null, { user: username }) : done(new Error("No such login")),
    });
    smtp.on("error", () => {});
    smtpPort = await portOf(smtp.listen(0, "127.0.0.1") as unknown as Server);
  });
  afterAll(async () => {
    for (const server of opened) server.close();
    smtp?.close();
    authority?.remove();
    await dovecot?.stop();
  });

  async function portOf(server: Server): Promise<number> {
    if (!server.listening) await new Promise((resolve) => server.once("listening", resolve));
    return (server.address() as AddressInfo).port;
  }
  const listen = (server: Server) => {
    opened.push(server);
    return portOf(server.listen(0, "127.0.0.1"));
  };
  const at = (port: number, security: MailServer["security"], host = "127.0.0.1"): MailServer => ({
    host,
    port,
    security,
  });
  const login = (more: Partial<Login> = {}): Login => ({
    imap: at(dovecot.imapsPort, "tls"),
    smtp: at(smtpPort, "starttls"),
    ...dovecot.logins.alice,
    ...more,
  });
  const codeAt = async (imap: MailServer) => (await testLogins(login({ imap, smtp: null }), ca)).imap.problem?.code;

  test("both logins succeed", async () => {
    const tested = await testLogins(login(), ca);
    expect(tested).toEqual({ imap: { ok: true, problem: null }, smtp: { ok: true, problem: null }, provider: "imap" });
    expect(loginsSucceeded(tested)).toBe(true);
    expect(await testLogins(login({ smtp: null }), ca)).toMatchObject({ imap: { ok: true }, smtp: null });
  }, 20_000);

  test("each login reports its own problem, and neither repeats the password", async () => {
    const tested = await testLogins(login({ password: "wr0ng-pa55" }), ca);
    expect(loginsSucceeded(tested)).toBe(false);
    for (const result of [tested.imap, tested.smtp!]) {
      expect(result).toMatchObject({ ok: false, problem: { code: "login_refused" } });
      expect(result.problem!.message).toStartWith("The server refused the username or password");
      expect(result.problem!.advice).toContain("app password");
    }
    expect(JSON.stringify(tested)).not.toContain("wr0ng-pa55");
    const half = await testLogins(login({ smtp: at(1, "tls") }), ca);
    expect(half).toMatchObject({ imap: { ok: true }, smtp: { ok: false, problem: { code: "refused" } } });
  }, 20_000);

  test("reports a wrong port, wrong security, and a name that does not exist", async () => {
    expect(await codeAt(at(1, "tls"))).toBe("refused");
    expect(await codeAt(at(dovecot.imapPort, "tls"))).toBe("not_tls");
    expect(await codeAt(at(993, "tls", "nowhere.invalid"))).toMatch(/name_not_found|dns_unavailable/);
    const sending = await testLogins(login({ smtp: at(smtpPort, "tls") }), ca);
    expect(sending.smtp?.problem?.code).toMatch(/not_tls|tls_failed|cut/);
  }, 30_000);

  test("reports certificates that are unknown, expired, or for another name", async () => {
    const greet = (certificate: { cert: string; key: string }) =>
      listen(createTlsServer(certificate, (socket) => void socket.on("error", () => {}).write("* OK ready\r\n")));
    const expired = await greet(authority.issue(["127.0.0.1"], -1));
    const elsewhere = await greet(authority.issue(["mail.elsewhere.test"]));
    expect(await codeAt(at(expired, "tls"))).toBe("certificate_expired");
    expect(await codeAt(at(elsewhere, "tls"))).toBe("certificate_other_name");
    const unknown = await testLogins(login({ smtp: null }), null);
    expect(unknown.imap.problem?.code).toMatch(/certificate_(self_signed|unknown)/);
    expect(unknown.imap.problem?.advice).toContain("mail.ca_file");
  }, 30_000);

  test("reports a server without STARTTLS, one that hangs up, and one of another protocol", async () => {
    const clear = await listen(
      createServer((socket) => {
        socket.on("error", () => {}).write("* OK [CAPABILITY IMAP4rev1 AUTH=PLAIN] ready\r\n");
        socket.on("data", (line: Buffer) => socket.write(`${String(line).split(" ")[0]} BAD what?\r\n`));
      }),
    );
    const rude = await listen(createServer((socket) => void socket.on("error", () => {}).end()));
    expect(await codeAt(at(clear, "starttls"))).toBe("no_starttls");
    expect(await codeAt(at(rude, "none"))).toMatch(/closed_at_once|cut/);
    // An IMAP server in place of an SMTP server.
    const imap = await testLogins(login({ smtp: at(dovecot.imapPort, "none") }), ca);
    expect(imap.smtp?.problem?.code).toBe("other_protocol");
    const noTls = new SMTPServer({ hideSTARTTLS: true, disabledCommands: ["STARTTLS"], logger: false });
    opened.push(noTls);
    const port = await portOf(noTls.listen(0, "127.0.0.1") as unknown as Server);
    expect((await testLogins(login({ smtp: at(port, "starttls") }), ca)).smtp?.problem?.code).toBe("no_starttls");
  }, 40_000);

  test("a server is detected without logging in", async () => {
    const asked = (kind: "imap" | "smtp", server: MailServer, authorities: string | null = ca) =>
      speaksProtocol(kind, server, { ca: authorities, clock: systemClock });
    expect(await asked("imap", at(dovecot.imapsPort, "tls"))).toBe(true);
    expect(await asked("imap", at(dovecot.imapPort, "starttls"))).toBe(true);
    expect(await asked("smtp", at(smtpPort, "starttls"))).toBe(true);
    expect(await asked("imap", at(dovecot.imapsPort, "tls"), null)).toBe(false);
    expect(await asked("imap", at(dovecot.imapPort, "tls"))).toBe(false);
    expect(await asked("imap", at(dovecot.imapPort, "none"))).toBe(false);
    expect(await asked("imap", at(smtpPort, "starttls"))).toBe(false);
    expect(await asked("smtp", at(dovecot.imapPort, "starttls"))).toBe(false);
    expect(await asked("smtp", at(1, "starttls"))).toBe(false);
  }, 40_000);
});

describe("the table of problems", () => {
  test.each(PROBLEM_CODES)("%s is reported in whole sentences", (code) => {
    const { message, advice } = problem(code, "it said: no");
    expect(message).toMatch(/^[A-Z].* \(it said: no\)\.$/);
    if (advice !== null) expect(advice).toMatch(/^[A-Z].*[.?]$/);
  });

  test("a server that repeats the password or the token is not quoted", () => {
    const refused = { authenticationFailed: true, responseText: "no luck with s3cret-of-mine" };
    for (const secret of [{ password: "s3cret-of-mine" }, { password: "", access_token: "s3cret-of-mine" }]) {
      const { sentence } = explainImapFailure(refused, { host: "imap.example.org", ...secret });
      expect(sentence).not.toContain("s3cret");
    }
  });

  test("a provider that needs an app password says so", () => {
    expect(refusedLogin("imap.gmail.com", "")).toMatchObject({
      code: "app_password",
      message: "Gmail refused the password.",
      advice: expect.stringContaining("Gmail wants an app password"),
    });
    expect(refusedLogin("smtp-mail.outlook.com", "").advice).toContain("sign in with Microsoft");
    expect(refusedLogin("mail.home.example", "").code).toBe("login_refused");
  });
});
