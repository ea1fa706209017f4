import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";

/** The encryption of a connection. */
export interface Encryption {
  /** "TLSv1.3" */
  protocol: string;
  /** When the server's certificate expires, ms; null when it does not say. */
  certificateUntil: number | null;
}

/** Returns the encryption of a connection; null when it has none. */
export function encryptionOf(socket: Socket | null | undefined): Encryption | null {
  if (!(socket instanceof TLSSocket)) return null;
  const until = Date.parse(socket.getPeerCertificate().valid_to ?? "");
  return { protocol: socket.getProtocol() ?? "TLS", certificateUntil: Number.isNaN(until) ? null : until };
}
