import { lookup } from "node:dns/promises";
import type { EgressGuard } from "./guard.ts";

/** All addresses of a host name. */
export type Resolver = (host: string) => Promise<string[]>;

/**
 * Names on the owner's list are looked up as the system does it (hosts file, mDNS, search domains). All others go to DNS
 * over sockets: getaddrinfo holds one of the process's few threads until it answers, so that two names whose DNS server
 * says nothing would hold up every other look-up, those of the mail servers included.
 */
export function chooseResolver(
  guard: Pick<EgressGuard, "names">,
  system: Resolver = bySystem,
  dns: Resolver = byDns,
): Resolver {
  return (host) => (guard.names(host) ? system(host) : dns(host));
}

async function bySystem(host: string): Promise<string[]> {
  return (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);
}

async function byDns(host: string): Promise<string[]> {
  return (await Bun.dns.lookup(host, { backend: "c-ares" })).map(({ address }) => address);
}
