/** Reads the hops of a message from its Received headers (RFC 5321 §4.4). */
import { isSameOperator } from "./domains.ts";

export interface Hop {
  /** The receiving host in lower case; null if it is an address or a name of a private network. */
  by: string | null;
  /** IP addresses of the client; empty if the header records none. */
  addresses: string[];
  /** The client's name from the DNS, if the server wrote one beside the address. */
  client: string | null;
  hasClient: boolean;
  lmtp: boolean;
}

const MAX_CHARS = 4 * 1024;
const PRIVATE =
  /^(?:10\.|127\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|::1$|f[cd][\da-f]{2}:|fe80:|2002:0?a[\da-f]{2}:|2603:10[ab]6:)/i;

/** Parses an unfolded value; null if it has no `by` clause or is too long. */
export function parseHop(value: string): Hop | null {
  if (value.length > MAX_CHARS) return null;
  const by = /(?:^|\s)by\s+([\w.:[\]-]+)/i.exec(value);
  if (by === null) return null;
  const from = value.slice(0, by.index);
  const host = by[1]!.toLowerCase().replace(/\.$/, "");
  const addresses =
    from.match(/(?<![\w.:-])(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-f]{0,4}(?::[\da-f]{0,4}){2,7})(?![\w.:-])/gi) ?? [];
  return {
    by:
      /^[\d.:[\]]+$|:/.test(host) || !host.includes(".") || /\.(?:internal|local|localdomain|lan)$/.test(host)
        ? null
        : host,
    addresses,
    client: /\(([\w.-]+?)\.?\s+\[/.exec(from)?.[1]?.toLowerCase() ?? null,
    hasClient: /^\s*from\s/i.test(from),
    lmtp: /\swith\s+(?:LMTP|local)/i.test(value.slice(by.index)),
  };
}

/**
 * True for a hop inside the receiving organization. The name that the client gives for itself does not count, because
 * anyone can give any name. Exchange Online uses 2603:10a6 and 2603:10b6, Gmail 2002:a00, for internal hosts.
 */
export function isInternal(hop: Hop, receiver: string | null): boolean {
  if (!hop.hasClient) return hop.by === null || hop.by === receiver;
  if (hop.addresses.length === 0) return hop.lmtp;
  if (hop.addresses.every((address) => PRIVATE.test(address))) return true;
  const named = hop.addresses.length === 1 && hop.client !== null && receiver !== null;
  return named && isSameOperator(hop.client!, receiver!);
}
