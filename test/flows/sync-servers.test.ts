import { afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { eventually } from "../support/eventually.ts";
import { type ScriptServer, startScript } from "../support/imap-script.ts";
import { fetchLine } from "../support/imap-wire.ts";
import { createMailFixture, type MailFixture, type MailFixtureOptions } from "../support/mail-fixture.ts";
import { mailText } from "../support/mail-text.ts";

setDefaultTimeout(15_000);

const CONDSTORE = ["IMAP4rev1", "AUTH=PLAIN", "IDLE", "ENABLE", "CONDSTORE"];

/** Servers that answer as no server should, although some do. */
describe("a server that", () => {
  let server: ScriptServer;
  let fixture: MailFixture;
  afterEach(async () => {
    await fixture?.close();
    await server?.close();
  });

  async function begin(
    set: (server: ScriptServer) => void,
    options: { capabilities?: string[]; fixtureOptions?: Partial<MailFixtureOptions> } = {},
  ): Promise<void> {
    server = await startScript({ capabilities: options.capabilities });
    server.addFolder("INBOX");
    set(server);
    fixture = await createMailFixture({
      port: server.port,
      login: { username: "alice@mail.test", password: "any" },
      longest_wait_ms: 50,
      ...options.fixtureOptions,
    });
    fixture.start();
  }
  const live = () => eventually(() => fixture.account.sync.phase === "live" && fixture.account.status === "active");
  /** Runs several complete syncs, so that anything that would be deleted is deleted. */
  const passes = async (count = 4) => {
    const target = fixture.account.pass + count;
    await eventually(() => {
      fixture.supervisor.syncNow(fixture.account.id);
      return fixture.account.pass >= target;
    });
  };
  const ids = () =>
    fixture
      .messages()
      .map(({ message_id }) => message_id?.slice(1, -12))
      .sort();
  const locationsHere = () =>
    fixture
      .messages()
      .flatMap((message) => message.locations)
      .sort();
  const fill = (path: string, ...names: string[]) => {
    for (const id of names) server.add(path, { raw: mailText({ id }), flags: new Set(["\\Seen"]) });
  };

  for (const [name, list] of [
    ["lists nothing", ""],
    ["lists garbage", '* LIST (\\HasNoChildren "/ INBOX\r\n* LIST NIL NIL\r\n* LIST () "/" ""\r\n'],
    ["lists the inbox alone, for once", '* LIST () "/" INBOX\r\n'],
  ] as const) {
    test(`${name} changes nothing here`, async () => {
      await begin(() => {
        fill("INBOX", "a", "b");
        fill("Work", "c");
        fill("Home", "d");
      });
      await live();
      const before = locationsHere();
      server.answer = ({ name, tag, args }) =>
        name === "LIST" && args.includes("*") ? `${list}${tag} OK listed\r\n` : null;
      fixture.supervisor.syncNow(fixture.account.id);
      await eventually(() => fixture.account.status === "unreachable");
      await eventually(() => server.commands.filter((line) => line.startsWith("LIST")).length > 6);
      expect(locationsHere()).toEqual(before);
      server.answer = () => null;
      await live();
      await passes();
      expect(locationsHere()).toEqual(before);
      expect(fixture.events()).toEqual([]);
    });
  }

  test("answers NIL for the delimiter has flat names", async () => {
    await begin(() => {
      server.addFolder("INBOX").delimiter = null;
      server.addFolder("Sent Items", [], null);
      server.addFolder("odd/name", [], null);
      fill("odd/name", "flat");
    });
    await live();
    expect(locationsHere()).toEqual(["odd/name:1"]);
    const folders = fixture.mailbox.folders.list(fixture.account);
    expect(folders.map(({ path, delimiter, role }) => ({ path, delimiter, role }))).toContainEqual({
      path: "Sent Items",
      delimiter: null,
      role: "sent",
    });
  });

  test("gives UIDVALIDITY 0 is read, and giving a number later changes nothing", async () => {
    await begin(() => {
      server.addFolder("INBOX").uidvalidity = 0;
      fill("INBOX", "a", "b");
    });
    await live();
    const before = fixture.messages();
    server.folder("INBOX").uidvalidity = 1234;
    await passes();
    fill("INBOX", "c");
    server.folder("INBOX").uidvalidity = 0;
    await passes();
    await eventually(() => ids().length === 3);
    expect(fixture.messages().slice(0, 2)).toEqual(before);
    expect(fixture.mailbox.folders.list(fixture.account)).toHaveLength(1);
  });

  test("leaves FLAGS out: mail counts as unread, and flags that arrive later stay", async () => {
    await begin(() => fill("INBOX", "a"));
    server.answer = (command) =>
      command.name === "UID FETCH"
        ? withoutFlags(
            command.folder!.messages.map((m, i) => fetchLine(i + 1, m, command.args)),
            command.tag,
          )
        : null;
    await live();
    expect(fixture.messages()[0]).toMatchObject({ unread: true });
    server.answer = () => null;
    await passes();
    await eventually(() => fixture.messages()[0]!.unread === false);
    server.answer = (command) =>
      command.name === "UID FETCH"
        ? withoutFlags(
            command.folder!.messages.map((m, i) => fetchLine(i + 1, m, command.args)),
            command.tag,
          )
        : null;
    await passes();
    expect(fixture.messages()[0]).toMatchObject({ unread: false });
    // Another copy of it does not make it unread either.
    fill("Work", "a");
    await eventually(() => locationsHere().length === 2);
    expect(fixture.messages()).toMatchObject([{ unread: false }]);
  });

  test("leaves messages out of one answer loses none of them, though nothing changes in their folder any more", async () => {
    let short = 1;
    await begin(
      () => {
        fill("INBOX", "new");
        fill("Work", "a", "b", "c");
        server.answer = ({ name, folder, args, tag }) => {
          if (name !== "UID FETCH" || folder?.path !== "Work" || !args.includes("RFC822.SIZE") || short-- <= 0)
            return null;
          return `${fetchLine(3, folder.messages[2]!, args)}${tag} OK fetched\r\n`;
        };
      },
      { capabilities: CONDSTORE },
    );
    await live();
    await passes();
    expect(ids()).toEqual(["a", "b", "c", "new"]);
    // Even with other UIDs they stay the same messages.
    const before = fixture.messages().map(({ id }) => id);
    short = 1;
    server.folder("Work").uidvalidity = 1234;
    await passes();
    expect(fixture.messages().map(({ id }) => id)).toEqual(before);
    expect(locationsHere()).toEqual(["INBOX:1", "Work:1", "Work:2", "Work:3"]);
  });

  test("reports flags unasked, in the middle of other answers, confuses nothing", async () => {
    await begin(() => {
      fill("INBOX", "a", "b", "c");
      // Each answer is surrounded by ones that RFC 9051 lets a server send at any time.
      server.answer = ({ name, folder, args, tag }) => {
        if (name !== "UID FETCH" || !args.includes("RFC822.SIZE")) return null;
        const lines = folder!.messages.map((message, i) => fetchLine(i + 1, message, args));
        const unasked = folder!.messages.map(
          ({ uid }, i) => `* ${i + 1} FETCH (UID ${uid} FLAGS (\\Flagged))\r\n* ${i + 1} FETCH (FLAGS ())\r\n`,
        );
        return `${unasked.join("")}${lines.join("")}${unasked.join("")}${tag} OK fetched\r\n`;
      };
    });
    await live();
    expect(ids()).toEqual(["a", "b", "c"]);
    for (const message of fixture.messages()) {
      expect(message).toMatchObject({
        size: mailText({ id: "a" }).length,
        internal_date: Date.parse("2026-01-05T10:00:00Z"),
      });
    }
  });

  test("reports more new mail during a request for changes is not asked for all of its UIDs", async () => {
    await begin(() => fill("INBOX", "a", "b"), { capabilities: CONDSTORE });
    await live();
    await passes(1);
    const before = server.commands.length;
    let waves = 3;
    server.answer = ({ name, tag, args }) => {
      if (name !== "UID FETCH" || !args.includes("CHANGEDSINCE") || waves-- <= 0) return null;
      fill("INBOX", `late ${waves}`);
      return `* ${server.folder("INBOX").messages.length} EXISTS\r\n${tag} OK done\r\n`;
    };
    fill("INBOX", "c");
    await eventually(() => locationsHere().length === 6);
    await passes(1);
    expect(server.commands.slice(before).filter((line) => line.startsWith("UID SEARCH"))).toEqual([]);
  });

  test("withholds a change once is asked for all flags again in the next complete sync, which runs at each start", async () => {
    await begin(() => fill("Work", "a"), { capabilities: CONDSTORE });
    await live();
    server.answer = ({ name, tag, args }) =>
      name === "UID FETCH" && args.includes("CHANGEDSINCE") ? `${tag} OK nothing\r\n` : null;
    server.change("Work", 1, ({ flags }) => flags.add("\\Flagged"));
    await passes();
    server.answer = () => null;
    await passes();
    expect(fixture.messages()).toMatchObject([{ starred: false }]);
    await fixture.reboot();
    fixture.start();
    await eventually(() => fixture.messages()[0]!.starred);
  });

  test("counts one message and denies it changes nothing", async () => {
    await begin(() => fill("INBOX", "a", "b"), { fixtureOptions: { config: { "mail.poll_seconds": 1 } } });
    await live();
    server.answer = ({ name, tag }) => (name === "UID SEARCH" ? `* SEARCH\r\n${tag} OK searched\r\n` : null);
    await fixture.reboot();
    fixture.start();
    await eventually(() => server.commands.filter((line) => line.startsWith("UID SEARCH")).length > 2);
    expect(ids()).toEqual(["a", "b"]);
  });

  test("has mail moved to a folder that was just synced does not make us lose it", async () => {
    await begin(() => {
      fill("INBOX", "a");
      fill("Work", "moving");
    });
    await live();
    const before = fixture.messages().map(({ id }) => id);
    // The message moves into the inbox after the inbox was read, and is then missed in the other folder.
    let moved = false;
    server.answer = ({ name, args }) => {
      if (name !== "EXAMINE" || !args.includes("Work") || moved) return null;
      moved = true;
      const { raw, flags, date } = server.folder("Work").messages[0]!;
      server.remove("Work", 1);
      server.add("INBOX", { raw, flags, date });
      return null;
    };
    fixture.supervisor.syncNow(fixture.account.id);
    await eventually(() => locationsHere().join() === "INBOX:1,INBOX:2");
    expect(fixture.messages().map(({ id }) => id)).toEqual(before);
  });

  test("refuses to open a folder does not keep the others from being read, nor deletions from being synced", async () => {
    await begin(() => {
      fill("INBOX", "a", "b");
      fill("Locked", "x");
      server.answer = ({ name, args, tag }) =>
        name === "EXAMINE" && args.includes("Locked") ? `${tag} NO [NOPERM] no\r\n` : null;
    });
    await live();
    expect(ids()).toEqual(["a", "b"]);
    server.remove("INBOX", 1);
    await passes();
    await eventually(() => ids().length === 1);
    expect(ids()).toEqual(["b"]);
  });

  test("cannot give one message gives the others, and is not asked for it again and again", async () => {
    await begin(() => {
      fill("INBOX", "a", "bad", "c");
      server.answer = ({ name, folder, args, tag }) => {
        const wanted = folder?.messages.filter(({ uid }) => inUidSet(uid, args.split(" ")[0]!));
        return name === "UID FETCH" && args.includes("BODY.PEEK[]") && wanted!.some(({ uid }) => uid === 2)
          ? `${tag} NO [SERVERBUG] cannot\r\n`
          : null;
      };
    });
    await live();
    expect(ids()).toEqual(["a", "c"]);
    const before = server.commands.filter((line) => line.includes("BODY.PEEK[]")).length;
    await passes(6);
    fill("INBOX", "d");
    await passes();
    expect(ids()).toEqual(["a", "c", "d"]);
    // One for "d", and one more try for "bad" when the count was another.
    expect(server.commands.filter((line) => line.includes("BODY.PEEK[]")).length - before).toBeLessThan(6);
  });

  test("was restored to an earlier day (UIDs and MODSEQ lower than before) reaches the same state here", async () => {
    await begin(() => fill("INBOX", "a", "b", "c"), { capabilities: CONDSTORE });
    await live();
    fill("INBOX", "lost");
    await eventually(() => ids().length === 4);
    const inbox = server.folder("INBOX");
    inbox.messages.pop();
    inbox.uidnext = 4;
    for (const message of inbox.messages) message.modseq = 1;
    inbox.messages[0]!.flags.clear();
    await fixture.reboot();
    fixture.start();
    await passes();
    await eventually(
      () => ids().join() === "a,b,c" && fixture.messages().find(({ locations }) => locations[0] === "INBOX:1")!.unread,
    );
    server.add("INBOX", { raw: mailText({ id: "after" }), date: new Date() });
    await eventually(() => ids().join() === "a,after,b,c");
    expect(fixture.events("message.received").map(({ data }) => data.subject)).toEqual(["About after"]);
  });

  test("renumbers a folder and then deletes it leaves none of its messages", async () => {
    await begin(() => {
      fill("INBOX", "a");
      fill("Old", "x", "y");
    });
    await live();
    // The new UIDs are seen, but not completely read, when the folder disappears.
    server.answer = ({ name, folder, tag }) =>
      name === "UID FETCH" && folder!.path === "Old" ? `${tag} NO later\r\n` : null;
    const old = server.folder("Old");
    old.uidvalidity = 99;
    await passes();
    await eventually(() =>
      fixture.mailbox.folders.list(fixture.account).some(({ replaced_by }) => replaced_by !== null),
    );
    server.folders = server.folders.filter((folder) => folder !== old);
    server.answer = () => null;
    await passes();
    await eventually(() => ids().join() === "a");
    expect(fixture.mailbox.folders.list(fixture.account).map(({ path }) => path)).toEqual(["INBOX"]);
  });
});

function withoutFlags(lines: string[], tag: string): string {
  return `${lines.join("").replace(/FLAGS \([^)]*\) ?/g, "")}${tag} OK fetched\r\n`;
}

function inUidSet(uid: number, set: string): boolean {
  return set.split(",").some((item) => {
    const [from, to = from] = item.split(":").map((end) => (end === "*" ? Number.POSITIVE_INFINITY : Number(end)));
    return uid >= from! && uid <= to!;
  });
}
