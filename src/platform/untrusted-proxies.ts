import { addressKind, reachedAddress } from "./egress/address-kind.ts";

/** More would only be the work of somebody who writes the header themselves. */
const MOST = 8;
/** Where a proxy of one's own is. From public addresses come strangers, who may write what they like. */
const AT_HOME = new Set(["loopback", "private", "carrier-grade NAT", "link-local"]);

/**
 * Peers that hand on requests of others (X-Forwarded-For, Forwarded) and are not in `http.trusted_proxies`: as long as that
 * is so, everybody behind one of them looks like one client. In memory, for the system page and `postroom doctor`.
 */
export class UntrustedProxies {
  readonly #peers = new Set<string>();

  note(peer: string): void {
    if (this.#peers.size >= MOST || this.#peers.has(peer)) return;
    if (AT_HOME.has(addressKind(reachedAddress(peer)))) this.#peers.add(peer);
  }

  list(): string[] {
    return [...this.#peers];
  }
}
