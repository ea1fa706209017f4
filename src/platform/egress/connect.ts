import { connect as connectPlain, isIP, type Socket } from "node:net";
import { connect as connectTls, type SecureContext } from "node:tls";
import type { Clock } from "../../kernel/clock.ts";
import { EgressFault, explainFault } from "./faults.ts";

/** Timeout for a connection to one address, after which the next address is tried. */
const CONNECT_MS = 5_000;

export interface ConnectTarget {
  host: string;
  port: number;
  /** Permitted addresses. The connection uses one of them literally, without another lookup. */
  addresses: readonly string[];
  /** Null for a connection without TLS. */
  context: SecureContext | null;
  clock: Clock;
  signal: AbortSignal;
}

/** Opens a connection to the first address that answers. @throws EgressFault of the last attempt */
export async function openSocket(target: ConnectTarget): Promise<Socket> {
  let last = new EgressFault("dns", "the host name has no address");
  for (const address of target.addresses) {
    try {
      return await connectTo(address, target);
    } catch (error) {
      last = explainFault(error);
      // A certificate is wrong at every address, and a caller that aborted does not want the next one.
      if (target.signal.aborted || last.reason === "certificate") break;
    }
  }
  throw last;
}

function connectTo(address: string, { host, port, context, clock, signal }: ConnectTarget): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket: Socket = context
      ? connectTls({
          host: address,
          port,
          secureContext: context,
          // The name that the certificate must contain. For an address there is no SNI, and the address itself is checked.
          servername: isIP(host) === 0 ? host.replace(/\.$/, "") : "",
          // Explicit, because otherwise NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment accepts any certificate.
          rejectUnauthorized: true,
          minVersion: "TLSv1.2",
          ALPNProtocols: ["http/1.1"],
        })
      : connectPlain({ host: address, port });
    const settle = (act: () => void) => {
      cancelTimer();
      signal.removeEventListener("abort", abort);
      socket.removeAllListeners();
      // A late error would otherwise end the process.
      socket.on("error", () => {});
      act();
    };
    const fail = (error: unknown) =>
      settle(() => {
        socket.destroy();
        reject(error);
      });
    const abort = () => fail(signal.reason);
    const cancelTimer = clock.after(CONNECT_MS, () =>
      fail(new EgressFault("timeout", "the connection attempt was not answered")),
    );
    signal.addEventListener("abort", abort, { once: true });
    socket.once("error", fail);
    socket.once("close", () => fail(new EgressFault("reset", "the receiver closed the connection")));
    socket.once(context ? "secureConnect" : "connect", () =>
      settle(() => {
        socket.setNoDelay(true);
        resolve(socket);
      }),
    );
    if (signal.aborted) abort();
  });
}
