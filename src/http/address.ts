import { BlockList, isIP } from "node:net";
import { UserError } from "../kernel/errors.ts";

/** A list of addresses and networks in CIDR form, for "is this address one of them?". */
export class Networks {
  readonly #list = new BlockList();
  readonly empty: boolean;

  /** @throws UserError naming the entry that is neither an address nor a network. */
  constructor(entries: readonly string[]) {
    this.empty = entries.length === 0;
    for (const entry of entries) this.#add(entry.trim());
  }

  has(address: string): boolean {
    return this.#list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
  }

  #add(entry: string): void {
    const [address = "", prefix, ...more] = entry.split("/");
    const version = isIP(address);
    const longest = version === 6 ? 128 : 32;
    const bits = prefix === undefined ? longest : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
    if (version === 0 || more.length > 0 || !(bits <= longest)) {
      throw new UserError(`${entry} is neither an address nor a network such as 192.168.1.0/24.`);
    }
    this.#list.addSubnet(address, bits, version === 6 ? "ipv6" : "ipv4");
  }
}

/**
 * The client's address. Only a trusted proxy's X-Forwarded-For is believed, read from the right: the first address that
 * is not itself a trusted proxy is the client, because everything left of it may have been written by the client.
 * @param peer address of the TCP peer
 */
export function clientAddress(peer: string, forwarded_for: string | null, trusted: Networks): string {
  let client = plainAddress(peer) ?? peer;
  if (forwarded_for === null || isIP(client) === 0 || !trusted.has(client)) return client;
  for (const hop of forwarded_for.split(",").reverse()) {
    const address = plainAddress(hop.trim());
    if (address === null) return client; // not an address: whoever wrote it, the last proxy is what we know
    client = address;
    if (!trusted.has(address)) return client;
  }
  return client;
}

/** An address without brackets, port, zone or IPv4-in-IPv6 prefix; null when it is none. */
export function plainAddress(text: string): string | null {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1];
  const with_port = /^([\d.]+):\d+$/.exec(text)?.[1];
  const bare = (bracketed ?? with_port ?? text).replace(/%.*$/, "").toLowerCase();
  const mapped = /^::ffff:([\d.]+)$/.exec(bare)?.[1];
  const address = mapped ?? bare;
  return isIP(address) === 0 ? null : address;
}

/** True for 127.0.0.0/8 and ::1. */
export function isLoopback(address: string): boolean {
  return LOOPBACK.has(address);
}

const LOOPBACK = new Networks(["127.0.0.0/8", "::1"]);

/** What a client is counted by: an IPv4 address, or the /64 of an IPv6 address, which one household owns whole. */
export function addressBucket(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = "", tail = ""] = address.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === "" ? [] : tail.split(":");
  const gap = address.includes("::") ? Math.max(0, 8 - left.length - right.length) : 0;
  const groups = [...left, ...Array<string>(gap).fill("0"), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}
