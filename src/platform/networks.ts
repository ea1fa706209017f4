import { BlockList, isIP } from "node:net";
import { UserError } from "../kernel/errors.ts";

/** A list of addresses and networks in CIDR form. */
export class Networks {
  readonly #list = new BlockList();
  readonly empty: boolean;

  /** @throws UserError naming the entry that is neither an address nor a network. */
  constructor(entries: readonly string[]) {
    this.empty = entries.length === 0;
    for (const entry of entries) this.#add(entry.trim());
  }

  /** Returns whether the list contains an address. */
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

/** Returns a host with its port. An IPv6 address is in brackets: "[::1]:993". */
export function hostPort({ host, port }: { host: string; port: number }): string {
  return `${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}:${port}`;
}

/** Returns the eight 16-bit groups of an IPv6 address without a zone. The address may end in IPv4 form. */
export function ipv6Groups(address: string): number[] {
  const tail4 = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const hex = (high: string, low: string) => ((Number(high) << 8) | Number(low)).toString(16);
  const plain = tail4 ? `${tail4[1]}${hex(tail4[2]!, tail4[3]!)}:${hex(tail4[4]!, tail4[5]!)}` : address;
  const [head = "", tail = ""] = plain.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === "" ? [] : tail.split(":");
  const gap = plain.includes("::") ? Math.max(0, 8 - left.length - right.length) : 0;
  return [...left, ...Array<string>(gap).fill("0"), ...right].map((group) => Number.parseInt(group, 16));
}
