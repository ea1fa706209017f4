import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { type EgressGuard, isLoopbackName, LOOPBACK_ADDRESSES } from "./guard.ts";

/** Returns all addresses of a host name. */
export type Resolver = (host: string) => Promise<string[]>;

/**
 * Resolves names on the owner's list with the system's resolver (hosts file, mDNS, search domains), and all others with
 * DNS over sockets. getaddrinfo occupies one of the process's few threads until it returns: two names with an
 * unresponsive DNS server would block every other lookup, including those of mail servers.
 */
export function chooseResolver(
  guard: Pick<EgressGuard, "names">,
  system: Resolver = bySystem,
  dns: Resolver = byDns,
): Resolver {
  return (host) => (guard.names(host) ? system(host) : dns(host));
}

/** Returns the addresses of a host, which may be an address itself. Rejects with the reason of the signal. */
export async function addressesOf(host: string, resolve: Resolver, signal: AbortSignal): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host];
  return isLoopbackName(host) ? LOOPBACK_ADDRESSES : orAborted(resolve(host), signal);
}

function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

async function bySystem(host: string): Promise<string[]> {
  return (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);
}

async function byDns(host: string): Promise<string[]> {
  return (await Bun.dns.lookup(host, { backend: "c-ares" })).map(({ address }) => address);
}
