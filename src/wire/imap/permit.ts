import type { ImapFlow } from "imapflow";

/** This server may not act any more (`ConnectOptions.mayAct`). The connection has ended, and nothing more was sent. */
class NotPermitted extends Error {
  override readonly name = "NotPermitted";

  constructor() {
    super("This server may not contact mail servers: it does not hold the lease.");
  }
}

/** The library internals that this file uses; `permit.test.ts` fails when a new version writes in another way. */
interface Internals {
  write(chunk: string | Buffer): void;
}

/**
 * Lets a client write only while it is permitted, and otherwise ends the connection, also in the middle of a command. A
 * process that did nothing for a while, such as one in a virtual machine that was paused, continues with the answers
 * that have arrived meanwhile, before any timer or message can stop it.
 */
export function permitWrites(client: ImapFlow, mayAct: () => boolean): void {
  const internals = client as unknown as Internals;
  const write = internals.write.bind(client);
  internals.write = (chunk) => {
    if (mayAct()) return write(chunk);
    client.close();
    throw new NotPermitted();
  };
}
