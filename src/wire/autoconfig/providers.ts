import type { MailServer, OAuthProvider } from "./found.ts";

/** A provider whose servers are known, because they are the same for all its users. */
export interface KnownProvider {
  name: string;
  /** The provider's own domains. */
  domains: readonly string[];
  /** Suffixes of its mail exchangers, to recognize customers' own domains; empty when those use other servers. */
  exchangers: readonly string[];
  imap: MailServer;
  smtp: MailServer;
  /** Advice after a refused password; null if the ordinary password is correct. */
  passwordAdvice: string | null;
  /** False when IMAP no longer accepts any password. */
  takesPassword: boolean;
  oauth: OAuthProvider | null;
}

const tls = (host: string, port: number): MailServer => ({ host, port, security: "tls" });
const starttls = (host: string, port: number): MailServer => ({ host, port, security: "starttls" });

const appPassword = (name: string, where: string) =>
  `${name} wants an app password for mail programs, not the password of the website. ${where}`;

/** Sources: the providers' own pages about mail programs, November 2026. */
export const PROVIDERS: readonly KnownProvider[] = [
  {
    name: "Gmail",
    domains: ["gmail.com", "googlemail.com"],
    exchangers: ["google.com", "googlemail.com"],
    imap: tls("imap.gmail.com", 993),
    smtp: tls("smtp.gmail.com", 465),
    passwordAdvice: appPassword(
      "Gmail",
      "Make one at myaccount.google.com/apppasswords (it needs 2-step verification), or sign in with Google here.",
    ),
    takesPassword: true,
    oauth: "google",
  },
  {
    name: "Outlook",
    domains: [
      ...["outlook.com", "hotmail.com", "live.com", "msn.com", "outlook.de", "outlook.fr", "hotmail.co.uk"],
      ...["hotmail.de", "hotmail.fr", "hotmail.it", "live.co.uk", "live.de", "live.fr", "live.nl"],
    ],
    exchangers: ["protection.outlook.com", "mx.microsoft"],
    imap: tls("outlook.office365.com", 993),
    smtp: starttls("smtp.office365.com", 587),
    passwordAdvice: "Outlook takes no passwords from mail programs any more: sign in with Microsoft instead.",
    takesPassword: false,
    oauth: "microsoft",
  },
  {
    name: "iCloud",
    domains: ["icloud.com", "me.com", "mac.com"],
    exchangers: ["mail.icloud.com"],
    imap: tls("imap.mail.me.com", 993),
    smtp: starttls("smtp.mail.me.com", 587),
    passwordAdvice: appPassword("iCloud", "Make one at account.apple.com, Sign-In and Security."),
    takesPassword: true,
    oauth: null,
  },
  {
    name: "Yahoo",
    domains: [
      ...["yahoo.com", "ymail.com", "rocketmail.com", "yahoo.co.uk", "yahoo.de", "yahoo.fr", "yahoo.it", "yahoo.es"],
    ],
    exchangers: ["yahoodns.net"],
    imap: tls("imap.mail.yahoo.com", 993),
    smtp: tls("smtp.mail.yahoo.com", 465),
    passwordAdvice: appPassword("Yahoo", "Make one in the account's security settings."),
    takesPassword: true,
    oauth: null,
  },
  {
    name: "AOL",
    domains: ["aol.com"],
    exchangers: [],
    imap: tls("imap.aol.com", 993),
    smtp: tls("smtp.aol.com", 465),
    passwordAdvice: appPassword("AOL", "Make one in the account's security settings."),
    takesPassword: true,
    oauth: null,
  },
  {
    name: "Fastmail",
    domains: ["fastmail.com", "fastmail.fm"],
    exchangers: ["messagingengine.com"],
    imap: tls("imap.fastmail.com", 993),
    smtp: tls("smtp.fastmail.com", 465),
    passwordAdvice: appPassword("Fastmail", "Make one under Settings, Privacy & Security."),
    takesPassword: true,
    oauth: null,
  },
  {
    name: "GMX",
    domains: ["gmx.net", "gmx.de", "gmx.at", "gmx.ch"],
    exchangers: [],
    imap: tls("imap.gmx.net", 993),
    smtp: tls("mail.gmx.net", 465),
    passwordAdvice:
      "GMX lets mail programs in only after POP3 and IMAP were switched on in the website's settings; with two-factor sign-in it wants an app password.",
    takesPassword: true,
    oauth: null,
  },
  {
    name: "GMX",
    domains: ["gmx.com", "gmx.us", "gmx.co.uk"],
    exchangers: [],
    imap: tls("imap.gmx.com", 993),
    smtp: tls("mail.gmx.com", 465),
    passwordAdvice: "GMX lets mail programs in only after POP3 and IMAP were switched on in the website's settings.",
    takesPassword: true,
    oauth: null,
  },
  {
    name: "WEB.DE",
    domains: ["web.de"],
    exchangers: [],
    imap: tls("imap.web.de", 993),
    smtp: starttls("smtp.web.de", 587),
    passwordAdvice:
      "WEB.DE lets mail programs in only after POP3 and IMAP were switched on in the website's settings; with two-factor sign-in it wants an app password.",
    takesPassword: true,
    oauth: null,
  },
  {
    name: "mailbox.org",
    domains: ["mailbox.org"],
    exchangers: ["mailbox.org"],
    imap: tls("imap.mailbox.org", 993),
    smtp: tls("smtp.mailbox.org", 465),
    passwordAdvice: null,
    takesPassword: true,
    oauth: null,
  },
  {
    name: "Posteo",
    domains: ["posteo.de", "posteo.net", "posteo.org"],
    exchangers: [],
    imap: tls("posteo.de", 993),
    smtp: tls("posteo.de", 465),
    passwordAdvice: null,
    takesPassword: true,
    oauth: null,
  },
];

/** Returns the provider of an address's domain; null if it is not known. */
export function providerOfDomain(domain: string): KnownProvider | null {
  return PROVIDERS.find(({ domains }) => domains.includes(domain)) ?? null;
}

/**
 * Returns the provider that receives mail for a domain; null if it is not known. @param exchangers names of its MX
 * records, best first
 */
export function providerOfExchangers(exchangers: readonly string[]): KnownProvider | null {
  for (const name of exchangers) {
    const found = PROVIDERS.find((provider) => provider.exchangers.some((end) => isUnder(name, end)));
    if (found) return found;
  }
  return null;
}

/** Returns the provider of a mail server; null if it is not known. */
export function providerOfHost(host: string): KnownProvider | null {
  const name = host.toLowerCase().replace(/\.$/, "");
  const others: Record<string, string> = { "smtp-mail.outlook.com": "Outlook", "imap-mail.outlook.com": "Outlook" };
  const wanted = others[name];
  return (
    PROVIDERS.find(({ name: of, imap, smtp }) => of === wanted || imap.host === name || smtp.host === name) ?? null
  );
}

function isUnder(name: string, end: string): boolean {
  return name === end || name.endsWith(`.${end}`);
}
