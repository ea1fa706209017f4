import type { Socket } from "node:net";
import type { Algorithms, Client, ServerHostKeyAlgorithm } from "ssh2";
import type { Clock } from "../../kernel/clock.ts";
import { openSocket } from "../egress/connect.ts";
import { EgressFault, explainFault } from "../egress/faults.ts";
import { addressesOf, chooseResolver, type Resolver } from "../egress/resolve.ts";
import { EndpointGuard } from "./endpoint-guard.ts";
import type { SftpPlace } from "./place.ts";
import { Authentication, fingerprintOf, readPrivateKey, type SftpLogin } from "./sftp-login.ts";
import { StoreFault } from "./store.ts";

export interface SshOptions {
  place: SftpPlace;
  login: Omit<SftpLogin, "user">;
  /** "SHA256:…"; "" if no one has confirmed it yet. */
  hostKey: string;
  clock: Clock;
  resolve?: Resolver;
}

const HANDSHAKE_MS = 20_000;

/** Kinds of host keys, the best first. The fingerprint in the settings may be of any of them. */
const HOST_KEYS: readonly (readonly ServerHostKeyAlgorithm[])[] = [
  ["ssh-ed25519"],
  ["ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521"],
  ["rsa-sha2-512", "rsa-sha2-256"],
];

/** Without SHA-1 and CBC, which servers of the last ten years do not need. */
const ALGORITHMS: Algorithms = {
  kex: [
    ...(["curve25519-sha256", "curve25519-sha256@libssh.org"] as const),
    ...(["ecdh-sha2-nistp256", "ecdh-sha2-nistp384", "ecdh-sha2-nistp521"] as const),
    ...(["diffie-hellman-group-exchange-sha256", "diffie-hellman-group14-sha256"] as const),
    ...(["diffie-hellman-group16-sha512", "diffie-hellman-group18-sha512"] as const),
  ],
  cipher: ["aes128-gcm@openssh.com", "aes256-gcm@openssh.com", "aes128-ctr", "aes192-ctr", "aes256-ctr"],
  hmac: ["hmac-sha2-256-etm@openssh.com", "hmac-sha2-512-etm@openssh.com", "hmac-sha2-256", "hmac-sha2-512"],
  compress: ["none"],
};

/** Signs in to a server. Its host key is compared before the password is sent. @throws StoreFault, EgressFault */
export async function openSsh(options: SshOptions, signal: AbortSignal): Promise<Client> {
  const seen: HostKey[] = [];
  const found = await attempt(options, HOST_KEYS.flat(), seen, signal);
  if (found) return found;
  if (options.hostKey !== "") {
    for (const kind of HOST_KEYS) {
      if (kind.some((name) => seen[0]?.kind.startsWith(familyOf(name)))) continue;
      const other = await attempt(options, kind, seen, signal).catch((error) => {
        if (error instanceof NoSuchKey) return null;
        throw error;
      });
      if (other) return other;
    }
  }
  throw unconfirmed(options, seen);
}

interface HostKey {
  /** Such as "ssh-ed25519". */
  kind: string;
  fingerprint: string;
}

/** The server has no host key of these kinds. */
class NoSuchKey extends StoreFault {}

/** "rsa-sha2-512" signs with keys of the kind "ssh-rsa". */
function familyOf(name: string): string {
  return name.startsWith("rsa-") ? "ssh-rsa" : name;
}

/** @returns null if the host key is another one, which is added to `seen` */
async function attempt(
  options: SshOptions,
  serverHostKey: readonly ServerHostKeyAlgorithm[],
  seen: HostKey[],
  signal: AbortSignal,
): Promise<Client | null> {
  const { place, hostKey, clock } = options;
  const { default: ssh2 } = await import("ssh2");
  const login = { ...options.login, user: place.user };
  const key = readPrivateKey(ssh2.utils.parseKey, login);
  const authentication = new Authentication(login, key);
  const sock = await connect(options, signal);
  const client = new ssh2.Client();
  return new Promise<Client | null>((resolve, reject) => {
    let isOther = false;
    const settle = (act: () => void) => {
      cancelTimer();
      signal.removeEventListener("abort", abort);
      act();
    };
    const fail = (error: unknown) =>
      settle(() => {
        client.destroy();
        sock.destroy();
        if (isOther) resolve(null);
        else reject(explainHandshake(error, options, authentication));
      });
    const abort = () => fail(signal.reason);
    const cancelTimer = clock.after(HANDSHAKE_MS, () =>
      fail(new EgressFault("timeout", `the SSH handshake took longer than ${HANDSHAKE_MS / 1000} seconds`)),
    );
    signal.addEventListener("abort", abort, { once: true });
    client.on("ready", () => settle(() => resolve(client)));
    // Stays, because a late error would otherwise end the process.
    client.on("error", fail);
    client.on("close", () => fail(new EgressFault("reset", "the server closed the connection")));
    client.connect({
      sock,
      username: place.user,
      algorithms: { ...ALGORITHMS, serverHostKey: [...serverHostKey] },
      readyTimeout: 0,
      keepaliveInterval: 0,
      hostVerifier: (presented: Buffer) => {
        const fingerprint = fingerprintOf(presented);
        isOther = fingerprint !== hostKey.replace(/=+$/, "");
        if (isOther) seen.push({ kind: kindOf(presented), fingerprint });
        return !isOther;
      },
      authHandler: (offered, _partial, next) => authentication.next(offered, next as never),
    });
    if (signal.aborted) abort();
  });
}

async function connect({ place, clock, resolve }: SshOptions, signal: AbortSignal): Promise<Socket> {
  const { host, port } = place;
  const guard = new EndpointGuard([host], false);
  try {
    const found = await addressesOf(host, resolve ?? chooseResolver(guard), signal);
    const addresses = guard.permitted(host, found);
    return await openSocket({ host, port, addresses, context: null, clock, signal });
  } catch (error) {
    throw explainFault(error);
  }
}

/** A public key begins with the length and the name of its kind (RFC 4253 §6.6). */
function kindOf(key: Buffer): string {
  return key.subarray(4, 4 + key.readUInt32BE(0)).toString("latin1");
}

function unconfirmed({ place, hostKey }: SshOptions, seen: readonly HostKey[]): StoreFault {
  const shown = seen.map(({ kind, fingerprint }) => `${fingerprint} (${kind})`).join(", ");
  if (hostKey === "") {
    return new StoreFault(
      "refused",
      `The host key of ${place.host} is not confirmed yet. Its fingerprint is ${seen[0]?.fingerprint}. If the server shows the same one, set the host key (backup.sftp.host_key) to it.`,
      undefined,
      "backup.sftp.host_key",
    );
  }
  return new StoreFault(
    "refused",
    `The host key of ${place.host} has changed, or another machine answers there: its fingerprint is ${shown}, not ${hostKey}. Nothing was sent. If you know why the key changed, set the host key (backup.sftp.host_key) to the new fingerprint.`,
    undefined,
    "backup.sftp.host_key",
  );
}

function explainHandshake(error: unknown, { place }: SshOptions, authentication: Authentication): unknown {
  if (error instanceof EgressFault || error instanceof StoreFault) return error;
  const { level, message } = error as Error & { level?: string };
  if (level === "client-authentication" || /authentication failures/i.test(message)) {
    return authentication.refusal(place.host);
  }
  if (level === "client-socket") return explainFault(error);
  const missing = /no matching (.+)$/.exec(message)?.[1];
  if (missing !== undefined) {
    const Kind = missing.startsWith("host key") ? NoSuchKey : StoreFault;
    return new Kind("refused", `${place.host} offers only outdated encryption (no common ${missing}).`, error);
  }
  if (/lost before handshake|identification/i.test(message)) {
    return new EgressFault("protocol", `no SSH server answers at port ${place.port}`, error);
  }
  return new EgressFault("protocol", `the SSH connection failed (${message})`, error);
}
