import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { createServer, type Server, type Socket } from "node:net";
import { mailPipeline } from "../src/app/mail.ts";
import { EndpointStore } from "../src/features/webhooks/endpoints-store.ts";
import { SyncSupervisor } from "../src/inbound/sync/supervisor.ts";
import type { Connection } from "../src/mailbox/accounts/tables.ts";
import { createMailbox } from "../src/mailbox/mailbox.ts";
import { createAuthority } from "./support/certificates.ts";
import { eventually } from "./support/eventually.ts";

import { createWebhookFixture, receivedAt } from "./support/webhook-fixture.ts";
import { bothWays, type Sql, WriterFixture, writeDatabase } from "./support/writer-fixture.ts";

/*
 * An attacker with write access to the data folder replaces whole rows, all columns of them, with rows of another
 * person or earlier rows, so that a password or an event is sent elsewhere.
 */

setDefaultTimeout(30_000);

let s: WriterFixture;
beforeEach(() => {
  s = new WriterFixture();
});
afterEach(() => s.close());

/** A mail server that records what it receives and refuses every login. */
class Listener {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #bytes = "";
  connections = 0;

  constructor() {
    this.#server = createServer((socket) => {
      this.connections++;
      this.#sockets.add(socket);
      socket.on("error", () => {});
      socket.on("data", (data) => {
        const text = data.toString("latin1");
        this.#bytes += text;
        for (const line of text.split("\r\n")) this.#answer(socket, line);
      });
      socket.write("* OK [CAPABILITY IMAP4rev1] ready\r\n");
    });
  }

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return this;
  }

  #answer(socket: Socket, line: string): void {
    const [, tag, verb] = /^(\S+) (\S+)/.exec(line) ?? [];
    if (!tag) return;
    const isLogin = verb === "LOGIN" || verb === "AUTHENTICATE";
    socket.write(`${tag} ${isLogin ? "NO [AUTHENTICATIONFAILED] no" : "OK"} done\r\n`);
  }

  get connection(): Pick<Connection, "imap" | "smtp"> {
    const { port } = this.#server.address() as { port: number };
    return { imap: { host: "127.0.0.1", port, security: "none" }, smtp: null };
  }

  /** Returns whether a text was sent, in clear or in base64. */
  received(text: string): boolean {
    const decoded = this.#bytes.split(/\s+/).map((word) => Buffer.from(word, "base64").toString());
    return [this.#bytes, ...decoded].some((bytes) => bytes.includes(text));
  }

  /** Ends all connections, like a server that restarts. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

describe("the password of a mailbox never reaches a server that an attacker chose", () => {
  let ours: Listener;
  let theirs: Listener;
  let witness: Listener;
  beforeEach(async () => {
    ours = await new Listener().listen();
    theirs = await new Listener().listen();
    witness = await new Listener().listen();
  });
  afterEach(async () => void (await Promise.all([ours, theirs, witness].map((each) => each.close()))));

  const supervisor = () => {
    const mailbox = createMailbox(s.h.platform);
    const { platform } = s.h;
    return new SyncSupervisor(platform, mailbox, mailPipeline(platform, mailbox), {
      ca: null,
    });
  };

  interface Rows {
    /** Belongs to the person. */
    victim: string;
    /** The person's other mailbox, which was moved away from the attacker's server. */
    moved: string;
    /** Belongs to another member, at the attacker's server. */
    foreign: string;
    /** The earlier connection of the moved mailbox. */
    earlier: Uint8Array;
    user_id: string;
    bo: string;
  }
  const SWAPS: [string, (sql: Sql, rows: Rows) => void][] = [
    [
      "the connection of another person's mailbox",
      (sql, { victim, foreign }) =>
        sql(
          "UPDATE accounts SET connection = (SELECT connection FROM accounts WHERE id = ?) WHERE id = ?",
          foreign,
          victim,
        ),
    ],
    [
      "every sealed column of another person's mailbox",
      (sql, { victim, foreign }) =>
        sql(
          `UPDATE accounts SET (connection, profile, last_error) =
             (SELECT connection, profile, last_error FROM accounts WHERE id = ?) WHERE id = ?`,
          foreign,
          victim,
        ),
    ],
    [
      "another person as its owner, with that person's connection",
      (sql, { victim, foreign, bo }) => {
        sql("UPDATE accounts SET email_hmac = randomblob(16) WHERE id = ?", foreign);
        sql(
          "UPDATE accounts SET user_id = ?, connection = (SELECT connection FROM accounts WHERE id = ?) WHERE id = ?",
          bo,
          foreign,
          victim,
        );
      },
    ],
    [
      "the ids of the two mailboxes",
      (sql, { victim, foreign }) => {
        sql("UPDATE accounts SET id = 'acc_between' WHERE id = ?", victim);
        sql("UPDATE accounts SET id = ? WHERE id = ?", victim, foreign);
        sql("UPDATE accounts SET id = ? WHERE id = 'acc_between'", foreign);
      },
    ],
    [
      "the earlier connection",
      (sql, { moved, earlier }) => sql("UPDATE accounts SET connection = ? WHERE id = ?", earlier, moved),
    ],
    [
      "the earlier connection, at another mailbox of the same person",
      (sql, { victim, earlier }) => sql("UPDATE accounts SET connection = ? WHERE id = ?", earlier, victim),
    ],
  ];
  for (const [what, swap] of SWAPS) {
    bothWays(
      what,
      () => s.restart(),
      async (settle) => {
        const { accounts } = createMailbox(s.h.platform);
        const bo = s.h.newUser("bo@example.org").id;
        const add = (user_id: string, email: string, at: Listener, password: string) =>
          accounts.add({
            user_id,
            provider: "imap",
            email,
            connection: { ...at.connection, username: email, password },
          }).id;
        const user_id = s.h.user.id;
        const victim = add(user_id, "ada@mail.test", ours, "password of ada");
        const moved = add(user_id, "moved@mail.test", theirs, "password of before");
        const foreign = add(bo, "bo@mail.test", theirs, "password of bo");
        add(user_id, "witness@mail.test", witness, "password of the witness");
        let earlier = new Uint8Array();
        s.attack((sql) => {
          const [row] = sql("SELECT connection FROM accounts WHERE id = ?", moved) as { connection: Uint8Array }[];
          earlier = new Uint8Array(row!.connection);
        });
        accounts.setConnection(accounts.get(moved)!, {
          ...ours.connection,
          username: "moved@mail.test",
          password: "password of now",
        });
        let running = supervisor();
        running.reconcile();
        // First check that the listeners record what they receive.
        await eventually(() => ours.received("password of ada") && ours.received("password of now"));
        await eventually(() => theirs.received("password of bo") && witness.received("password of the witness"));
        expect(s.found()).not.toContain("accounts");
        await running.stop();

        s.attack((sql) => swap(sql, { victim, moved, foreign, earlier, user_id, bo }));
        for (const each of [ours, theirs, witness]) each.cut();
        const before = witness.connections;
        settle();
        running = supervisor();
        running.reconcile();
        await eventually(() => witness.connections > before);
        await running.stop();
        for (const secret of ["ada", "now", "before"]) expect(theirs.received(`password of ${secret}`)).toBe(false);
        expect(s.found()).toMatch(/FAULT .*accounts/);
      },
    );
  }

  test("a running watcher does not reconnect after its row is replaced", async () => {
    const { accounts } = createMailbox(s.h.platform);
    const add = (email: string, at: Listener) =>
      accounts.add({
        user_id: s.h.user.id,
        provider: "imap",
        email,
        connection: {
          ...at.connection,
          username: email,
          password: `password of ${email}`,
        },
      }).id;
    const victim = add("ada@mail.test", ours);
    add("witness@mail.test", witness);
    const at = add("other@mail.test", theirs);
    accounts.setPaused(accounts.get(at)!, true);
    const running = supervisor();
    running.reconcile();
    await eventually(() => ours.received("password of ada") && witness.received("password of witness"));
    s.attack((sql) =>
      sql("UPDATE accounts SET connection = (SELECT connection FROM accounts WHERE id = ?) WHERE id = ?", at, victim),
    );
    const before = [ours.connections, witness.connections];
    for (const each of [ours, witness]) each.cut();
    for (let i = 0; i < 3; i++) {
      s.h.clock.advance(3_600_000);
      running.syncNow(victim);
      running.reconcile();
    }
    await eventually(() => witness.connections > before[1]!);
    await running.stop();
    expect([theirs.connections, ours.connections - before[0]!]).toEqual([0, 0]);
  });
});

describe("events are not sent to a receiver that an attacker chose", () => {
  const SWAPS: [string, (sql: Sql, ada: string, bo: string) => void][] = [
    [
      "with another endpoint's address",
      (sql, ada, bo) =>
        sql(
          "UPDATE webhook_endpoints SET target = (SELECT target FROM webhook_endpoints WHERE id = ?) WHERE id = ?",
          bo,
          ada,
        ),
    ],
    [
      "with another owner",
      (sql, _, bo) => sql("UPDATE webhook_endpoints SET user_id = (SELECT min(id) FROM users) WHERE id = ?", bo),
    ],
    [
      "with the ids of two endpoints exchanged",
      (sql, ada, bo) => {
        sql("UPDATE webhook_endpoints SET id = 'whk_between' WHERE id = ?", ada);
        sql("UPDATE webhook_endpoints SET id = ? WHERE id = ?", ada, bo);
        sql("UPDATE webhook_endpoints SET id = ? WHERE id = 'whk_between'", bo);
      },
    ],
    [
      "with its earlier address",
      (sql, ada) => sql("UPDATE webhook_endpoints SET target = (SELECT target FROM kept) WHERE id = ?", ada),
    ],
  ];
  for (const [what, swap] of SWAPS) {
    bothWays(
      what,
      () => s.restart(),
      (settle) => {
        const store = new EndpointStore(s.h.platform);
        const bo = s.h.newUser("bo@example.org").id;
        const events = ["thread.updated"] as const;
        const mine = store.insert(s.h.user.id, {
          url: "https://theirs.example/",
          events,
        });
        s.attack((sql) => sql("CREATE TABLE kept AS SELECT * FROM webhook_endpoints"));
        store.update(mine, { url: "https://ours.example/", events });
        const theirs = store.insert(bo, { url: "https://bo.example/", events });
        const good = store.insert(s.h.user.id, {
          url: "https://good.example/",
          events,
        });
        s.attack((sql) => swap(sql, mine.id, theirs.id));
        settle();
        const after = new EndpointStore(s.h.platform);
        const urls = after.list(s.h.user.id, { limit: 100 }).map(({ url }) => url);
        for (const url of urls) expect(["https://ours.example/", "https://good.example/"]).toContain(url);
        expect(after.get(good.id)?.url).toBe("https://good.example/");
        expect(after.activeIds()).toContain(good.id);
        expect(s.found()).toMatch(/FAULT .*webhook_endpoints/);
      },
    );
  }

  test("during deliveries, neither of two exchanged endpoints receives anything", async () => {
    const fixture = await createWebhookFixture(createAuthority());
    try {
      const first = await fixture.endpoint("/first");
      const second = await fixture.endpoint("/second", ["message.received"]);
      await fixture.endpoint("/witness");
      fixture.emit();
      await fixture.settle();
      expect(receivedAt(fixture.receiver, "/first")).toHaveLength(1);
      writeDatabase(fixture.h.platform.config.data_dir, (sql) => {
        const [a, b] = [first.id, second.id].map(
          (id) =>
            (
              sql("SELECT target FROM webhook_endpoints WHERE id = ?", id) as {
                target: Uint8Array;
              }[]
            )[0]!.target,
        );
        sql("UPDATE webhook_endpoints SET target = ? WHERE id = ?", b!, first.id);
        sql("UPDATE webhook_endpoints SET target = ? WHERE id = ?", a!, second.id);
      });
      await fixture.restart();
      fixture.emit("thr_2");
      await fixture.settle();
      expect(receivedAt(fixture.receiver, "/witness")).toHaveLength(2);
      expect(receivedAt(fixture.receiver, "/second")).toEqual([]);
      expect(receivedAt(fixture.receiver, "/first")).toHaveLength(1);
    } finally {
      await fixture.close();
    }
  });
});
