import { lookup } from "node:dns/promises";
import { connect } from "node:net";
import type { Config } from "../platform/config/load.ts";
import { hostPort } from "../platform/networks.ts";

/** Time in which a program on this machine accepts a connection. */
const PROBE_MS = 300;
const V4 = "127.0.0.1";
const V6 = "::1";

/** The loopback addresses at which a server that listens on `host` is reached; empty for any other address. */
const LOOPBACK_OF: Readonly<Record<string, readonly string[]>> = {
  "0.0.0.0": [V4],
  "::": [V4, V6],
  [V4]: [V4],
  [V6]: [V6],
};

/** How this machine resolves `localhost`. @returns addresses of both families */
export type Resolve = () => Promise<string[]>;

const systemResolve: Resolve = async () => (await lookup("localhost", { all: true })).map(({ address }) => address);

/**
 * Returns the address at which a browser opens this installation, without a slash at the end: `http.public_url` if it
 * is set. Otherwise `localhost` if that name leads to this server, because passkeys do not work at an IP address. It
 * does not if it resolves to another address family only, or if another program has the same port in the other family.
 */
export async function browserUrl(config: Config, port: number, resolve: Resolve = systemResolve): Promise<string> {
  const public_url = config.get("http.public_url").replace(/\/$/, "");
  if (public_url) return public_url;
  const host = await browserHost(config.get("http.host").replace(/^\[(.*)\]$/, "$1"), port, resolve);
  return `http://${hostPort({ host, port })}${config.get("http.base_path")}`;
}

async function browserHost(host: string, port: number, resolve: Resolve): Promise<string> {
  const own = LOOPBACK_OF[host];
  if (own === undefined) return host;
  const named = await resolve().catch(() => []);
  const reached = named.some((address) => own.includes(address));
  // Browsers and curl try both families under `localhost`, whatever the system resolves.
  const others = [V4, V6].filter((address) => !own.includes(address));
  const taken = await Promise.all(others.map((address) => answers(address, port)));
  return reached && !taken.includes(true) ? "localhost" : own[0]!;
}

/** Returns whether a program accepts connections at an address of this machine. */
function answers(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(PROBE_MS, () => end(false));
    socket.once("connect", () => end(true));
    socket.once("error", () => end(false));
  });
}
