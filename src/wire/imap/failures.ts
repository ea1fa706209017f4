import { UserError } from "../../kernel/errors.ts";
import { CONNECTION_FAULTS } from "../connection-faults.ts";

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
  ...CONNECTION_FAULTS,
  ETIMEDOUT: "the server did not answer in time",
  ETIMEOUT: "the server did not answer in time",
  CONNECT_TIMEOUT: "the server did not answer in time",
  GREETING_TIMEOUT:
    "the server accepted the connection but said nothing; is this an IMAP port, and is the security right (tls, starttls or none)?",
  UPGRADE_TIMEOUT: "the server did not finish the change to TLS",
  NoConnection: "the server ended the connection",
  EConnectionClosed: "the server ended the connection",
  ClosedAfterConnectTLS: "the server closed the connection at once; is the security right (tls, starttls or none)?",
  ClosedAfterConnectText: "the server closed the connection at once; is the security right (tls, starttls or none)?",
};

/** The server understood a command and said no, over a connection that goes on. */
export function isRefusal(error: unknown): boolean {
  const { responseStatus, authenticationFailed } = (error ?? {}) as Fault;
  return responseStatus === "NO" && authenticationFailed !== true;
}

/** True for an error that is the server's NO or BAD to one command: some say BAD to what only one message makes them say. */
export function isRejection(error: unknown): boolean {
  return isRefusal(error) || (error as Fault | null)?.responseStatus === "BAD";
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
