import { describe, expect, test } from "bun:test";
import { EventEmitter } from "node:events";
import type { ImapFlow } from "imapflow";
import { ManualClock } from "../../platform/clock.ts";
import { ConnectionQueue, PRIORITY, QueueClosed, QueueStalled, STALL_MS } from "./connection-queue.ts";

class FakeClient extends EventEmitter {
  usable = true;
  received = 0;
  stats() {
    return { sent: 0, received: this.received };
  }
  close(): void {
    this.usable = false;
    this.emit("close");
  }
}

function queues(): { queue: ConnectionQueue; clients: FakeClient[]; clock: ManualClock } {
  const clients: FakeClient[] = [];
  const clock = new ManualClock();
  const connect = async () => {
    const client = new FakeClient();
    clients.push(client);
    return client as unknown as ImapFlow;
  };
  return { queue: new ConnectionQueue(connect, clock), clients, clock };
}

describe("the working connection of an account", () => {
  test("serves one task at a time, the most urgent first", async () => {
    const { queue, clients } = queues();
    const order: string[] = [];
    const gate = Promise.withResolvers<void>();
    const task = (name: string) => async () => {
      order.push(`${name} begins`);
      if (name === "history") await gate.promise;
      order.push(`${name} ends`);
    };
    const all = [
      queue.run(PRIORITY.backfill, task("history")),
      queue.run(PRIORITY.backfill, task("more history")),
      queue.run(PRIORITY.newMail, task("new mail")),
      queue.run(PRIORITY.interactive, task("an attachment")),
      queue.run(PRIORITY.interactive, task("another")),
    ];
    expect(queue.wanted(PRIORITY.backfill)).toBe(true);
    expect(queue.wanted(PRIORITY.interactive)).toBe(false);
    gate.resolve();
    await Promise.all(all);
    const names = ["history", "an attachment", "another", "new mail", "more history"];
    expect(order).toEqual(names.flatMap((name) => [`${name} begins`, `${name} ends`]));
    expect(clients).toHaveLength(1);
  });

  test("a failed task does not stop the next, and a lost connection is reopened", async () => {
    const { queue, clients } = queues();
    await expect(
      queue.run(PRIORITY.newMail, async () => {
        throw new Error("no");
      }),
    ).rejects.toThrow("no");
    clients[0]!.close();
    expect(queue.connected).toBe(false);
    await queue.run(PRIORITY.newMail, async (client) => expect(client.usable).toBe(true));
    expect(clients).toHaveLength(2);
  });

  test("refuses more waiting tasks than any account needs", async () => {
    const { queue } = queues();
    const gate = Promise.withResolvers<void>();
    const first = queue.run(PRIORITY.newMail, () => gate.promise);
    const waiting = Array.from({ length: 200 }, () => queue.run(PRIORITY.newMail, async () => {}));
    await expect(queue.run(PRIORITY.newMail, async () => {})).rejects.toBeInstanceOf(QueueClosed);
    gate.resolve();
    await Promise.all([first, ...waiting]);
  });

  test("leaves no connection behind when closed while connecting", async () => {
    const connected = Promise.withResolvers<FakeClient>();
    const begun = Promise.withResolvers<void>();
    const queue = new ConnectionQueue(async () => {
      begun.resolve();
      return (await connected.promise) as unknown as ImapFlow;
    }, new ManualClock());
    let ran = false;
    const task = queue.run(PRIORITY.newMail, async () => {
      ran = true;
    });
    await begun.promise;
    queue.close();
    // Closing does not wait for a server that is slow to greet.
    await expect(task).rejects.toBeInstanceOf(QueueClosed);
    const client = new FakeClient();
    const closed = Promise.withResolvers<void>();
    client.once("close", closed.resolve);
    connected.resolve(client);
    await closed.promise;
    expect(ran).toBe(false);
    expect(queue.connected).toBe(false);
  });

  test("a stalled task loses its turn and the connection; a slow one keeps both", async () => {
    const { queue, clients, clock } = queues();
    const begun = Promise.withResolvers<void>();
    const stuck = queue.run(PRIORITY.mirror, () => {
      begun.resolve();
      return new Promise<never>(() => {});
    });
    const next = queue.run(PRIORITY.backfill, async (client) => client.usable);
    await begun.promise;
    // The first wait began without a connection. A new connection counts as activity, and so does every byte.
    for (let i = 1; i <= 5; i++) {
      clock.advance(STALL_MS);
      expect(clients[0]!.usable).toBe(true);
      clients[0]!.received = i;
    }
    clock.advance(STALL_MS);
    clock.advance(STALL_MS);
    await expect(stuck).rejects.toBeInstanceOf(QueueStalled);
    expect(clients[0]!.usable).toBe(false);
    expect(await next).toBe(true);
    expect(clients).toHaveLength(2);
  });

  test("a server that accepts the connection and never greets does not block waiting tasks forever", async () => {
    const clock = new ManualClock();
    const begun = Promise.withResolvers<void>();
    const queue = new ConnectionQueue(() => {
      begun.resolve();
      return new Promise<never>(() => {});
    }, clock);
    const task = queue.run(PRIORITY.interactive, async () => {});
    await begun.promise;
    clock.advance(STALL_MS);
    await expect(task).rejects.toBeInstanceOf(QueueStalled);
  });
});
