/**
 * Everything that can fail between Postroom and a mail server, in one table: code → what happened and what to do. All
 * failures (IMAP, SMTP, OAuth2 sign-in) use these texts on the settings page, at the command line and in `last_error`.
 */
import { providerOfHost } from "./autoconfig/providers.ts";

const CA = "If the server is your own, add its certificate authority to mail.ca_file. Otherwise, do not connect.";
const PORTS = "IMAP is 993 (TLS) or 143 (STARTTLS); sending is 465 (TLS) or 587 (STARTTLS).";

const PROBLEMS = {
  name_not_found: ["the host name does not exist", "Check the spelling of the server name."],
  dns_unavailable: [
    "the host name could not be looked up",
    "DNS does not respond. Check the network connection of this machine.",
  ],
  refused: ["nothing listens at this host and port", `Check the port: ${PORTS}`],
  no_route: ["there is no route to this host", "Check the address and the network of this machine."],
  no_network: ["this machine has no network connection", "Connect this machine to the network."],
  timeout: [
    "the server did not answer in time",
    `The port may be wrong or blocked by a firewall, or the security setting (TLS, STARTTLS or none) may be wrong: ${PORTS}`,
  ],
  silent: [
    "the server accepted the connection but sent nothing",
    `Check that this is a mail port, and check the security setting (TLS, STARTTLS or none): ${PORTS}`,
  ],
  cut: ["the server cut the connection", "Check the security setting (TLS, STARTTLS or none)."],
  closed_at_once: ["the server closed the connection at once", "Check the security setting (TLS, STARTTLS or none)."],
  upgrade_failed: ["the server did not complete the switch to TLS", "Try the security setting TLS (port 993 or 465)."],
  not_tls: ["the server does not use TLS on this port", `Choose STARTTLS, or the TLS port. ${PORTS}`],
  no_starttls: [
    "the server offers no STARTTLS",
    "Choose TLS and its port (993 for IMAP, 465 for sending). Without TLS or STARTTLS, the password would be sent unencrypted.",
  ],
  certificate_self_signed: ["the server's certificate is self-signed", CA],
  certificate_unknown: ["the server's certificate is from an unknown authority", CA],
  certificate_expired: [
    "the server's certificate has expired",
    "The operator of the server must renew it. If it is still valid, check the clock of this machine.",
  ],
  certificate_not_yet_valid: ["the server's certificate is not valid yet", "Check the clock of this machine."],
  certificate_other_name: [
    "the server's certificate is for another host name",
    "Use the server name that the provider documents, not an IP address or another name for the same server.",
  ],
  certificate_invalid: ["the server's certificate was not accepted", "Contact the operator of the server."],
  tls_failed: [
    "the secure connection could not be established",
    "Postroom requires TLS 1.2 or later. The server may support only older versions, which are unsafe.",
  ],
  at_home: [
    "this server is in Postroom's private network or on the same machine",
    "Only the owner can connect to this server. To let members connect, the owner must add the server to mail.allow or connect a mailbox on the server first.",
  ],
  other_protocol: ["the server on this port uses another protocol", `Check the port: ${PORTS}`],
  login_refused: [
    "the server refused the username or password",
    "Some providers require the full email address as the username, or a separate app password for mail programs.",
  ],
  app_password: ["the provider refused the password", null],
  token_refused: ["the server refused the provider's token", "Sign in at the provider again to reconnect the mailbox."],
  access_withdrawn: [
    "the provider no longer grants access to Postroom",
    "The access was revoked or expired, or the password was changed. Sign in at the provider again to reconnect the mailbox.",
  ],
  no_oauth_client: [
    "the client ID for this provider is no longer stored",
    "The owner must add it again under Mailboxes, Google and Microsoft sign-in.",
  ],
  token_unavailable: [
    "the provider's sign-in service could not be reached",
    "The mailbox itself is fine. Postroom tries again automatically.",
  ],
  too_many_connections: [
    "the server allows no more connections",
    "Close other mail programs that use this mailbox, or wait a few minutes.",
  ],
  answer_too_large: [
    "the mail server sent an answer beyond what Postroom accepts",
    "Postroom discarded this answer and will try again later. If the problem continues, contact the operator of the server.",
  ],
  disk_full: ["this machine's disk is full", "Free up disk space. No mail is lost."],
  server_refused: ["the server refused a command", null],
  connection_failed: ["the connection failed", null],
} as const satisfies Record<string, readonly [message: string, advice: string | null]>;

export type ProblemCode = keyof typeof PROBLEMS;
export const PROBLEM_CODES = Object.keys(PROBLEMS) as ProblemCode[];

/** A failure as text. `message` and `advice` are whole sentences for the user; they never contain a password. */
export interface Problem {
  code: ProblemCode;
  message: string;
  /** Advice for the user; null for none. */
  advice: string | null;
}

/** @param detail details of this case, such as the server's answer; appended to the message in brackets */
export function problem(code: ProblemCode, detail = ""): Problem {
  const [message, advice] = PROBLEMS[code];
  return { code, message: sentence(detail === "" ? message : `${message} (${detail})`), advice };
}

/** Returns a refused login, with the advice of a provider that is known to need something other than the password. */
export function refusedLogin(host: string, said: string): Problem {
  const provider = providerOfHost(host);
  if (!provider?.passwordAdvice) return problem("login_refused", said);
  const { message } = problem("app_password", said);
  return {
    code: "app_password",
    message: message.replace("The provider", provider.name),
    advice: provider.passwordAdvice,
  };
}

/** Returns the problem as one text, for `last_error` and for the command line. */
export function formatProblem({ message, advice }: Problem): string {
  return advice === null ? message : `${message} ${advice}`;
}

/** The meaning of the error codes of Node, OpenSSL and the two mail libraries. */
const CODES: Readonly<Record<string, ProblemCode>> = {
  ECONNREFUSED: "refused",
  ENOTFOUND: "name_not_found",
  ENODATA: "name_not_found",
  EBADNAME: "name_not_found",
  EAI_NONAME: "name_not_found",
  EAI_NODATA: "name_not_found",
  EAI_AGAIN: "dns_unavailable",
  EAI_FAIL: "dns_unavailable",
  ESERVFAIL: "dns_unavailable",
  EREFUSED: "dns_unavailable",
  EBADRESP: "dns_unavailable",
  EDNS: "name_not_found",
  EHOSTUNREACH: "no_route",
  ENETUNREACH: "no_network",
  ECONNRESET: "cut",
  ETIMEDOUT: "timeout",
  ETIMEOUT: "timeout",
  CONNECT_TIMEOUT: "timeout",
  GREETING_TIMEOUT: "silent",
  UPGRADE_TIMEOUT: "upgrade_failed",
  NoConnection: "cut",
  EConnectionClosed: "cut",
  ClosedAfterConnectTLS: "closed_at_once",
  ClosedAfterConnectText: "closed_at_once",
  DEPTH_ZERO_SELF_SIGNED_CERT: "certificate_self_signed",
  SELF_SIGNED_CERT_IN_CHAIN: "certificate_unknown",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "certificate_unknown",
  UNABLE_TO_GET_ISSUER_CERT: "certificate_unknown",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "certificate_unknown",
  CERT_HAS_EXPIRED: "certificate_expired",
  CERT_NOT_YET_VALID: "certificate_not_yet_valid",
  CERT_SIGNATURE_FAILURE: "certificate_invalid",
  CERT_REVOKED: "certificate_invalid",
  INVALID_PURPOSE: "certificate_invalid",
  ERR_TLS_CERT_ALTNAME_INVALID: "certificate_other_name",
  ERR_SSL_WRONG_VERSION_NUMBER: "not_tls",
  EPROTO: "tls_failed",
};

/** Words in error messages that reveal the cause when the error has no specific code. */
const TRACES: readonly (readonly [RegExp, ProblemCode])[] = [
  [/wrong.version.number/i, "not_tls"],
  [/self.signed/i, "certificate_self_signed"],
  [/has expired/i, "certificate_expired"],
  [/greeting never received|timeout/i, "timeout"],
  [/ENOTFOUND/, "name_not_found"],
  [/ECONNREFUSED/, "refused"],
  [/invalid greeting/i, "other_protocol"],
  [/closed/i, "cut"],
];

interface Fault {
  code?: unknown;
  /** The system's code, when nodemailer replaced it with its own. */
  originalCode?: unknown;
  message?: unknown;
}

/** Returns the problem for a socket error; `connection_failed` for an unknown one. */
export function problemOfSocket(error: unknown): Problem {
  const { code, originalCode, message } = (typeof error === "object" && error !== null ? error : {}) as Fault;
  for (const each of [originalCode, code]) {
    const known = typeof each === "string" ? CODES[each] : undefined;
    if (known) return problem(known);
  }
  const text = typeof message === "string" ? message : "";
  const trace = TRACES.find(([pattern]) => pattern.test(text));
  if (trace) return problem(trace[1]);
  const name = typeof code === "string" ? code : "";
  if (/^(ERR_SSL|ERR_TLS)/.test(name)) return problem("tls_failed", name);
  if (/^(CERT_|UNABLE_TO_|HOSTNAME_|INVALID_CA|PATH_LENGTH)/.test(name)) return problem("certificate_invalid", name);
  return problem("connection_failed", name || text.slice(0, 120));
}

/** Returns a server's own text on one line of limited length; "" when it repeats the password. */
export function quoted(words: unknown, secret: string): string {
  if (typeof words !== "string") return "";
  const line = words
    .split(/[\r\n]/)[0]!
    .replaceAll(/\p{Cc}/gu, " ")
    .trim()
    .slice(0, 200);
  return line === "" || (secret !== "" && line.includes(secret)) ? "" : `it said: ${line}`;
}

function sentence(words: string): string {
  return `${words[0]!.toUpperCase()}${words.slice(1)}.`;
}
