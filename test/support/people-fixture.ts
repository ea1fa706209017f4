import { mailPipeline } from "../../src/app/mail.ts";
import { createPeople, type PeopleServices } from "../../src/app/people.ts";
import type { Route } from "../../src/http/route.ts";
import type { Pipeline } from "../../src/inbound/message/pipeline.ts";
import type { Account } from "../../src/mailbox/accounts/accounts.ts";
import { createMailbox, type Mailbox } from "../../src/mailbox/mailbox.ts";
import type { Folder } from "../../src/mailbox/store/folders.ts";
import type { IncomingMessage, ServerFlags } from "../../src/mailbox/store/incoming.ts";
import type { FolderRole } from "../../src/mailbox/store/state.ts";
import type { Platform } from "../../src/platform/platform.ts";
import { createHarness, type Harness, type HarnessOptions } from "./http-harness.ts";

/** What a test specifies of a message; the rest is generated. Dates are ms. */
export interface Arriving extends Partial<Omit<IncomingMessage, "flags" | "folderId">> {
  role?: FolderRole;
  flags?: Partial<ServerFlags>;
  /** When it was received. */
  at?: number;
}

/** A mailbox whose mail passes through every step, and the API over it. */
export interface PeopleFixture {
  h: Harness;
  mailbox: Mailbox;
  people: PeopleServices;
  pipeline: Pipeline;
  account: Account;
  folder(role: FolderRole, account?: Account): Folder;
  /** Receives one message as new mail. @returns its ids */
  arrive(message?: Arriving, account?: Account): { message_id: string; thread_id: string };
  connect(user_id: string, email: string): Account;
}

const NO_FLAGS: ServerFlags = { seen: false, flagged: false, answered: false, draft: false, important: false };

export function peopleFixture(
  routes: (people: PeopleServices, platform: Platform, mailbox: Mailbox) => Route[],
  options: Omit<HarnessOptions, "routes"> = {},
): PeopleFixture {
  let mailbox!: Mailbox;
  let people!: PeopleServices;
  const h = createHarness({
    ...options,
    routes: (platform) => {
      mailbox = createMailbox(platform);
      people = createPeople(platform, mailbox);
      return routes(people, platform, mailbox);
    },
  });
  const { platform } = h;
  const pipeline = mailPipeline(platform, mailbox);
  const connect = (user_id: string, email: string): Account => {
    const { id } = mailbox.accounts.add({ user_id, provider: "imap", email, connection: null });
    mailbox.accounts.setProgress(id, { phase: "live", done: 0, total: 0 });
    return mailbox.accounts.get(id)!;
  };
  const account = connect(h.user.id, "ada@example.org");
  const folder = (role: FolderRole, of = account) =>
    mailbox.folders.list(of).find((known) => known.role === role) ?? mailbox.folders.upsert(of, role, "/", role);
  let uid = 0;
  return {
    h,
    mailbox,
    people,
    pipeline,
    account,
    folder,
    connect,
    arrive({ role = "inbox", at, flags, ...message } = {}, to = account) {
      uid++;
      const when = at ?? h.clock.now() + uid * 1000;
      const text = message.text ?? `Text number ${uid}.`;
      const incoming: IncomingMessage = {
        folderId: folder(role, to).id,
        uid,
        internalDate: when,
        size: 1_000,
        labels: [],
        flagsHash: 0,
        serverThreadId: null,
        messageId: `<${uid}.${to.id}@fixture.example>`,
        inReplyTo: [],
        references: [],
        subject: `Subject ${uid}`,
        from: { name: "Bob Stone", email: "bob.stone@example.net" },
        replyTo: [],
        to: [{ name: "Ada", email: to.email }],
        cc: [],
        bcc: [],
        date: when,
        headers: new Map(),
        bodyText: text,
        newText: text,
        html: null,
        attachments: [],
        ...message,
        text,
        flags: { ...NO_FLAGS, ...flags },
      };
      platform.db.write(() => pipeline.take(to, folder(role, to), [incoming]));
      return platform.db.sql
        .query<{ message_id: string; thread_id: string }, [string, number]>(
          `SELECT m.id AS message_id, m.thread_id FROM locations l JOIN messages m ON m.id = l.message_id
           WHERE l.folder_id = ? AND l.uid = ?`,
        )
        .get(incoming.folderId, incoming.uid)!;
    },
  };
}
