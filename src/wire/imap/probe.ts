import type { Socket } from "node:net";
import { type Encryption, encryptionOf } from "../certificate.ts";
import { connectImap, type ImapLogin } from "./connect.ts";

/** What an IMAP server can do, and what it allows. */
export interface ImapFacts {
  encryption: Encryption | null;
  /** After login, upper case: "IDLE", "CONDSTORE", "APPENDLIMIT=35882577". */
  capabilities: string[];
  /** Room for mail, bytes; null where the server does not say. */
  quota: { used: number; limit: number } | null;
}

/** A person waits for the answer. */
const SOCKET_TIMEOUT_MS = 15_000;

/**
 * Logs in, asks what there is, and leaves.
 * @param ca PEM text of further certificate authorities
 * @throws what connecting throws; `explainImapFailure` has the words
 */
export async function probeImap(login: ImapLogin, ca: string | null): Promise<ImapFacts> {
  const client = await connectImap(login, { ca, socketTimeoutMs: SOCKET_TIMEOUT_MS });
  try {
    // imapflow keeps it to itself; without it nothing is known of the encryption, and nothing else is lost.
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
