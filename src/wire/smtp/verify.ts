import { createTransport } from "nodemailer";
import { type Problem, problem, problemOfSocket, quoted, refusedLogin } from "../problems.ts";
import { tlsOptions } from "../tls.ts";

/** The server and the credentials for submitting mail. */
export interface SmtpLogin {
  host: string;
  port: number;
  security: "tls" | "starttls" | "none";
  username: string;
  /** Unused when there is a token. */
  password: string;
  /** Logs in by XOAUTH2 instead of a password. */
  access_token?: string;
}

/** For each step. Short, because a person waits for the answer. */
const TIMEOUT_MS = 15_000;

/** Why mail cannot be submitted; `problem` never repeats the password. */
export class SmtpFailure extends Error {
  override readonly name = "SmtpFailure";

  constructor(readonly problem: Problem) {
    super(problem.message);
  }
}

/**
 * Connects, switches to TLS where configured, and logs in, without sending anything. A server that needs no login (a
 * relay in the home network) passes.
 * @param ca further certificate authorities as PEM text
 * @throws SmtpFailure
 */
export async function verifySmtp(login: SmtpLogin, ca: string | null): Promise<void> {
  const { host, port, security, username, password, access_token } = login;
  const transport = createTransport({
    host,
    port,
    secure: security === "tls",
    requireTLS: security === "starttls",
    ignoreTLS: security === "none",
    auth:
      access_token === undefined
        ? { user: username, pass: password }
        : { type: "OAuth2", user: username, accessToken: access_token },
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    dnsTimeout: TIMEOUT_MS,
    tls: tlsOptions(host, ca),
  });
  try {
    await transport.verify();
  } catch (error) {
    throw new SmtpFailure(explain(error, login));
  } finally {
    transport.close();
  }
}

interface Fault {
  code?: unknown;
  originalCode?: unknown;
  command?: unknown;
  message?: unknown;
  response?: unknown;
}

function explain(error: unknown, { host, security, password, access_token }: SmtpLogin): Problem {
  const fault = (typeof error === "object" && error !== null ? error : {}) as Fault;
  const { code, command, message, response } = fault;
  const text = typeof message === "string" ? message : "";
  const said = quoted(response, access_token ?? password);
  if (code === "EAUTH") {
    return access_token === undefined ? refusedLogin(host, said) : problem("token_refused", said);
  }
  if (security === "starttls" && (command === "STARTTLS" || /STARTTLS/i.test(text))) return problem("no_starttls");
  // RFC 5321 §3.8: 421 means that the service is currently not available.
  if (typeof response === "string" && response.startsWith("421")) return problem("too_many_connections", said);
  const found = problemOfSocket(error);
  return found.code === "connection_failed" && said ? problem("server_refused", said) : found;
}
