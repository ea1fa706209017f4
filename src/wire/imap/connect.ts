import { isIP } from "node:net";
import { checkServerIdentity, type PeerCertificate } from "node:tls";
import { ImapFlow } from "imapflow";

/** Where and how to log in. */
export interface ImapLogin {
  host: string;
  port: number;
  security: "tls" | "starttls" | "none";
  username: string;
  password: string;
}

export interface ConnectOptions {
  /** PEM text of further certificate authorities. */
  ca: string | null;
  /** How long a silent server is waited for, ms. */
  socket_timeout_ms?: number;
  /** Renew IDLE after this long, ms (RFC 2177: before 29 minutes). */
  idle_ms?: number;
}

const CONNECT_TIMEOUT_MS = 20_000;
const SOCKET_TIMEOUT_MS = 90_000;

/** An IMAP connection that is logged in. Instances cannot be reused after they close. */
export async function connectImap(login: ImapLogin, options: ConnectOptions): Promise<ImapFlow> {
  const client = new ImapFlow({
    host: login.host,
    port: login.port,
    secure: login.security === "tls",
    doSTARTTLS: login.security === "starttls",
    // Bun refuses an upgrade to TLS without a server name, and an IP address is none.
    servername: isIP(login.host) ? "localhost" : login.host,
    tls: {
      ...(options.ca ? { ca: options.ca } : {}),
      minVersion: "TLSv1.2",
      ...(isIP(login.host)
        ? { checkServerIdentity: (_name: string, cert: PeerCertificate) => checkServerIdentity(login.host, cert) }
        : {}),
    },
    auth: { user: login.username, pass: login.password },
    clientInfo: { name: "Postroom" },
    logger: false,
    emitLogs: false,
    disableAutoIdle: true,
    // Inflating costs more than a home line saves: a third of the time of a first sync on a small machine.
    disableCompression: true,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: options.socket_timeout_ms ?? SOCKET_TIMEOUT_MS,
    maxIdleTime: options.idle_ms ?? 0,
    qresync: true,
  });
  // An 'error' without a listener would end the process; the pending command rejects with the same fault.
  client.on("error", () => {});
  try {
    await client.connect();
  } catch (error) {
    client.close();
    throw error;
  }
  return client;
}
