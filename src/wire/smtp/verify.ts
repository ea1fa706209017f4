import { createTransport } from "nodemailer";
import { UserError } from "../../kernel/errors.ts";
import { CONNECTION_FAULTS } from "../connection-faults.ts";
import { tlsOptions } from "../tls.ts";

/** Where and how mail is submitted. */
export interface SmtpLogin {
  host: string;
  port: number;
  security: "tls" | "starttls" | "none";
  username: string;
  password: string;
}

const TIMEOUT_MS = 20_000;

/**
 * Connects, changes to TLS where asked for, and logs in, without sending anything. A server that asks nobody to log in
 * (a relay in the home network) passes.
 * @param ca PEM text of further certificate authorities
 * @throws UserError that names the server and the reason; never the password
 */
export async function verifySmtp(login: SmtpLogin, ca: string | null): Promise<void> {
  const transport = createTransport({
    host: login.host,
    port: login.port,
    secure: login.security === "tls",
    requireTLS: login.security === "starttls",
    ignoreTLS: login.security === "none",
    auth: { user: login.username, pass: login.password },
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    dnsTimeout: TIMEOUT_MS,
    tls: tlsOptions(login.host, ca),
  });
  try {
    await transport.verify();
  } catch (error) {
    throw new UserError(`${login.host}:${login.port} (SMTP): ${explain(error, login)}`);
  } finally {
    transport.close();
  }
}

const SENTENCES: Record<string, string> = {
  ...CONNECTION_FAULTS,
  EDNS: "the host name could not be looked up",
  ETIMEDOUT: "the server did not answer in time; is the security right (tls, starttls or none)?",
};

/** What the words of an error betray about its cause, where it carries no code of the system's. */
const TRACES: [RegExp, string][] = [
  [/wrong.version.number/i, "ERR_SSL_WRONG_VERSION_NUMBER"],
  [/self.signed/i, "DEPTH_ZERO_SELF_SIGNED_CERT"],
  [/greeting never received|timeout/i, "ETIMEDOUT"],
  [/closed/i, "ECONNRESET"],
];

interface Fault {
  code?: unknown;
  /** The system's code, where nodemailer put its own in place of it. */
  originalCode?: unknown;
  command?: unknown;
  message?: unknown;
  response?: unknown;
}

/** Says why, in words that a person can act on. */
function explain(error: unknown, { security, password }: SmtpLogin): string {
  const fault = (typeof error === "object" && error !== null ? error : {}) as Fault;
  const { code, command, message, response } = fault;
  const text = typeof message === "string" ? message : "";
  if (code === "EAUTH") {
    const words = typeof response === "string" ? response.split("\n")[0]!.slice(0, 200) : "";
    const quoted = words && !words.includes(password) ? ` (it said: ${words})` : "";
    return `the server refused the user name or password${quoted}`;
  }
  if (security === "starttls" && (command === "STARTTLS" || /STARTTLS/i.test(text))) {
    return "the server offers no STARTTLS; try tls or none";
  }
  const codes = [fault.originalCode, code, TRACES.find(([pattern]) => pattern.test(text))?.[1]];
  for (const known of codes) if (typeof known === "string" && SENTENCES[known]) return SENTENCES[known];
  return `the connection failed${typeof code === "string" ? ` (${code})` : ""}`;
}
