export interface MailServer {
  host: string;
  port: number;
  security: "tls" | "starttls" | "none";
}

/** How a mailbox is reached, as far as that was found out. Servers without encryption are never among it. */
export interface Found {
  /** What the provider calls itself; null where it does not say. */
  name: string | null;
  /** Who said so: its settings over HTTPS, its DNS, our list of large providers, a server that answered to a guessed name; or nobody. */
  source: "autoconfig" | "srv" | "provider" | "ispdb" | "guess" | "none";
  imap: MailServer | null;
  smtp: MailServer | null;
  username: string;
  methods: ("password" | "oauth2")[];
  oauth: OAuthProvider | null;
  /** What one should know before going on; null where there is nothing. */
  advice: string | null;
}

/** Where signing in by OAuth2 takes place. */
export type OAuthProvider = "google" | "microsoft";
