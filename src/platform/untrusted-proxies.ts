import { addressKind, reachedAddress } from "./egress/address-kind.ts";

/** More than a few entries can only be forged headers. */
const MOST = 8;
/** Where an owner's proxy can be. Peers at public addresses are strangers, who may write anything. */
const AT_HOME = new Set(["loopback", "private", "carrier-grade NAT", "link-local"]);

/**
 * Peers that forward requests (X-Forwarded-For, Forwarded) and are not in `http.trusted_proxies`: until they are
 * listed, everyone behind one of them looks like one client. In memory, for the system page and `postroom doctor`.
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
