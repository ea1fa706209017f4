import { expect, test } from "bun:test";
import { startFailingResolver } from "./dns.ts";

test("the failing resolver survives clients that have disconnected before it answers", async () => {
  const uncaught: unknown[] = [];
  const note = (error: unknown) => void uncaught.push(error);
  process.on("uncaughtException", note);
  const resolver = await startFailingResolver("127.0.0.1", 0);
  try {
    for (let n = 0; n < 50; n++) {
      const client = await Bun.udpSocket({ hostname: "127.0.0.1" });
      client.send(new Uint8Array(20), resolver.port(), "127.0.0.1");
      client.send(new Uint8Array(20), resolver.port(), "127.0.0.1");
      client.close();
      await Bun.sleep(1);
    }
    const asked = await Bun.udpSocket({ hostname: "127.0.0.1", socket: { data: () => answered.resolve() } });
    const answered = Promise.withResolvers<void>();
    asked.send(new Uint8Array(20), resolver.port(), "127.0.0.1");
    await answered.promise;
    asked.close();
    expect(uncaught).toEqual([]);
  } finally {
    process.off("uncaughtException", note);
    resolver.close();
  }
});
