import { addressKind, effectiveAddress } from "./egress/address-kind.ts";

/** Maximum number of peers. More can only be forged headers. */
const MAX_PEERS = 8;
/** Address kinds of an owner's proxy. Peers at public addresses are strangers, whose headers mean nothing. */
const LOCAL_KINDS = new Set(["loopback", "private", "carrier-grade NAT", "link-local"]);

/**
 * Collects peers that forward requests (X-Forwarded-For, Forwarded) but are not in `http.trusted_proxies`. Until such a
 * peer is listed there, all its clients count as one. In memory, for the system page and `postroom doctor`.
 */
export class UntrustedProxies {
  readonly #peers = new Set<string>();

  /** Adds the address of a peer, unless it cannot be the owner's proxy. */
  note(peer: string): void {
    if (this.#peers.size >= MAX_PEERS || this.#peers.has(peer)) return;
    if (LOCAL_KINDS.has(addressKind(effectiveAddress(peer)))) this.#peers.add(peer);
  }

  list(): string[] {
    return [...this.#peers];
  }
}
