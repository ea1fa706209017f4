/** What the codes of a failed connection to a mail server mean, in words that a person can act on. */
export const CONNECTION_FAULTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens at this host and port",
  ENOTFOUND: "the host name does not exist",
  EAI_AGAIN: "the host name could not be looked up (DNS is not answering)",
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
};
