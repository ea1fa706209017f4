import { afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { eventually } from "../support/eventually.ts";
import { type ScriptCommand, type ScriptServer, startScript } from "../support/imap-script.ts";
import { fetchAnswer, fetchLine, inSet } from "../support/imap-wire.ts";
import { createMailFixture, type MailFixture, type MailFixtureOptions } from "../support/mail-fixture.ts";
import { mailText } from "../support/mail-text.ts";

setDefaultTimeout(20_000);

/**
 * Servers that are malicious, or broken in a way that looks malicious: nothing is lost, no resource runs out, and sync
 * of the rest continues.
 */
describe("a hostile server that", () => {
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
  const live = (deadlineMs?: number) =>
    eventually(() => fixture.account.sync.phase === "live" && fixture.account.status === "active", deadlineMs);
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
  const fill = (path: string, ...names: string[]) => {
    for (const id of names) server.add(path, { raw: mailText({ id }), flags: new Set(["\\Seen"]) });
  };
  const asked = ({ folder, args }: ScriptCommand) => inSet(folder!, args.split(" ", 1)[0]!);

  test("announces four gigabytes is cut off at once, and read when it behaves again", async () => {
    await begin(() => fill("INBOX", "a", "b"));
    server.answer = ({ name, args }) =>
      name === "UID FETCH" && args.includes("BODY.PEEK[]") ? `* 1 FETCH (UID 1 BODY[] {4294967296}\r\n` : null;
    await eventually(() => fixture.account.status === "unreachable");
    server.answer = () => null;
    await live();
    expect(ids()).toEqual(["a", "b"]);
  });

  test("announces 900 megabytes and sends them is cut off before they are in memory", async () => {
    let sent = 0;
    await begin(() => fill("INBOX", "a"));
    server.answer = ({ name, args }) => {
      if (name !== "UID FETCH" || !args.includes("BODY.PEEK[]")) return null;
      sent++;
      return `* 1 FETCH (UID 1 BODY[] {943718400}\r\n${"x".repeat(1_000_000)}`;
    };
    await eventually(() => sent > 1);
    server.answer = () => null;
    await live();
    expect(ids()).toEqual(["a"]);
  });

  test("answers with a line of 39 MB is reported, changes nothing, and is synced once it answers sensibly", async () => {
    await begin(() => fill("INBOX", "a", "b"));
    await live();
    const flood = ` ${"4000000000 ".repeat(400_000)}`;
    server.answer = ({ name, tag }) =>
      name === "UID FETCH" ? `* SEARCH${flood.repeat(9)}\r\n${tag} OK done\r\n` : null;
    fill("INBOX", "c");
    fixture.supervisor.syncNow(fixture.account.id);
    await eventually(() => fixture.account.status === "unreachable", 15_000);
    expect(fixture.account.last_error).toStartWith("The mail server sent an answer beyond what Postroom accepts");
    expect(ids()).toEqual(["a", "b"]);
    server.answer = () => null;
    await live();
    await eventually(() => ids().length === 3);
    expect(ids()).toEqual(["a", "b", "c"]);
  });

  test("gives a message far too many keywords causes only a delay", async () => {
    await begin(() => fill("INBOX", "a", "b"));
    const words = Array.from({ length: 500 }, (_, i) => `k${i}`).join(" ");
    server.answer = (command) =>
      command.name === "UID FETCH" && command.args.includes("FLAGS")
        ? `${fetchAnswer(command.folder!, command.args).replaceAll("FLAGS (", `FLAGS (${words} `)}${command.tag} OK done\r\n`
        : null;
    await eventually(() => fixture.account.status === "unreachable");
    expect(fixture.account.last_error).toContain("more than 300 keywords");
    server.answer = () => null;
    await live();
    expect(ids()).toEqual(["a", "b"]);
  });

  test("understates sizes still gives large mail in parts", async () => {
    await begin(() => {
      server.add("INBOX", { raw: mailText({ id: "big", text: "word ".repeat(100_000) }) });
      server.answer = (command) =>
        command.name === "UID FETCH" && command.args.includes("RFC822.SIZE")
          ? `${fetchAnswer(command.folder!, command.args).replace(/RFC822\.SIZE \d+/, "RFC822.SIZE 10")}${command.tag} OK fetched\r\n`
          : null;
    });
    await live();
    expect(ids()).toEqual(["big"]);
    // Never more than a bound for what was announced as ten bytes.
    expect(server.commands.filter((line) => /BODY\.PEEK\[\]( |\)|$)/.test(line))).toEqual([]);
  });

  test("answers with unrequested messages stores the requested ones", async () => {
    const stranger = (uid: string, args: string) =>
      `* 9 FETCH (UID ${uid} FLAGS () RFC822.SIZE 5 INTERNALDATE "05-Jan-2026 10:00:00 +0000"${
        args.includes("BODY.PEEK[]") ? " BODY[] {5}\r\nevil!" : ""
      })\r\n`;
    await begin(() => {
      fill("INBOX", "a", "b");
      server.answer = (command) => {
        const { name, args, tag, folder } = command;
        if (name !== "UID FETCH") return null;
        const strangers = ["77", "4294967295", "99999999999999999999"].map((uid) => stranger(uid, args)).join("");
        return `${strangers}${fetchAnswer(folder!, args)}${strangers}${tag} OK fetched\r\n`;
      };
    });
    await live();
    fill("INBOX", "c");
    await passes();
    await eventually(() => ids().length === 3);
    fill("INBOX", "d");
    await passes();
    await eventually(() => ids().length === 4);
    expect(ids()).toEqual(["a", "b", "c", "d"]);
    expect(fixture.messages().flatMap(({ locations }) => locations)).toHaveLength(4);
  });

  test("sends other messages' flags before each answer still gives its large mail completely", async () => {
    const large = mailText({ id: "large", text: "word ".repeat(60_000) });
    await begin(() => {
      server.add("INBOX", { raw: large });
      fill("INBOX", "small");
      server.answer = (command) => {
        const { name, args, tag, folder } = command;
        if (name !== "UID FETCH" || args.includes("RFC822.SIZE")) return null;
        const unasked = `* 2 FETCH (UID 2 FLAGS (\\Seen))\r\n`;
        return `${unasked}${withStructure(folder!, args)}${tag} OK fetched\r\n`;
      };
    });
    await live();
    expect(ids()).toEqual(["large", "small"]);
    // Not in a later sync for what an earlier one missed: that would be minutes later.
    expect(fixture.log.filter((line) => line.includes("missed"))).toEqual([]);
  });

  test("gives no answer to BODYSTRUCTURE of one large message: its text is read from its beginning", async () => {
    const large = mailText({ id: "knotted", text: `begin ${"word ".repeat(60_000)}` });
    await begin(() => {
      server.add("INBOX", { raw: large });
      fill("INBOX", "other");
      server.answer = (command) => {
        const { name, args, tag, folder } = command;
        if (name !== "UID FETCH") return null;
        if (args.includes("BODYSTRUCTURE")) return `${tag} OK fetched\r\n`;
        return `${withStructure(folder!, args)}${tag} OK fetched\r\n`;
      };
    });
    await live();
    expect(ids()).toEqual(["knotted", "other"]);
    const { id } = fixture.messages().find(({ message_id }) => message_id === "<knotted@flows.test>")!;
    const caller = { user_id: fixture.user.id, account_id: null };
    expect(fixture.mailbox.messageQueries.get(caller as never, id).new_text).toStartWith("begin word word");
  });

  for (const word of ["BAD", "NO"]) {
    test(`answers ${word} to every request for one message's content gives all the others`, async () => {
      const COUNT = 700; // dense and small: history is listed and fetched by one command
      await begin(() => {
        for (let i = 1; i <= COUNT; i++) fill("INBOX", `m${i}`);
        server.answer = (command) =>
          command.name === "UID FETCH" &&
          command.args.includes("BODY.PEEK[]") &&
          asked(command).some(({ uid }) => uid === 150)
            ? `${command.tag} ${word} cannot\r\n`
            : null;
      });
      await live(15_000);
      expect(server.commands.some((line) => line.includes("RFC822.SIZE") && line.includes("BODY.PEEK[]"))).toBe(true);
      expect(ids()).toHaveLength(COUNT - 1);
      expect(ids()).not.toContain("m150");
    });
  }

  test("answers BAD to opening one folder still gives the others", async () => {
    await begin(() => {
      fill("INBOX", "a");
      fill("Odd", "x");
      fill("Work", "w");
      server.answer = ({ name, args, tag }) =>
        name === "EXAMINE" && args.includes("Odd") ? `${tag} BAD what?\r\n` : null;
    });
    await live();
    expect(ids()).toEqual(["a", "w"]);
    server.remove("INBOX", 1);
    await passes();
    await eventually(() => ids().join() === "w");
  });

  test("names folders like paths, with control characters or in broken modified UTF-7 gives those that can be opened", async () => {
    const good = ["../../etc/passwd", "..", "a\\b", "tab\there", "&AAA-null", "&Jjo-smile", "Work"];
    // No client can reproduce the server's spelling: the decoded name is encoded differently (RFC 3501 §5.1.3).
    const bad = ["&broken-", "&Jjo"];
    await begin(() => {
      for (const name of [...bad, ...good]) fill(name, `in-${name.replace(/[^a-z]/gi, "_")}`);
    });
    await live();
    expect(ids()).toEqual(good.map((name) => `in-${name.replace(/[^a-z]/gi, "_")}`).sort());
    expect(fixture.log.filter((line) => line.includes("a folder cannot be read"))).not.toEqual([]);
    await passes();
    expect(fixture.messages()).toHaveLength(good.length);
  });

  test("counts 4,294,967,295 messages and shows two: two are stored", async () => {
    await begin(() => {
      fill("INBOX", "a", "b");
      server.answer = ({ name, tag }) => {
        if (name !== "EXAMINE") return null;
        void server.folder("INBOX");
        return [
          "* 4294967295 EXISTS",
          "* FLAGS (\\Seen)",
          "* OK [UIDVALIDITY 1000] ok",
          "* OK [UIDNEXT 4294967295] ok",
          `${tag} OK [READ-ONLY] open`,
          "",
        ].join("\r\n");
      };
      // The folder is open nevertheless.
      server.answer = open(server.answer);
    });
    await live();
    expect(ids()).toEqual(["a", "b"]);
  });

  /** The usual session state with another answer: the script selects only when it answers itself. */
  function open(answer: ScriptServer["answer"]): ScriptServer["answer"] {
    return (command) => {
      if (command.name === "UID FETCH" && command.folder === null) {
        return `${fetchAnswer(server.folder("INBOX"), command.args)}${command.tag} OK fetched\r\n`;
      }
      if (command.name === "UID SEARCH" && command.folder === null)
        return `* SEARCH 1 2\r\n${command.tag} OK found\r\n`;
      return answer(command);
    };
  }

  test("changes UIDVALIDITY between two commands: mail is stored under the number that it arrived with", async () => {
    await begin(() => fill("INBOX", "a", "b", "c"));
    await live();
    const before = fixture
      .messages()
      .map(({ id }) => id)
      .sort();
    let turns = 0;
    server.answer = ({ name }) => {
      if (name === "EXAMINE") server.folder("INBOX").uidvalidity = 5_000 + (turns++ % 2);
      return null;
    };
    await passes(6);
    server.answer = () => null;
    await passes();
    await eventually(() => fixture.mailbox.folders.list(fixture.account).length === 1);
    expect(
      fixture
        .messages()
        .map(({ id }) => id)
        .sort(),
    ).toEqual(before);
    expect(fixture.events("message.received")).toEqual([]);
  });

  test("lists 5,000 folders does not keep the inbox from being read", async () => {
    await begin(() => {
      fill("INBOX", "a");
      for (let i = 0; i < 5_000; i++) server.folders.push({ ...server.folder("INBOX"), path: `f${i}`, messages: [] });
    });
    await eventually(() => ids().includes("a"), 15_000);
  });

  function withStructure(folder: Parameters<typeof fetchAnswer>[0], args: string): string {
    return inSet(folder, args.split(" ", 1)[0]!)
      .map((message) => {
        const { raw } = message;
        const text = raw.slice(raw.indexOf("\r\n\r\n") + 4);
        const more = [
          ...(args.includes("BODYSTRUCTURE")
            ? [`BODYSTRUCTURE ("TEXT" "PLAIN" ("CHARSET" "utf-8") NIL NIL "7BIT" ${text.length} 1 NIL NIL NIL NIL)`]
            : []),
          ...[...args.matchAll(/BODY\.PEEK\[(1|HEADER|)\]<0\.(\d+)>/g)].map(([, part, most]) => {
            const whole = part === "1" ? text : part === "" ? raw : raw.slice(0, raw.length - text.length);
            const bytes = whole.slice(0, Number(most));
            return `BODY[${part}]<0> {${bytes.length}}\r\n${bytes}`;
          }),
        ];
        const line = fetchLine(
          folder.messages.indexOf(message) + 1,
          message,
          args.replace(/BODY\.PEEK\[\w*\]<[^>]*>/g, ""),
        );
        return more.length === 0 ? line : line.replace(/\)\r\n$/, ` ${more.join(" ")})\r\n`);
      })
      .join("");
  }
});
