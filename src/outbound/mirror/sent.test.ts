import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { DOVECOT, type Dovecot, startDovecot } from "../../../test/support/dovecot.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { type Fixture, mail, mirrorOf, openFixture, runMirror } from "../../../test/support/mirror-fixture.ts";

const GIVEN = ["inbox", "archived", "trash", "spam", "snoozed"] as const;

describe.skipIf(!DOVECOT)("states of a thread with only sent mail, with a server", () => {
  let dovecot: Dovecot;
  let s: Fixture;
  beforeAll(async () => {
    dovecot = await startDovecot();
  });
  afterEach(() => s.close());
  afterAll(() => dovecot?.stop());

  const give = (to: (typeof GIVEN)[number]) =>
    s.change("Asked", to === "snoozed" ? { snooze_until: s.fixture.platform.clock.now() + 3_600_000 } : { state: to });

  async function open(): Promise<void> {
    s = await openFixture(dovecot, []);
    await s.other.append("Sent", mail("Asked").replace("Bob <bob@example.net>", "alice@mail.test"), ["\\Seen"]);
    await s.fixture.agrees(s.other);
  }

  /** Runs two passes over every folder. */
  async function synced(): Promise<void> {
    for (let round = 0; round < 2; round++) {
      const { pass } = s.fixture.account;
      await eventually(() => {
        s.fixture.supervisor.syncNow(s.fixture.account.id);
        return s.fixture.account.pass > pass;
      });
    }
  }

  test("every state can follow every other, survives sync and a restart, and does not move the copy in Sent", async () => {
    await open();
    expect(s.thread("Asked").state).toBe("sent");
    for (const from of GIVEN) {
      for (const to of GIVEN) {
        give(from);
        await s.replay();
        const before = s.fixture.events("thread.updated").length;
        give(to);
        expect(await s.replay()).toEqual({ outcome: "done" });
        expect([from, to, s.thread("Asked").state]).toEqual([from, to, to]);
        const announced = s.fixture.events("thread.updated").length - before;
        expect([from, to, announced]).toEqual([from, to, Number(from !== to)]);
      }
      await synced();
      expect(s.thread("Asked").state).toBe("snoozed");
    }
    give("trash");
    await s.replay();
    await synced();
    await s.fixture.reboot();
    s.fixture.start();
    await synced();
    expect([s.thread("Asked").state, s.pending()]).toEqual(["trash", 0]);
    expect([...(await s.onServer("Sent")).keys()]).toEqual(["Asked"]);
    for (const folder of ["INBOX", "Trash", "Archive", "Junk", "Snoozed"]) {
      const copies = await s.onServer(folder).catch(() => new Map());
      expect([folder, copies.size]).toEqual([folder, 0]);
    }
  }, 60_000);

  test("a reply moves the thread to the inbox; archiving then moves the reply and leaves the sent copy", async () => {
    await open();
    give("archived");
    const { thread_id } = s.message("Asked");
    await s.other.append("INBOX", mail("Re Asked", "In-Reply-To: <Asked@mirror.example>\r\n"));
    await s.fixture.agrees(s.other);
    expect([s.message("Re Asked").thread_id, s.thread("Asked").state]).toEqual([thread_id, "inbox"]);
    expect(s.fixture.events("thread.updated").at(-1)!.data.changed).toContain("state");
    give("archived");
    await eventually(async () => {
      await runMirror(s.fixture, mirrorOf(s.fixture));
      return s.pending() === 0;
    });
    expect([...(await s.onServer("Archive")).keys()]).toEqual(["Re Asked"]);
    expect([...(await s.onServer("Sent")).keys()]).toEqual(["Asked"]);
    await synced();
    expect(s.thread("Asked").state).toBe("archived");
  }, 60_000);
});
