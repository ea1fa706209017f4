import { Resolver } from "node:dns/promises";
import type { MailServer } from "./found.ts";
import { isHostName } from "./host-name.ts";

/** The DNS records of a domain's mail. A missing name, or a server that does not answer, gives no records. */
export interface MailDns {
  /** Targets of a service, best first; "." means that the service is not offered (RFC 2782). */
  srv(service: string): Promise<{ name: string; port: number }[]>;
  /** Mail exchangers, best first. */
  mx(domain: string): Promise<string[]>;
}

const TIMEOUT_MS = 3_000;

/**
 * Returns a resolver for the DNS records of mail. @param servers "address:port" of DNS servers that replace the
 * system's
 */
export function mailDns(servers: readonly string[] = []): MailDns {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 1 });
  if (servers.length > 0) resolver.setServers(servers);
  return {
    async srv(service) {
      const records = await resolver.resolveSrv(service).catch(() => []);
      return records
        .toSorted((a, b) => a.priority - b.priority || b.weight - a.weight)
        .map(({ name, port }) => ({ name: name.toLowerCase(), port }));
    },
    async mx(domain) {
      const records = await resolver.resolveMx(domain).catch(() => []);
      return records.toSorted((a, b) => a.priority - b.priority).map(({ exchange }) => exchange.toLowerCase());
    },
  };
}

/**
 * Services and their security: RFC 6186 §3, and RFC 8314 §5.1 for submission over TLS. The first one that exists is
 * used.
 */
const SERVICES = {
  imap: [
    ["_imaps._tcp", "tls"],
    ["_imap._tcp", "starttls"],
  ],
  smtp: [
    ["_submissions._tcp", "tls"],
    ["_submission._tcp", "starttls"],
  ],
} as const;

/** Returns the servers that a domain names in its DNS; null for a kind that it does not name. */
export async function serversByDns(
  dns: MailDns,
  domain: string,
): Promise<{ imap: MailServer | null; smtp: MailServer | null }> {
  const one = async (kind: keyof typeof SERVICES): Promise<MailServer | null> => {
    const answers = await Promise.all(SERVICES[kind].map(([service]) => dns.srv(`${service}.${domain}`)));
    for (const [i, [, security]] of SERVICES[kind].entries()) {
      const target = answers[i]!.find(
        ({ name, port }) => port > 0 && isHostName(name.replace(/\.$/, "")) && name !== ".",
      );
      if (target) return { host: target.name.replace(/\.$/, ""), port: target.port, security };
    }
    return null;
  };
  const [imap, smtp] = await Promise.all([one("imap"), one("smtp")]);
  return { imap, smtp };
}
