import type { Socket } from "node:net";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import { type Encryption, encryptionOf } from "../certificate.ts";
import { tlsOptions } from "../tls.ts";
import { extensionsOf } from "./session.ts";
import { type SmtpLogin, verifySmtp } from "./verify.ts";

/** Capabilities and limits of an SMTP server. */
export interface SmtpFacts {
  encryption: Encryption | null;
  /** Keywords of the EHLO answer, upper case, with their values: "SIZE" → "35882577". */
  extensions: ReadonlyMap<string, string>;
  /** The largest message that the server accepts, bytes; null when it does not say (RFC 1870). */
  largestBytes: number | null;
}

const TIMEOUT_MS = 15_000;

/**
 * Logs in, reads the facts about the server, and disconnects without sending anything.
 * @param ca further certificate authorities as PEM text
 * @throws SmtpFailure for the login; otherwise what the connection throws
 */
export async function probeSmtp(login: SmtpLogin, ca: string | null): Promise<SmtpFacts> {
  await verifySmtp(login, ca);
  const connection = new SMTPConnection({
    host: login.host,
    port: login.port,
    secure: login.security === "tls",
    requireTLS: login.security === "starttls",
    ignoreTLS: login.security === "none",
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    tls: tlsOptions(login.host, ca),
  });
  try {
    await new Promise<void>((resolve, reject) => {
      connection.on("error", reject);
      connection.on("end", () => reject(new Error("the server closed the connection")));
      connection.connect((error) => (error ? reject(error) : resolve()));
    });
    const extensions = extensionsOf(connection.lastServerResponse);
    const size = Number(extensions.get("SIZE") ?? "");
    const { _socket: socket } = connection as unknown as { _socket?: Socket };
    return { encryption: encryptionOf(socket), extensions, largestBytes: size > 0 ? size : null };
  } finally {
    connection.quit();
  }
}
