import { isIP } from "node:net";
import { ipv6Groups, Networks } from "../../platform/networks.ts";

/**
 * Returns the client's address. Only a trusted proxy's X-Forwarded-For is believed. It is read from the right: the
 * first address that is not a trusted proxy is the client, because the client may have written everything left of it.
 * @param peer address of the TCP peer
 */
export function clientAddress(peer: string, forwardedFor: string | null, trusted: Networks): string {
  let client = plainAddress(peer) ?? peer;
  if (forwardedFor === null || isIP(client) === 0 || !trusted.has(client)) return client;
  for (const hop of forwardedFor.split(",").reverse()) {
    const address = plainAddress(hop.trim());
    if (address === null) return client; // not an address: the last proxy is the best known answer
    client = address;
    if (!trusted.has(address)) return client;
  }
  return client;
}

/** Returns an address without brackets, port, zone or IPv4-in-IPv6 prefix; null if the text is not an address. */
export function plainAddress(text: string): string | null {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1];
  const withPort = /^([\d.]+):\d+$/.exec(text)?.[1];
  const bare = (bracketed ?? withPort ?? text).replace(/%.*$/, "").toLowerCase();
  const mapped = /^::ffff:([\d.]+)$/.exec(bare)?.[1];
  const address = mapped ?? bare;
  return isIP(address) === 0 ? null : address;
}

/** Returns whether an address is in 127.0.0.0/8 or is ::1. */
export function isLoopback(address: string): boolean {
  return LOOPBACK.has(address);
}

const LOOPBACK = new Networks(["127.0.0.0/8", "::1"]);

/**
 * Returns the name that a client is counted by: an IPv4 address, or the /64 of an IPv6 address, because one household
 * has a whole /64.
 */
export function addressBucket(address: string): string {
  if (isIP(address) !== 6) return address;
  return `${ipv6Groups(address)
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":")}::/64`;
}
