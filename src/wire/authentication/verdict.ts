/** Decides what the receiving server found out about the sender of a message. */
import { type Authentication, RESULTS, type Result } from "../../kernel/authentication.ts";
import { areAligned, isMicrosoft, isSameOperator } from "./domains.ts";
import { type MethodResult, parseAuthenticationResults } from "./results.ts";
import { type Hop, isInternal, parseHop } from "./trace.ts";

/** A header field, unfolded. Only Received and Authentication-Results are read. */
export interface TraceField {
  name: string;
  text: string;
}

const MAX_HOPS = 20;
/** The newest hop of mail in a Gmail mailbox: inside Google, without a client. */
const GMAIL_DELIVERY = /^\s*by\s+(?:10\.\d|2002:0?a)/i;

/**
 * Returns the verdict of the receiving server, or null if no header of it can be trusted.
 *
 * Senders can write any header, but a server adds its own above them. So only headers above the Received header of the
 * hop from outside count, and they must name that server. What remains possible: a server that records no address of
 * its client, or a private one (behind a proxy), and adds no result, hides that hop. Forged headers below it then count.
 */
export function authenticationOf(fields: readonly TraceField[], from: string): Authentication | null {
  const domain = from.slice(from.lastIndexOf("@") + 1).toLowerCase();
  if (!from.includes("@") || domain === "") return null;
  const above: string[] = [];
  let border: Hop | null = null;
  let receiver: string | null = null;
  let hops = 0;
  let inGmail = false;
  for (const field of fields) {
    if (field.name === "authentication-results") above.push(field.text);
    else if (field.name === "received" && hops++ < MAX_HOPS) {
      const { text } = field;
      const hop = parseHop(text);
      if (hop === null) return null;
      if (hops === 1) inGmail = GMAIL_DELIVERY.test(text);
      receiver ??= hop.by;
      if (!isInternal(hop, receiver)) {
        border = hop;
        // Gmail writes its result below the hop. It adds one to every message and removes those in its name that arrive,
        // so the first one there is its own. The newest hop shows that Gmail delivered the message: senders can forge
        // the hop of mx.google.com, but nothing above the header of the user's own server.
        const below = fields.slice(fields.indexOf(field) + 1);
        const next = below.find((one) => one.name === "received" || one.name === "authentication-results");
        if (inGmail && hop.by === "mx.google.com" && next?.name === "authentication-results") above.push(next.text);
        break;
      }
    }
  }
  if (border === null || receiver === null) return null;
  const server = receiver;
  const found = above.flatMap((text) => {
    const parsed = parseAuthenticationResults(text);
    if (parsed === null) return [];
    const own = parsed.server === null ? isMicrosoft(server) : isSameOperator(parsed.server, server);
    return own ? parsed.results : [];
  });
  return verdict(found, domain);
}

function verdict(found: readonly MethodResult[], domain: string): Authentication | null {
  const of = (method: string) => found.filter((one) => one.method === method);
  const [dmarc, spf, dkim] = [of("dmarc"), of("spf"), of("dkim")];
  if (dmarc.length + spf.length + dkim.length === 0) return null;
  const about = dmarc.filter((one) => {
    const from = domainOf(one, ["header.from"]);
    return from === null || domain === from || domain.endsWith(`.${from}`);
  });
  const aligned = [
    ...spf.filter((one) => isAligned(one, ["smtp.mailfrom", "smtp.mail"], domain)),
    ...dkim.filter((one) => isAligned(one, ["header.d", "header.i"], domain)),
  ];
  const shown = {
    from_domain: domain,
    dmarc: about.some(({ result }) => result === "fail") ? ("fail" as const) : best(about),
    spf: best(spf),
    dkim: best(dkim),
  };
  if (shown.dmarc === "fail") return { result: "fail", ...shown };
  if (shown.dmarc === "pass" || aligned.some(({ result }) => result === "pass")) return { result: "pass", ...shown };
  const failed = [...about, ...spf, ...dkim].some(({ result }) => result === "temperror");
  return { result: failed ? "unknown" : "none", ...shown };
}

function best(found: readonly MethodResult[]): Result | null {
  const known = found.map(({ result }) => (result === "hardfail" ? "fail" : result));
  return RESULTS.find((result) => known.includes(result)) ?? null;
}

function isAligned(result: MethodResult, names: readonly string[], domain: string): boolean {
  const signer = domainOf(result, names);
  return signer !== null && areAligned(signer, domain);
}

function domainOf({ properties }: MethodResult, names: readonly string[]): string | null {
  const value = names.map((name) => properties.get(name)).find((text) => text !== undefined);
  if (value === undefined) return null;
  return value.slice(value.lastIndexOf("@") + 1).toLowerCase();
}
