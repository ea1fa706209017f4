import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { ImapFlow } from "imapflow";
import { DOVECOT, type Dovecot, startDovecot } from "../support/dovecot.ts";
import { eventually } from "../support/eventually.ts";
import { type Proxy as CuttingProxy, startProxy } from "../support/imap-proxy.ts";
import { createMailFixture, type MailFixture } from "../support/mail-fixture.ts";
import { mailText } from "../support/mail-text.ts";

setDefaultTimeout(20_000);

const SERVERS = [
  { name: "with every extension", capability: undefined },
  { name: "without any extension", capability: "IMAP4rev1" },
];

for (const { name, capability } of SERVERS) {
  describe.skipIf(!DOVECOT)(`a mailbox ${name}`, () => {
    let server: Dovecot;
    let other: ImapFlow;
    let proxy: CuttingProxy;
    let fixture: MailFixture;
    const byId = (id: string) => fixture.messages().filter((message) => message.message_id === `<${id}@flows.test>`);
    const one = (id: string) => {
      const [message, ...more] = byId(id);
      if (!message || more.length > 0) throw new Error(`There are ${byId(id).length} messages ${id}.`);
      return message;
    };
    const inbox = async <T>(path: string, task: () => Promise<T>): Promise<T> => {
      await other.mailboxOpen(path);
      const result = await task();
      await other.mailboxClose();
      return result;
    };
    const uidOf = (id: string, path: string) => {
      const location = one(id).locations.find((candidate) => candidate.startsWith(`${path}:`));
      return location!.slice(path.length + 1);
    };
    /** Returns how often bodies were requested. */
    const downloaded = () => proxy.sent.split("BODY.PEEK[]").length - 1;
    const announced = () => fixture.events("message.received").map(({ data }) => data.subject);
    const changesOf = (id: string) =>
      fixture
        .events("thread.updated")
        .filter(({ data }) => data.thread_id === one(id).thread_id)
        .map(({ data }) => data.changed.join());
    const state = (id: string) =>
      fixture.platform.db.sql
        .query<{ state: string }, [string]>("SELECT state FROM threads WHERE id = ?")
        .get(one(id).thread_id)?.state;

    beforeAll(async () => {
      server = await startDovecot({ capability });
      const old = ["old-1", "old-2", "old-3", "old-4", "old-5", "old-6"].map((id) => ({
        raw: mailText({ id }),
        flags: "S",
      }));
      server.loadMaildir("alice", "INBOX", old);
      server.loadMaildir("alice", "Projects", [{ raw: mailText({ id: "project-1" }), flags: "S" }]);
      other = await server.connect("alice");
      proxy = await startProxy(server.imapPort);
      fixture = await createMailFixture({ port: proxy.port, login: server.logins.alice });
      fixture.start();
      await fixture.agrees(other);
    });
    afterAll(async () => {
      await fixture?.close();
      await proxy?.close();
      await server?.stop();
    });

    test("new mail is here within two seconds, announced once", async () => {
      await server.deliver("alice", mailText({ id: "new-1", subject: "News" }));
      await eventually(() => byId("new-1").length === 1, 2_000);
      expect(one("new-1")).toMatchObject({ unread: true, subject: "News" });
      expect(state("new-1")).toBe("inbox");
      await fixture.agrees(other);
      expect(announced()).toEqual(["News"]);
      expect(fixture.events("message.received")[0]!.data).toEqual({
        thread_id: one("new-1").thread_id,
        message_id: one("new-1").id,
        account_id: fixture.account.id,
        from: { email: "bea@example.net" },
        subject: "News",
        tags: ["primary"],
      });
    });

    test("flags and keywords set elsewhere are synced, and announced once", async () => {
      await inbox("INBOX", async () => {
        await other.messageFlagsAdd(uidOf("old-1", "INBOX"), ["\\Flagged", "\\Answered", "Holiday"], { uid: true });
        await other.messageFlagsRemove(uidOf("old-2", "INBOX"), ["\\Seen"], { uid: true });
      });
      await fixture.agrees(other);
      expect(one("old-1")).toMatchObject({ starred: true, answered: true, labels: ["Holiday"] });
      expect(one("old-2").unread).toBe(true);
      await inbox("INBOX", () =>
        other.messageFlagsRemove(uidOf("old-1", "INBOX"), ["Holiday", "\\Flagged"], { uid: true }),
      );
      await fixture.agrees(other);
      expect(one("old-1")).toMatchObject({ starred: false, labels: [] });
      expect(new Set(changesOf("old-1").flatMap((changed) => changed.split(",")))).toEqual(
        new Set(["labels", "starred"]),
      );
      expect(changesOf("old-2")).toEqual(["read"]);
    });

    test("a move elsewhere keeps the message and its thread, and is not announced", async () => {
      const before = one("old-3");
      await inbox("INBOX", () => other.messageMove(uidOf("old-3", "INBOX"), "Archive", { uid: true }));
      await fixture.agrees(other);
      expect(one("old-3")).toMatchObject({ id: before.id, thread_id: before.thread_id });
      expect(state("old-3")).toBe("archived");
      expect(changesOf("old-3").filter((changed) => changed.includes("state"))).toHaveLength(1);
      expect(announced()).toEqual(["News"]);
    });

    test("a message is announced only once: also after it is moved, brought back, deleted and added again", async () => {
      const path = () => one("new-1").locations[0]!.split(":")[0]!;
      for (const target of ["Archive", "Projects", "INBOX"]) {
        await inbox(path(), () => other.messageMove(uidOf("new-1", path()), target, { uid: true }));
        await fixture.agrees(other);
      }
      await inbox("INBOX", () => other.messageDelete(uidOf("new-1", "INBOX"), { uid: true }));
      await fixture.agrees(other);
      await other.append("INBOX", mailText({ id: "new-1", subject: "News" }));
      await fixture.agrees(other);
      expect(byId("new-1")).toHaveLength(1);
      expect(announced()).toEqual(["News"]);
    });

    test("a copy of old mail that another program adds today is not announced", async () => {
      await inbox("Projects", () => other.append("Projects", mailText({ id: "old-6" }), ["\\Seen"]));
      await fixture.agrees(other);
      expect(one("old-6").locations).toHaveLength(2);
      expect(announced()).toEqual(["News"]);
    });

    test("copies in two folders are one message; two in one folder are two", async () => {
      await inbox("INBOX", () => other.messageCopy(uidOf("old-4", "INBOX"), "Projects", { uid: true }));
      await fixture.agrees(other);
      expect(one("old-4").locations).toHaveLength(2);
      expect(state("old-4")).toBe("inbox");
      const raw = mailText({ id: "twice" });
      await other.append("Projects", raw, ["\\Seen"], new Date("2026-01-01T00:00:00Z"));
      await other.append("Projects", raw, ["\\Seen"], new Date("2026-01-01T00:00:00Z"));
      await fixture.agrees(other);
      expect(byId("twice")).toHaveLength(2);
      await inbox("INBOX", () => other.messageDelete(uidOf("old-4", "INBOX"), { uid: true }));
      await fixture.agrees(other);
      expect(one("old-4").locations).toHaveLength(1);
      expect(state("old-4")).toBe("archived");
    });

    test("a deletion elsewhere is synced, including the thread", async () => {
      const { thread_id } = one("old-5");
      await inbox("INBOX", () => other.messageDelete(uidOf("old-5", "INBOX"), { uid: true }));
      await fixture.agrees(other);
      expect(byId("old-5")).toEqual([]);
      expect(fixture.platform.db.sql.query("SELECT 1 FROM threads WHERE id = ?").get(thread_id)).toBeNull();
    });

    test("a renamed folder keeps its messages, their ids and their threads", async () => {
      const before = fixture
        .messages()
        .filter(({ locations }) => locations.some((location) => location.startsWith("Projects:")));
      const downloads = downloaded();
      await other.mailboxRename("Projects", "Plans/Næste år");
      await fixture.agrees(other);
      expect(downloaded()).toBe(downloads);
      const after = fixture
        .messages()
        .filter(({ locations }) => locations.some((location) => location.startsWith("Plans/Næste år:")));
      const shape = (messages: typeof before) => messages.map(({ id, thread_id }) => ({ id, thread_id }));
      expect(shape(after)).toEqual(shape(before));
      expect(announced()).toEqual(["News"]);
    });

    test("mail in a new folder arrives, and is removed with the folder", async () => {
      await other.mailboxCreate("Short-lived");
      await other.append("Short-lived", mailText({ id: "short-1" }), [], new Date("2026-01-02T00:00:00Z"));
      await fixture.agrees(other);
      expect(one("short-1").locations).toEqual(["Short-lived:1"]);
      await other.mailboxDelete("Short-lived");
      await fixture.agrees(other);
      expect(byId("short-1")).toEqual([]);
    });

    test("a new UIDVALIDITY keeps ids, threads and labels, and announces nothing", async () => {
      await inbox("INBOX", () => other.messageFlagsAdd(uidOf("old-1", "INBOX"), ["Holiday"], { uid: true }));
      await fixture.agrees(other);
      const shape = () =>
        fixture.messages().map(({ id, thread_id, labels, unread }) => ({ id, thread_id, labels, unread }));
      const before = shape();
      const events = fixture.events().length;
      const downloads = downloaded();
      await server.halt();
      server.renumber("alice", "INBOX");
      server.renumber("alice", "Archive");
      await server.start();
      other = await server.connect("alice");
      await fixture.agrees(other, 15_000);
      expect(shape()).toEqual(before);
      expect(announced()).toEqual(["News"]);
      expect(downloaded()).toBe(downloads);
      expect(
        fixture
          .events()
          .slice(events)
          .filter(({ event }) => event === "message.received"),
      ).toEqual([]);
    });

    test("a new UIDVALIDITY with the old UIDs changes nothing either", async () => {
      const before = fixture.messages().map(({ id }) => id);
      server.doveadm("mailbox", "update", "--uid-validity", "4000000000", "-u", server.logins.alice.username, "INBOX");
      await fixture.agrees(other, 15_000);
      expect(fixture.messages().map(({ id }) => id)).toEqual(before);
      expect(announced()).toEqual(["News"]);
    });

    test("gaps of millions of UIDs need no additional commands", async () => {
      server.doveadm(
        "mailbox",
        "update",
        "--min-next-uid",
        "3000000000",
        "-u",
        server.logins.alice.username,
        "Archive",
      );
      if (!other.usable) other = await server.connect("alice");
      await other.append("Archive", mailText({ id: "sparse-1" }), ["\\Seen"], new Date("2026-01-03T00:00:00Z"));
      await fixture.agrees(other);
      expect(one("sparse-1").locations).toEqual(["Archive:3000000000"]);
    });

    test("sync resumes after a restart of the server", async () => {
      await server.restart();
      other = await server.connect("alice");
      await server.deliver("alice", mailText({ id: "new-2", subject: "After the restart" }));
      await eventually(() => byId("new-2").length === 1, 10_000);
      await fixture.agrees(other);
      expect(announced()).toEqual(["News", "After the restart"]);
    });
  });
}
