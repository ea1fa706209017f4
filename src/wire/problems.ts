/**
 * Everything that can fail between Postroom and a mail server, in one table: code → what happened and what to do. All
 * failures (IMAP, SMTP, OAuth2 sign-in) use these texts on the settings page, at the command line and in `last_error`.
 */
import { providerOfHost } from "./autoconfig/providers.ts";

const CA = "If it is a server of your own, name its authority in mail.ca_file; else do not go on.";
const PORTS = "IMAP is 993 (TLS) or 143 (STARTTLS); sending is 465 (TLS) or 587 (STARTTLS).";

const PROBLEMS = {
  name_not_found: ["the host name does not exist", "Look for a typing mistake in the server's name."],
  dns_unavailable: ["the host name could not be looked up", "DNS is not answering: is this machine on the network?"],
  refused: ["nothing listens at this host and port", `Look at the port: ${PORTS}`],
  no_route: ["there is no route to this host", "Look at the address, and at the network of this machine."],
  no_network: ["there is no network", "Connect this machine to the network."],
  timeout: [
    "the server did not answer in time",
    `The port may be wrong or blocked by a firewall, or the security is (TLS, STARTTLS or none): ${PORTS}`,
  ],
  silent: [
    "the server accepted the connection but said nothing",
    `Is this a port for mail, and is the security right (TLS, STARTTLS or none)? ${PORTS}`,
  ],
  cut: ["the server cut the connection", "Is the security right (TLS, STARTTLS or none)?"],
  closed_at_once: ["the server closed the connection at once", "Is the security right (TLS, STARTTLS or none)?"],
  upgrade_failed: ["the server did not finish the change to TLS", "Try TLS from the start (993 or 465)."],
  not_tls: [
    "the server does not speak TLS at this port",
    `Choose STARTTLS, or the port that is made for TLS. ${PORTS}`,
  ],
  no_starttls: [
    "the server offers no STARTTLS",
    "Choose TLS and its port (993 for IMAP, 465 for sending). Without either the password would cross the network in the clear.",
  ],
  certificate_self_signed: ["the server's certificate is self-signed", CA],
  certificate_unknown: ["the server's certificate comes from an unknown authority", CA],
  certificate_expired: [
    "the server's certificate has expired",
    "Its operator has to renew it; if it is not, look at the clock of this machine.",
  ],
  certificate_not_yet_valid: ["the server's certificate is not valid yet", "Look at the clock of this machine."],
  certificate_other_name: [
    "the server's certificate is for another host name",
    "Use the server name that the provider gives, not an address or a name of your own.",
  ],
  certificate_invalid: ["the server's certificate was not accepted", "Ask the operator of the server."],
  tls_failed: ["the secure connection could not be made", "The server may only know TLS before 1.2, which is unsafe."],
  at_home: [
    "this server stands in the network of this Postroom, or on its machine",
    "Its owner may connect it. For members, the owner lists the server under mail.allow, or connects a mailbox there first.",
  ],
  other_protocol: ["something else than this kind of mail server answers at this port", `Look at the port: ${PORTS}`],
  login_refused: [
    "the server refused the user name or password",
    "Some providers want the whole address as the user name, and some an app password of its own for mail programs.",
  ],
  app_password: ["the provider refused the password", null],
  token_refused: ["the server refused the provider's token", "Connect the mailbox again by signing in there."],
  access_withdrawn: [
    "the provider has withdrawn Postroom's access",
    "Connect the mailbox again by signing in there: the access was revoked, has expired or the password was changed.",
  ],
  no_oauth_client: [
    "the client id of this provider is no longer stored here",
    "The owner stores it again under Mailboxes, Sign-in with Google or Microsoft.",
  ],
  token_unavailable: [
    "the provider's sign-in service could not be reached",
    "Nothing is wrong with the mailbox; it is tried again by itself.",
  ],
  too_many_connections: [
    "the server allows no further connection",
    "Close other mail programs on this mailbox, or wait some minutes.",
  ],
  answer_too_large: [
    "the mail server sent an answer beyond what Postroom accepts",
    "Nothing of this answer was used. Postroom tries again later; if it stays so, ask the operator of the server.",
  ],
  disk_full: ["this machine's disk is full", "Make room; nothing is lost meanwhile."],
  server_refused: ["the server refused a command", null],
  connection_failed: ["the connection failed", null],
} as const satisfies Record<string, readonly [message: string, advice: string | null]>;

export type ProblemCode = keyof typeof PROBLEMS;
export const PROBLEM_CODES = Object.keys(PROBLEMS) as ProblemCode[];

/** A failure as text. `message` and `advice` are whole sentences for the user; they never contain a password. */
export interface Problem {
  code: ProblemCode;
  message: string;
  /** What to do about it; null for no advice. */
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
export function inWords({ message, advice }: Problem): string {
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
