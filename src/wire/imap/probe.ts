import type { Socket } from "node:net";
import { type Encryption, encryptionOf } from "../certificate.ts";
import { connectImap, type ImapLogin } from "./connect.ts";

/** Capabilities and limits of an IMAP server. */
export interface ImapFacts {
  encryption: Encryption | null;
  /** After login, upper case: "IDLE", "CONDSTORE", "APPENDLIMIT=35882577". */
  capabilities: string[];
  /** Mail storage, bytes; null when the server does not report it. */
  quota: { used: number; limit: number } | null;
}

/** Short, because a person waits for the answer. */
const SOCKET_TIMEOUT_MS = 15_000;

/**
 * Logs in, reads the facts about the server, and logs out.
 * @param ca further certificate authorities as PEM text
 * @throws what connecting throws; `explainImapFailure` puts it into words
 */
export async function probeImap(login: ImapLogin, ca: string | null): Promise<ImapFacts> {
  const client = await connectImap(login, { ca, socketTimeoutMs: SOCKET_TIMEOUT_MS });
  try {
    // imapflow does not expose the socket. Without it only the encryption is unknown.
    const { socket } = client as unknown as { socket?: Socket };
    const storage = client.capabilities.has("QUOTA")
      ? await client.getQuota("INBOX").catch(() => false as const)
      : false;
    const { usage, limit } = storage ? (storage.storage ?? {}) : {};
    return {
      encryption: encryptionOf(socket),
      capabilities: [...client.capabilities].map(([name, value]) =>
        typeof value === "number" ? `${name}=${value}` : name,
      ),
      quota: usage !== undefined && limit ? { used: usage, limit } : null,
    };
  } finally {
    await client.logout().catch(() => {});
    client.close();
  }
}
