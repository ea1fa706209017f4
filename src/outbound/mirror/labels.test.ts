import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { DOVECOT, type Dovecot, startDovecot } from "../../../test/support/dovecot.ts";
import { type Fixture, type MirrorFixtureOptions, mail, openFixture } from "../../../test/support/mirror-fixture.ts";
import { runDueJobs } from "../../../test/support/run-jobs.ts";
import { LABEL_JOB } from "../../mailbox/changes/label-changes.ts";
import { SYSTEM_ACTOR } from "../../platform/ledger/audit.ts";
import { labelToKeyword } from "../../wire/imap/keywords.ts";

setDefaultTimeout(30_000);

describe.skipIf(!DOVECOT)("labels that are renamed or deleted reach the server", () => {
  let dovecot: Dovecot;
  let s: Fixture;
  beforeAll(async () => {
    dovecot = await startDovecot();
  });
  afterEach(() => s.close());
  afterAll(() => dovecot.stop());

  const open = async (subjects: string[], options?: MirrorFixtureOptions) => {
    s = await openFixture(dovecot, subjects, options);
  };
  const by = () => ({ user_id: s.fixture.user.id, account_id: null, actor: SYSTEM_ACTOR, request_id: null });
  const idOf = (name: string) => s.fixture.mailbox.labelQueries.list(by()).find((label) => label.name === name)!.id;
  const rename = (from: string, to: string) => s.fixture.mailbox.labelChanges.rename(by(), idOf(from), to).label;
  const remove = (name: string) => s.fixture.mailbox.labelChanges.remove(by(), idOf(name));
  const runJobs = () => runDueJobs(s.fixture.platform, { [LABEL_JOB]: s.fixture.mailbox.labelChanges.handler });
  /** Returns the keywords of a message on the server, without the flags of IMAP. */
  const keywords = async (subject: string, folder = "INBOX") =>
    [...((await s.onServer(folder)).get(subject) ?? [])].filter((flag) => !flag.startsWith("\\")).sort();
  /** Lets sync compare everything, and returns the labels that a thread has then. */
  const synced = async (subject: string) => {
    await s.fixture.agrees(s.other);
    return s.thread(subject).labels;
  };

  test("a rename adds the new keyword and removes the old one, in every folder", async () => {
    await open(["One", "Two", "Three"]);
    for (const subject of ["One", "Two"]) s.change(subject, { add_labels: ["Work", "Other"] });
    s.change("Two", { state: "archived" });
    await s.replayed();
    const id = idOf("Work");
    expect(rename("Work", "Büro 2026")).toMatchObject({ id, thread_count: 2, changing: false });
    await s.replayed();
    const expected = [labelToKeyword("Büro 2026"), labelToKeyword("Other")].sort();
    expect([await keywords("One"), await keywords("Two", "Archive"), await keywords("Three")]).toEqual([
      expected,
      expected,
      [],
    ]);
    expect([await synced("One"), s.thread("Two").labels]).toEqual([
      ["Büro 2026", "Other"],
      ["Büro 2026", "Other"],
    ]);
    expect(idOf("Büro 2026")).toBe(id);
  });

  test("a plain keyword that another program set is replaced, too", async () => {
    await open(["Plain"]);
    await s.other.mailboxOpen("INBOX");
    await s.other.messageFlagsAdd("1:*", ["Errand"], { uid: true });
    await s.other.mailboxClose();
    expect(await synced("Plain")).toEqual(["Errand"]);
    rename("Errand", "Errands");
    await s.replayed();
    expect([await keywords("Plain"), await synced("Plain")]).toEqual([[labelToKeyword("Errands")], ["Errands"]]);
  });

  test("a rename before the label itself was mirrored, and one back, leave one keyword", async () => {
    await open(["Quick"]);
    s.change("Quick", { add_labels: ["Work"] });
    rename("Work", "Job");
    rename("Job", "job");
    await s.replayed();
    expect([await keywords("Quick"), await synced("Quick")]).toEqual([[labelToKeyword("job")], ["job"]]);
    rename("job", "Work");
    rename("Work", "job");
    await s.replayed();
    expect([await keywords("Quick"), await synced("Quick")]).toEqual([[labelToKeyword("job")], ["job"]]);
  });

  test("a deletion removes the keyword, and only this one", async () => {
    await open(["Gone", "Kept"]);
    s.change("Gone", { add_labels: ["Work", "Other"] });
    s.change("Kept", { add_labels: ["Other"] });
    await s.replayed();
    remove("Work");
    await s.replayed();
    expect([await keywords("Gone"), await keywords("Kept")]).toEqual([
      [labelToKeyword("Other")],
      [labelToKeyword("Other")],
    ]);
    expect([await synced("Gone"), s.thread("Kept").labels]).toEqual([["Other"], ["Other"]]);
  });

  test("flags that change on the server before the mirror runs do not bring the old name back", async () => {
    await open(["Between"]);
    s.change("Between", { add_labels: ["Work"] });
    await s.replayed();
    rename("Work", "Job");
    await s.other.mailboxOpen("INBOX");
    await s.other.messageFlagsAdd("1:*", ["\\Seen"], { uid: true });
    await s.other.mailboxClose();
    s.fixture.supervisor.syncNow(s.fixture.account.id);
    await s.replayed();
    expect([await synced("Between"), await keywords("Between")]).toEqual([["Job"], [labelToKeyword("Job")]]);
  });

  test("a label on hundreds of messages takes a handful of commands, after a job in the background", async () => {
    const subjects = Array.from({ length: 300 }, (_, i) => `Many ${i}`);
    dovecot.loadMaildir(
      "alice",
      "Bulk",
      subjects.map((subject) => ({ raw: mail(subject) })),
    );
    await open([], { keep: true });
    s.fixture.platform.db.write(() => {
      for (const subject of subjects) s.change(subject, { add_labels: ["Many"] });
    });
    await s.replayed();
    expect(rename("Many", "Most")).toMatchObject({ thread_count: 300, changing: true });
    await runJobs();
    const before = s.proxy.sent.length;
    await s.replay();
    const stores = s.proxy.sent.slice(before).match(/UID STORE/g) ?? [];
    expect(stores.length).toBeLessThanOrEqual(6);
    expect(s.pending()).toBe(0);
    const flags = await s.onServer("Bulk");
    expect(subjects.filter((subject) => !flags.get(subject)?.has(labelToKeyword("Most")))).toEqual([]);
    expect(subjects.filter((subject) => flags.get(subject)?.has(labelToKeyword("Many")))).toEqual([]);
  });

  test("in a read-only mailbox, the server keeps its keyword, and the new name stays here", async () => {
    await open(["Fixed"], { read_only: true });
    await s.other.mailboxOpen("INBOX");
    const uids = (await s.other.search({ header: { subject: "Fixed" } }, { uid: true })) || [];
    await s.other.messageFlagsAdd(uids, ["Errand"], { uid: true });
    await s.other.mailboxClose();
    await s.fixture.agrees(s.other);
    rename("Errand", "Errands");
    await s.replay();
    await s.other.mailboxOpen("INBOX");
    await s.other.messageFlagsAdd(uids, ["\\Flagged"], { uid: true });
    await s.other.mailboxClose();
    s.fixture.supervisor.syncNow(s.fixture.account.id);
    expect([await keywords("Fixed"), s.thread("Fixed").labels]).toEqual([["Errand"], ["Errands"]]);
  });
});
