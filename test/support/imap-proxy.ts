import { connect, createServer, type Socket } from "node:net";

/** A TCP proxy in front of a server that counts bytes and drops connections on request. */
export interface Proxy {
  port: number;
  /** Bytes from the server to the client so far, over all connections. */
  readonly bytesDown: number;
  /** Connections accepted so far. */
  readonly connections: number;
  /** What clients sent so far, as text. */
  readonly sent: string;
  /** Called for each new connection. Returns after how many bytes from the server to drop it; null: never. */
  cutAfter: () => number | null;
  /** Drops every connection now. */
  cut(): void;
  /** Whether the server is reachable; a refused client is disconnected at once. */
  accept(open: boolean): void;
  close(): Promise<void>;
}

export async function startProxy(targetPort: number): Promise<Proxy> {
  const open = new Set<Socket>();
  let bytesDown = 0;
  let connections = 0;
  let sent = "";
  let accepting = true;
  const server = createServer((client) => {
    client.on("error", () => {});
    if (!accepting) {
      client.destroy();
      return;
    }
    connections++;
    let left = proxy.cutAfter();
    const upstream = connect(targetPort, "127.0.0.1");
    const end = () => {
      open.delete(client);
      client.destroy();
      upstream.destroy();
    };
    open.add(client);
    upstream.on("error", end);
    upstream.on("close", end);
    client.on("close", end);
    client.on("data", (chunk) => {
      sent += chunk.toString("latin1");
      upstream.write(chunk);
    });
    upstream.on("data", (chunk: Buffer) => {
      const part = left === null ? chunk : chunk.subarray(0, left);
      bytesDown += part.length;
      if (left !== null) left -= part.length;
      // Closes in order, so that the bytes before the cut arrive.
      if (left === 0) {
        client.end(part);
        upstream.destroy();
      } else client.write(part);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cut = () => {
    for (const socket of open) socket.destroy();
  };
  const proxy: Proxy = {
    port: (server.address() as { port: number }).port,
    get bytesDown() {
      return bytesDown;
    },
    get connections() {
      return connections;
    },
    get sent() {
      return sent;
    },
    cutAfter: () => null,
    cut,
    accept(on) {
      accepting = on;
    },
    async close() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}
