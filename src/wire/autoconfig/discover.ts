/**
 * Discovers the servers of a mailbox from its address, without a password and without involving unnecessary third
 * parties.
 */
import type { EgressClient } from "../../platform/egress/client.ts";
import { normalizeEmail } from "../smtp/addresses.ts";
import { type Address, type ConfigFile, readConfigFile } from "./config-file.ts";
import { type MailDns, serversByDns } from "./dns.ts";
import type { Found, MailServer } from "./found.ts";
import { type KnownProvider, providerOfDomain, providerOfExchangers, providerOfHost } from "./providers.ts";

export interface DiscoverParts {
  egress: Pick<EgressClient, "request">;
  dns: MailDns;
  /** True when a mail server answers at the address (see `answers`). */
  speaksProtocol: (kind: "imap" | "smtp", server: MailServer) => Promise<boolean>;
  /** URL of Thunderbird's directory, to which the domain is appended; null disables the directory. */
  ispdb_url: string | null;
}

/** Timeout of each request; requests run in parallel with the DNS lookups. */
const REQUEST_MS = 5_000;
const MAX_FILE_BYTES = 64 * 1024;
const MAX_REDIRECTS = 2;

const CLEAR =
  "The provider's settings name only servers without encryption, which Postroom does not use. Ask the provider for a secure server.";
const NOTHING =
  "No mail servers were found for this address. Find the names of the IMAP and SMTP servers in the provider's help pages.";
const GUESSED = "The servers were found by trying common names. Compare them with the provider's help pages.";

/**
 * Discovers the servers of a mailbox. The sources are tried in this order: our list of large providers, the provider's
 * own settings over HTTPS, its DNS, its mail exchangers, Thunderbird's directory where that is allowed, and servers
 * that answer to usual names.
 * @returns null when the input is not an address
 */
export async function discover(parts: DiscoverParts, typed: string): Promise<Found | null> {
  const address = addressOf(typed);
  if (!address) return null;
  const listed = providerOfDomain(address.domain);
  if (listed) return ofProvider(listed, address);
  const [file, named, exchangers] = await Promise.all([
    ownFile(parts, address),
    serversByDns(parts.dns, address.domain),
    parts.dns.mx(address.domain),
  ]);
  const said = file && ofFile(file, "autoconfig");
  if (said) return said;
  if (named.imap) return ofDns({ imap: named.imap, smtp: named.smtp }, address);
  const hosted = providerOfExchangers(exchangers);
  if (hosted) return ofProvider(hosted, address);
  const directory = await ofDirectory(parts, address);
  if (directory) return directory;
  const guessed = await byUsualNames(parts, address);
  return { ...guessed, advice: file?.offersClear && !guessed.imap ? CLEAR : guessed.advice };
}

function addressOf(typed: string): Address | null {
  const email = normalizeEmail(typed.trim());
  if (email === null || email.endsWith("]")) return null;
  const at = email.lastIndexOf("@");
  return { email, local: email.slice(0, at), domain: email.slice(at + 1) };
}

function ofProvider(provider: KnownProvider, { email }: Address): Found {
  const { name, imap, smtp, oauth, takesPassword, passwordAdvice } = provider;
  return {
    name,
    source: "provider",
    imap,
    smtp,
    username: email,
    methods: methodsOf(takesPassword, oauth),
    oauth,
    advice: passwordAdvice,
  };
}

function methodsOf(takesPassword: boolean, oauth: KnownProvider["oauth"]): Found["methods"] {
  return [...(takesPassword ? (["password"] as const) : []), ...(oauth ? (["oauth2"] as const) : [])];
}

/** Returns null when the file names no usable IMAP server. */
function ofFile(file: ConfigFile, source: "autoconfig" | "ispdb"): Found | null {
  const [imap, smtp] = [file.imap[0], file.smtp[0]];
  if (!imap) return null;
  const known = providerOfHost(imap.host);
  return {
    name: file.name,
    source,
    imap: serverOf(imap),
    smtp: smtp ? serverOf(smtp) : null,
    username: imap.username,
    methods: known ? methodsOf(known.takesPassword, known.oauth) : imap.methods,
    oauth: known?.oauth ?? imap.oauth,
    advice: known?.passwordAdvice ?? null,
  };
}

function ofDns(servers: { imap: MailServer; smtp: MailServer | null }, { email, domain }: Address): Found {
  const known = providerOfHost(servers.imap.host);
  const outside = [servers.imap, servers.smtp].filter((server) => server && !isUnder(server.host, domain));
  // RFC 6186 §6: DNS is not protected, so the user must check names outside the domain.
  const elsewhere = `The domain's DNS names servers of another domain (${outside.map((server) => server!.host).join(", ")}). Continue only if that is your provider.`;
  return {
    name: known?.name ?? null,
    source: "srv",
    ...servers,
    username: email,
    methods: known ? methodsOf(known.takesPassword, known.oauth) : ["password"],
    oauth: known?.oauth ?? null,
    advice: known?.passwordAdvice ?? (outside.length > 0 ? elsewhere : null),
  };
}

function serverOf({ host, port, security }: MailServer): MailServer {
  return { host, port, security };
}

function isUnder(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}

/** Fetches the provider's own settings. It is the provider of the address, so it may receive it. */
async function ownFile(parts: DiscoverParts, address: Address): Promise<ConfigFile | null> {
  const query = `?emailaddress=${encodeURIComponent(address.email)}`;
  const [own, wellKnown] = await Promise.all([
    fetchFile(parts, `https://autoconfig.${address.domain}/mail/config-v1.1.xml${query}`, address),
    fetchFile(parts, `https://${address.domain}/.well-known/autoconfig/mail/config-v1.1.xml${query}`, address),
  ]);
  return own?.imap.length ? own : (wellKnown ?? own);
}

async function ofDirectory(parts: DiscoverParts, address: Address): Promise<Found | null> {
  if (parts.ispdb_url === null) return null;
  const file = await fetchFile(parts, parts.ispdb_url + address.domain, address);
  return file && ofFile(file, "ispdb");
}

async function fetchFile(parts: DiscoverParts, url: string, address: Address): Promise<ConfigFile | null> {
  try {
    for (let hop = 0, at = url; hop <= MAX_REDIRECTS; hop++) {
      const { status, headers, body, truncated } = await parts.egress.request({
        method: "GET",
        url: at,
        headers: { Accept: "text/xml, application/xml" },
        timeoutMs: REQUEST_MS,
        maxBodyBytes: MAX_FILE_BYTES,
      });
      const next = headers.location;
      if (status >= 301 && status <= 308 && next && URL.canParse(next, at)) at = new URL(next, at).href;
      else return status === 200 && !truncated ? readConfigFile(Buffer.from(body).toString(), address) : null;
    }
  } catch {
    // No server, no HTTPS, or a host that the guard blocks: there are no settings.
  }
  return null;
}

const USUAL = {
  imap: {
    names: ["imap", "mail"],
    endpoints: [
      [993, "tls"],
      [143, "starttls"],
    ],
  },
  smtp: {
    names: ["smtp", "mail"],
    endpoints: [
      [465, "tls"],
      [587, "starttls"],
    ],
  },
} as const;

/** Tries all usual names in parallel; returns the first in order of preference that really answers. */
async function byUsualNames(parts: DiscoverParts, { email, domain }: Address): Promise<Found> {
  const one = async (kind: "imap" | "smtp"): Promise<MailServer | null> => {
    const { names, endpoints } = USUAL[kind];
    const hosts = [...names.map((name) => `${name}.${domain}`), domain];
    const servers = endpoints.flatMap(([port, security]) =>
      hosts.map((host): MailServer => ({ host, port, security })),
    );
    const reachable = await Promise.all(servers.map((server) => parts.speaksProtocol(kind, server)));
    return servers.find((_, i) => reachable[i]) ?? null;
  };
  const [imap, smtp] = await Promise.all([one("imap"), one("smtp")]);
  const base = { name: null, username: email, methods: ["password"] as Found["methods"], oauth: null };
  if (!imap) return { ...base, source: "none", imap: null, smtp: null, advice: NOTHING };
  return { ...base, source: "guess", imap, smtp, advice: GUESSED };
}
