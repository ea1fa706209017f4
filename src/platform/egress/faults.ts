/** The kinds of failure of an outgoing request. */
export type EgressReason =
  | "refused"
  | "dns"
  | "connect"
  | "certificate"
  | "tls"
  | "timeout"
  | "reset"
  | "protocol"
  | "aborted";

/** An outgoing request without a response. `message` is a sentence for the person who configured the target. */
export class EgressFault extends Error {
  override readonly name = "EgressFault";

  constructor(
    readonly reason: EgressReason,
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

const UNKNOWN_AUTHORITY =
  "the certificate was issued by an unknown authority (you can configure a private one as ca_file)";

const KNOWN: Record<string, readonly [EgressReason, string]> = {
  ENOTFOUND: ["dns", "the host name does not exist"],
  ENODATA: ["dns", "the host name has no address"],
  EAI_AGAIN: ["dns", "the host name could not be resolved: DNS is not answering"],
  EAI_FAIL: ["dns", "the host name could not be resolved"],
  DNS_ENOTFOUND: ["dns", "the host name does not exist"],
  DNS_ENODATA: ["dns", "the host name has no address"],
  DNS_ETIMEOUT: ["dns", "the host name could not be resolved: DNS is not answering"],
  ECONNREFUSED: ["connect", "nothing is listening at this address and port"],
  EHOSTUNREACH: ["connect", "there is no route to this host"],
  ENETUNREACH: ["connect", "there is no network"],
  ETIMEDOUT: ["connect", "the connection attempt was not answered"],
  ECONNRESET: ["reset", "the receiver closed the connection"],
  EPIPE: ["reset", "the receiver closed the connection"],
  DEPTH_ZERO_SELF_SIGNED_CERT: ["certificate", `the certificate is self-signed: ${UNKNOWN_AUTHORITY}`],
  SELF_SIGNED_CERT_IN_CHAIN: ["certificate", UNKNOWN_AUTHORITY],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ["certificate", UNKNOWN_AUTHORITY],
  UNABLE_TO_GET_ISSUER_CERT: ["certificate", UNKNOWN_AUTHORITY],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ["certificate", UNKNOWN_AUTHORITY],
  CERT_UNTRUSTED: ["certificate", UNKNOWN_AUTHORITY],
  CERT_HAS_EXPIRED: ["certificate", "the certificate has expired"],
  CERT_NOT_YET_VALID: ["certificate", "the certificate is not valid yet"],
  CERT_REVOKED: ["certificate", "the certificate was revoked"],
  CERT_SIGNATURE_FAILURE: ["certificate", "the certificate's signature is wrong"],
  INVALID_PURPOSE: ["certificate", "the certificate is not meant for servers"],
  ERR_TLS_CERT_ALTNAME_INVALID: ["certificate", "the certificate is for another host name"],
  ERR_SSL_WRONG_VERSION_NUMBER: ["tls", "the receiver does not use TLS on this port"],
};

/** Converts an error of the socket or the resolver to an EgressFault with a message. */
export function explainFault(error: unknown): EgressFault {
  if (error instanceof EgressFault) return error;
  const code = (error as { code?: unknown } | null)?.code;
  const text = typeof code === "string" ? code : "";
  const known = KNOWN[text];
  if (known) return new EgressFault(known[0], known[1], error);
  if (text.startsWith("DNS_")) return new EgressFault("dns", `the host name could not be resolved (${text})`, error);
  if (/^(ERR_SSL|ERR_TLS|EPROTO)/.test(text)) {
    return new EgressFault("tls", `the TLS connection could not be established (${text})`, error);
  }
  if (/^(CERT_|UNABLE_TO_|HOSTNAME_|INVALID_CA|PATH_LENGTH)/.test(text)) {
    return new EgressFault("certificate", `the certificate was not accepted (${text})`, error);
  }
  return new EgressFault("connect", `the connection failed${text ? ` (${text})` : ""}`, error);
}
