import { isIP } from "node:net";
import { UserError } from "../../kernel/errors.ts";
import { Networks } from "../networks.ts";
import { type AddressKind, addressKind, effectiveAddress } from "./address-kind.ts";
import { EgressFault } from "./faults.ts";

const LONGEST_URL_CHARS = 2_048;
/**
 * Characters that the URL parser would silently drop or repair: white space, controls, half surrogate pairs,
 * backslashes.
 */
const NOT_IN_A_URL = /[\s\p{Cc}\p{Cf}\p{Cs}\\]/u;
const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*\.?$/;

/** What names under `localhost` resolve to, without DNS. */
export const LOOPBACK_ADDRESSES: readonly string[] = ["127.0.0.1", "::1"];

/**
 * Address kinds that an allowed host name may resolve to. For other kinds the owner must list the address itself,
 * because a name can point anywhere.
 */
const LOCAL_KINDS: ReadonlySet<AddressKind> = new Set(["public", "loopback", "private", "carrier-grade NAT"]);

/** Targets beyond HTTPS at public addresses. Every property is off by default. */
export interface EgressPolicy {
  /** Accept `http://` for this machine (if `loopback` or the list permits it) and for hosts on the owner's list. */
  plainHttp?: boolean;
  /** Accept this machine although the owner's list does not name it: a loopback address, or a name under `localhost`. */
  loopback?: boolean;
}

/**
 * Decides where the program may send requests on behalf of its users: HTTPS only, and public addresses only, except
 * targets that the owner or a policy allows. It judges addresses after name resolution, because a name alone proves
 * nothing.
 */
export class EgressGuard {
  readonly #networks: Networks;
  readonly #hosts: ReadonlySet<string>;

  /**
   * @param allow addresses, networks (CIDR) and host names
   * @param setting the key of the configuration that holds them, for the messages of refusals
   * @throws UserError naming an invalid entry
   */
  constructor(
    allow: readonly string[],
    private readonly setting: string | null = null,
  ) {
    const entries = allow.map((entry) => entry.trim().toLowerCase());
    const isNetwork = (entry: string) => isIP(entry.split("/")[0]!) !== 0;
    this.#networks = new Networks(entries.filter(isNetwork));
    const names = entries.filter((entry) => !isNetwork(entry));
    for (const name of names) {
      if (!HOST_NAME.test(name) || /^[\d.]+$/.test(name)) {
        throw new UserError(`${name} is neither a host name nor an address nor a network such as 192.168.1.0/24.`);
      }
    }
    this.#hosts = new Set(names.map(withoutDot));
  }

  /**
   * Checks what can be checked without DNS. The URL parser has already turned decimal, octal and hexadecimal hosts into
   * plain addresses. @throws EgressFault refused
   */
  checkUrl(text: string, policy: EgressPolicy = {}): URL {
    const refuse = (why: string) => new EgressFault("refused", why);
    if (text.length > LONGEST_URL_CHARS) throw refuse(`the URL has more than ${LONGEST_URL_CHARS} characters`);
    // URLs are shown and mailed as typed, so they must not contain line breaks or imitate another URL.
    if (NOT_IN_A_URL.test(text)) throw refuse("a URL must not contain white space, control characters or backslashes");
    if (!URL.canParse(text)) throw refuse("this is not a URL");
    const url = new URL(text);
    const host = hostOf(url);
    const plain = url.protocol === "http:" && policy.plainHttp === true;
    if (url.protocol !== "https:" && !plain) {
      throw refuse(policy.plainHttp ? "it must start with https:// or http://" : "only https URLs are supported");
    }
    if (url.username !== "" || url.password !== "") throw refuse("the URL must not contain a username or password");
    if (url.port === "0") throw refuse("port 0 cannot be used");
    if (isIP(host) !== 0) this.permitted(host, [host], policy);
    else if (!HOST_NAME.test(host)) throw refuse("the URL has no valid host name");
    else if (isLoopbackName(host)) this.permitted(host, LOOPBACK_ADDRESSES, policy);
    if (plain && !isLoopback(host) && !this.lists(host))
      throw refuse(`http:// works only for this machine and for hosts ${this.#listed()}; use https://`);
    return url;
  }

  /** Returns whether the owner's list has this host: by name, or as an address in a listed network. */
  lists(host: string): boolean {
    return this.names(host) || (isIP(host) !== 0 && this.#networks.has(effectiveAddress(host)));
  }

  /** Returns whether the owner allowed this host by name. */
  names(host: string): boolean {
    return this.#hosts.has(withoutDot(host));
  }

  /**
   * Returns the addresses of a host that may be connected to, in their order.
   * @throws EgressFault refused if there are none
   */
  permitted(host: string, addresses: readonly string[], { loopback = false }: EgressPolicy = {}): string[] {
    const named = this.names(host);
    // A name elsewhere that resolves to this machine is not enough: only the URL itself may say so.
    const here = loopback && isLoopback(host);
    const judged = addresses.map((address) => {
      const reached = effectiveAddress(address);
      const kind = addressKind(reached);
      const listed = (named && LOCAL_KINDS.has(kind)) || this.#networks.has(reached);
      return { address, kind, may: kind === "public" || listed || (here && kind === "loopback") };
    });
    const fit = judged.filter(({ may }) => may);
    if (fit.length > 0) return fit.map(({ address }) => address);
    const kinds = [...new Set(judged.map(({ kind }) => kind))].join(", ");
    throw new EgressFault(
      "refused",
      `the host has no public address (${kinds || "none at all"}) and is not ${this.#listed()}`,
    );
  }

  #listed(): string {
    return this.setting === null ? "on the list of allowed hosts" : `listed under ${this.setting} in the configuration`;
  }
}

/** Returns the host of a URL, an IPv6 address without its brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "");
}

/** Returns whether a host is this machine by its name alone (RFC 6761 §6.3), or a loopback address. */
export function isLoopback(host: string): boolean {
  return isIP(host) === 0 ? isLoopbackName(host) : addressKind(effectiveAddress(host)) === "loopback";
}

/** Returns whether a host name is `localhost` or below it. */
export function isLoopbackName(host: string): boolean {
  return /(^|\.)localhost$/.test(withoutDot(host));
}

function withoutDot(host: string): string {
  return host.replace(/\.$/, "");
}
