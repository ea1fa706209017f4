import { connect, type Socket } from "node:net";
import { createServer, type TLSSocket } from "node:tls";
import type { Certificate } from "../support/certificates.ts";

/** TLS in front of a plaintext server, with a certificate that can be changed while it runs. */
export interface TlsFront {
  port: number;
  /** Presents another certificate to new connections, and drops the existing ones. */
  change(certificate: Certificate): void;
  close(): Promise<void>;
}

export async function startTlsFront(targetPort: number, certificate: Certificate): Promise<TlsFront> {
  const open = new Set<TLSSocket | Socket>();
  const server = createServer(certificate, (client) => {
    const upstream = connect(targetPort, "127.0.0.1");
    for (const [socket, peer] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(socket);
      socket.on("error", () => peer.destroy());
      socket.on("close", () => {
        open.delete(socket);
        peer.destroy();
      });
      socket.on("data", (chunk: Buffer) => peer.write(chunk));
    }
  });
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cut = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    port: (server.address() as { port: number }).port,
    change(next) {
      server.setSecureContext(next);
      cut();
    },
    async close() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
