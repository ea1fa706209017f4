import type { ImapFlow } from "imapflow";
import { tlsOptions } from "../tls.ts";
import { boundResponses, LARGEST_LINE_BYTES, LARGEST_LITERAL_BYTES } from "./bounds.ts";
import { permitWrites } from "./permit.ts";

/** The server and the credentials of a login. */
export interface ImapLogin {
  host: string;
  port: number;
  security: "tls" | "starttls" | "none";
  username: string;
  /** Unused when there is a token. */
  password: string;
  /** Logs in by OAUTHBEARER or XOAUTH2 instead of a password. */
  access_token?: string;
}

export interface ConnectOptions {
  /** Further certificate authorities as PEM text. */
  ca: string | null;
  /** Timeout for connecting, and again for the greeting, ms. */
  connectTimeoutMs?: number;
  /** Maximum silence of the server, ms. */
  socketTimeoutMs?: number;
  /** Asked before everything that is written: when it returns false, the connection ends. By default, always true. */
  mayAct?: () => boolean;
  /** Renew IDLE after this long, ms (RFC 2177: before 29 minutes). */
  idleMs?: number;
}

const CONNECT_TIMEOUT_MS = 20_000;
const SOCKET_TIMEOUT_MS = 90_000;

/** Returns an IMAP connection that is logged in. An instance cannot be reused after it closes. */
export async function connectImap(login: ImapLogin, options: ConnectOptions): Promise<ImapFlow> {
  const tls = tlsOptions(login.host, options.ca);
  // Loaded for the first connection.
  const { ImapFlow: Client } = await import("imapflow");
  const client = new Client({
    host: login.host,
    port: login.port,
    secure: login.security === "tls",
    doSTARTTLS: login.security === "starttls",
    servername: tls.servername,
    tls,
    auth:
      login.access_token === undefined
        ? { user: login.username, pass: login.password }
        : { user: login.username, accessToken: login.access_token },
    clientInfo: { name: "Postroom" },
    logger: false,
    emitLogs: false,
    disableAutoIdle: true,
    // Inflating costs more than a home connection saves: a third of the time of a first sync on a small machine.
    disableCompression: true,
    maxLineLength: LARGEST_LINE_BYTES,
    maxLiteralSize: LARGEST_LITERAL_BYTES,
    maxResponseSize: 2 * LARGEST_LITERAL_BYTES,
    connectionTimeout: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    greetingTimeout: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    socketTimeout: options.socketTimeoutMs ?? SOCKET_TIMEOUT_MS,
    maxIdleTime: options.idleMs ?? 0,
    qresync: true,
  });
  // An 'error' event without a listener would end the process; the pending command rejects with the same error.
  client.on("error", () => {});
  boundResponses(client);
  if (options.mayAct) permitWrites(client, options.mayAct);
  try {
    await client.connect();
  } catch (error) {
    client.close();
    throw error;
  }
  return client;
}
