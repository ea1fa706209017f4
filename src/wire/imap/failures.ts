import { UserError } from "../../kernel/errors.ts";

/** Why a connection failed, in the words of the status of the account and of a sentence that a person can act on. */
export interface ImapFailure {
  status: "auth_failed" | "unreachable";
  sentence: string;
}

interface Fault {
  code?: unknown;
  authenticationFailed?: unknown;
  responseStatus?: unknown;
  responseText?: unknown;
  serverResponseCode?: unknown;
  message?: unknown;
}

const SENTENCES: Record<string, string> = {
  ECONNREFUSED: "nothing listens at this host and port",
  ENOTFOUND: "the host name does not exist",
  EAI_AGAIN: "the host name could not be looked up (DNS is not answering)",
  ETIMEDOUT: "the server did not answer in time",
  CONNECT_TIMEOUT: "the server did not answer in time",
  GREETING_TIMEOUT:
    "the server accepted the connection but said nothing; is this an IMAP port, and is the security right (tls, starttls or none)?",
  UPGRADE_TIMEOUT: "the server did not finish the change to TLS",
  EHOSTUNREACH: "there is no route to this host",
  ENETUNREACH: "there is no network",
  ECONNRESET: "the server cut the connection; is the security right (tls, starttls or none)?",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the server's certificate is self-signed; name its authority in mail.ca_file",
  SELF_SIGNED_CERT_IN_CHAIN: "the server's certificate comes from an unknown authority; name it in mail.ca_file",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the server's certificate comes from an unknown authority; name it in mail.ca_file",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    "the server's certificate comes from an unknown authority; name it in mail.ca_file",
  CERT_HAS_EXPIRED: "the server's certificate has expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "the server's certificate is for another host name",
  ERR_SSL_WRONG_VERSION_NUMBER: "the server does not speak TLS at this port; try starttls or none",
  ClosedAfterConnectTLS: "the server closed the connection at once; is the security right (tls, starttls or none)?",
  ClosedAfterConnectText: "the server closed the connection at once; is the security right (tls, starttls or none)?",
};

/** The server understood a command and said no, over a connection that goes on. */
export function isRefusal(error: unknown): boolean {
  const { responseStatus, authenticationFailed } = (error ?? {}) as Fault;
  return responseStatus === "NO" && authenticationFailed !== true;
}

/** Explains a failed connection or login. */
export function explainImapFailure(error: unknown): ImapFailure {
  const fault = (typeof error === "object" && error !== null ? error : {}) as Fault;
  const code = typeof fault.code === "string" ? fault.code : "";
  if (fault.authenticationFailed === true) {
    const words =
      typeof fault.responseText === "string" && fault.responseText ? ` (it said: ${fault.responseText})` : "";
    return { status: "auth_failed", sentence: `the server refused the user name or password${words}` };
  }
  if (isRefusal(error)) {
    return { status: "unreachable", sentence: `the server refused a command (it said: ${String(fault.responseText)})` };
  }
  const message = typeof fault.message === "string" ? fault.message : "";
  if (/STARTTLS/i.test(message) && !SENTENCES[code]) {
    return { status: "unreachable", sentence: "the server offers no STARTTLS; try tls or none" };
  }
  const known = SENTENCES[code];
  const sentence =
    known ?? `the connection failed${code ? ` (${code})` : message ? ` (${message.slice(0, 120)})` : ""}`;
  return { status: "unreachable", sentence };
}

/** The same as an error that the command line shows. */
export function imapUserError(host: string, port: number, error: unknown): UserError {
  return new UserError(`${host}:${port}: ${explainImapFailure(error).sentence}`);
}
