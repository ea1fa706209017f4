import { isIP } from "node:net";
import { ipv6Groups, Networks } from "../networks.ts";

/** The purpose of an address. Only `public` ones can be reached without explicit permission. */
export type AddressKind =
  | "public"
  | "metadata"
  | "loopback"
  | "private"
  | "carrier-grade NAT"
  | "link-local"
  | "unspecified"
  | "multicast"
  | "reserved";

/**
 * The first row that contains an address applies. Source: IANA special-purpose registries (RFC 6890 and its updates).
 */
const KINDS: readonly (readonly [Exclude<AddressKind, "public">, Networks])[] = [
  // Where clouds give credentials to any caller: AWS and most others, ECS, Alibaba, Azure, Oracle; AWS and GCP over
  // IPv6.
  [
    "metadata",
    new Networks([
      ...["169.254.169.254", "169.254.170.2", "100.100.100.200", "168.63.129.16", "192.0.0.192"],
      ...["fd00:ec2::254", "fd20:ce::254"],
    ]),
  ],
  ["unspecified", new Networks(["0.0.0.0/8", "::"])],
  ["loopback", new Networks(["127.0.0.0/8", "::1"])],
  ["private", new Networks(["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7", "fec0::/10"])],
  ["carrier-grade NAT", new Networks(["100.64.0.0/10"])],
  ["link-local", new Networks(["169.254.0.0/16", "fe80::/10"])],
  ["multicast", new Networks(["224.0.0.0/4", "ff00::/8"])],
  [
    "reserved",
    new Networks([
      ...["192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"],
      ...["240.0.0.0/4", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"],
    ]),
  ],
];

const GLOBAL_UNICAST6 = new Networks(["2000::/3"]);
const CARRIES_IPV4 = new Networks(["::ffff:0:0/96", "64:ff9b::/96"]);

/**
 * Returns the address that a connection really reaches: the IPv4 address inside an IPv4-mapped (RFC 4291) or NAT64 (RFC
 * 6052) one, otherwise the address itself without its zone.
 */
export function effectiveAddress(address: string): string {
  const bare = address.replace(/%.*$/, "").toLowerCase();
  if (isIP(bare) !== 6) return bare;
  const groups = ipv6Groups(bare);
  // BlockList treats mapped addresses as IPv4, so recognize mapped ones by their groups.
  const mapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (!mapped && !CARRIES_IPV4.has(bare)) return bare;
  const [high = 0, low = 0] = groups.slice(6);
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
}

/**
 * Returns the kind of an address. Anything that is not an address is `reserved`.
 * @param address as returned by `reachedAddress`
 */
export function addressKind(address: string): AddressKind {
  if (isIP(address) === 0) return "reserved";
  for (const [kind, networks] of KINDS) if (networks.has(address)) return kind;
  return isIP(address) === 6 && !GLOBAL_UNICAST6.has(address) ? "reserved" : "public";
}
