import { isIP } from "node:net";
import { type ConnectionOptions, checkServerIdentity, type PeerCertificate, rootCertificates } from "node:tls";

/**
 * Returns the TLS options of every connection to a mail server, from the first byte or after STARTTLS.
 * @param host a name or an IP address; the certificate must be valid for it
 * @param ca further certificate authorities as PEM text
 */
export function tlsOptions(host: string, ca: string | null): ConnectionOptions & { servername: string } {
  const isIp = isIP(host) !== 0;
  return {
    // In addition to the public ones: one mailbox may be at home and another at a provider.
    ...(ca ? { ca: [...rootCertificates, ca] } : {}),
    // Set explicitly; otherwise NODE_TLS_REJECT_UNAUTHORIZED in the environment would decide.
    rejectUnauthorized: true,
    minVersion: "TLSv1.2",
    // Bun refuses to switch to TLS without a server name, and an IP address is not one.
    servername: isIp ? "localhost" : host,
    ...(isIp ? { checkServerIdentity: (_name: string, cert: PeerCertificate) => checkServerIdentity(host, cert) } : {}),
  };
}
