import type { MailServer } from "./autoconfig/found.ts";
import type { Problem } from "./problems.ts";

/** The servers and credentials of a mailbox. */
export interface Login {
  imap: MailServer;
  smtp: MailServer | null;
  username: string;
  /** Unused when there is a token. */
  password: string;
  access_token?: string;
}

export interface LoginResult {
  ok: boolean;
  problem: Problem | null;
}

/** The results of both logins; `smtp` is null when there is no outgoing server. */
export interface LoginTest {
  imap: LoginResult;
  smtp: LoginResult | null;
  /** The kind of provider that the IMAP server identifies as. */
  provider: "imap" | "gmail" | "outlook";
}

/** Returns whether the logins to all servers succeeded. */
export function loginsSucceeded({ imap, smtp }: LoginTest): boolean {
  return imap.ok && (smtp === null || smtp.ok);
}
