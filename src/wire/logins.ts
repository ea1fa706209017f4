import type { MailServer } from "./autoconfig/found.ts";
import { providerOfHost } from "./autoconfig/providers.ts";
import { connectImap } from "./imap/connect.ts";
import { explainImapFailure } from "./imap/failures.ts";
import { isGmail } from "./imap/gmail.ts";
import type { Login, LoginResult, LoginTest } from "./login-test.ts";
import { problem, problemOfSocket } from "./problems.ts";
import { SmtpFailure, verifySmtp } from "./smtp/verify.ts";

/** For each step of a login: a person waits for the answer, and the browser for less than a minute. */
const STEP_MS = 15_000;

/**
 * Logs in once to each server in parallel, without reading or sending anything.
 * @param ca further certificate authorities as PEM text
 * @param mayReach whether the caller may reach a server; a forbidden one is reported as a problem
 */
export async function testLogins(
  login: Login,
  ca: string | null,
  mayReach: (server: MailServer) => Promise<boolean> = () => Promise.resolve(true),
): Promise<LoginTest> {
  const { imap, smtp, ...credentials } = login;
  const [mayRead, maySend] = await Promise.all([mayReach(imap), smtp === null || mayReach(smtp)]);
  const [read, sent] = await Promise.all([
    mayRead ? tryImap({ ...imap, ...credentials }, ca) : { result: AT_HOME, provider: "imap" as const },
    smtp && (maySend ? trySmtp({ ...smtp, ...credentials }, ca) : AT_HOME),
  ]);
  return { imap: read.result, smtp: sent, provider: read.provider };
}

const GOOD: LoginResult = { ok: true, problem: null };
const AT_HOME: LoginResult = { ok: false, problem: problem("at_home") };

async function tryImap(login: Parameters<typeof connectImap>[0], ca: string | null) {
  const outlook = providerOfHost(login.host)?.oauth === "microsoft";
  const provider: LoginTest["provider"] = outlook ? "outlook" : "imap";
  try {
    const client = await connectImap(login, { ca, connectTimeoutMs: STEP_MS, socketTimeoutMs: STEP_MS });
    const gmail = isGmail(client);
    await client.logout().catch(() => {});
    client.close();
    return { result: GOOD, provider: gmail ? ("gmail" as const) : provider };
  } catch (error) {
    return { result: { ok: false, problem: explainImapFailure(error, login).problem }, provider };
  }
}

async function trySmtp(login: Parameters<typeof verifySmtp>[0], ca: string | null): Promise<LoginResult> {
  try {
    await verifySmtp(login, ca);
    return GOOD;
  } catch (error) {
    return { ok: false, problem: error instanceof SmtpFailure ? error.problem : problemOfSocket(error) };
  }
}
