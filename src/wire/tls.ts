import { isIP } from "node:net";
import { type ConnectionOptions, checkServerIdentity, type PeerCertificate, rootCertificates } from "node:tls";

/**
 * TLS as every connection to a mail server uses it, from the first byte or after STARTTLS.
 * @param host a name or an IP address; the certificate must be for it
 * @param ca PEM text of further certificate authorities
 */
export function tlsOptions(host: string, ca: string | null): ConnectionOptions & { servername: string } {
  const isIp = isIP(host) !== 0;
  return {
    // Beside the public ones, not in their place: one mailbox may be at home and another at a provider.
    ...(ca ? { ca: [...rootCertificates, ca] } : {}),
    // Said, or NODE_TLS_REJECT_UNAUTHORIZED of the environment would decide.
    rejectUnauthorized: true,
    minVersion: "TLSv1.2",
    // Bun refuses a change to TLS without a server name, and an IP address is none.
    servername: isIp ? "localhost" : host,
    ...(isIp ? { checkServerIdentity: (_name: string, cert: PeerCertificate) => checkServerIdentity(host, cert) } : {}),
  };
}
