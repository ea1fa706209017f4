export interface MailServer {
  host: string;
  port: number;
  security: "tls" | "starttls" | "none";
}

/** The result of the discovery, as far as it succeeded. Servers without encryption are never included. */
export interface Found {
  /** The provider's own name; null when it does not give one. */
  name: string | null;
  /**
   * The source: the provider's settings over HTTPS, its DNS, our list of large providers, Thunderbird's directory, a
   * server that answered to a guessed name, or none.
   */
  source: "autoconfig" | "srv" | "provider" | "ispdb" | "guess" | "none";
  imap: MailServer | null;
  smtp: MailServer | null;
  username: string;
  methods: ("password" | "oauth2")[];
  oauth: OAuthProvider | null;
  /** A warning for the user before continuing; null for none. */
  advice: string | null;
}

/** Providers that support signing in by OAuth2. */
export type OAuthProvider = "google" | "microsoft";
