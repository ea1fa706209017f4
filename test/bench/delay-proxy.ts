import { connect, createServer, type Socket } from "node:net";

/** Forwards to a local port with a delay of `delay_ms` in each direction, like a connection to a distant server. */
export async function startDelayProxy(port: number, delayMs: number): Promise<{ port: number; close(): void }> {
  const sockets = new Set<Socket>();
  const pass = (from: Socket, to: Socket) => {
    sockets.add(from);
    from.on("data", (chunk) => setTimeout(() => to.write(chunk), delayMs));
    from.on("close", () => setTimeout(() => to.destroy(), delayMs));
    from.on("error", () => {});
  };
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ host: "127.0.0.1", port, noDelay: true });
    pass(near, far);
    pass(far, near);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as { port: number }).port,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
