import { type AiServices, createAi } from "../../src/app/ai.ts";
import { createPeople, type PeopleServices } from "../../src/app/people.ts";
import type { Route } from "../../src/http/route.ts";
import { createMailbox, type Mailbox } from "../../src/mailbox/mailbox.ts";
import { createOutbound, type Outbound } from "../../src/outbound/outbound.ts";
import type { Platform } from "../../src/platform/platform.ts";
import { createHarness, type Harness, type HarnessOptions } from "./http-harness.ts";
import { type SeededMailbox, type SeedMessage, seedMailbox } from "./seed-mail.ts";

/** A mailbox filled by a test, with the AI layer and the routes that the test asks for. */
export interface AiFixture {
  h: Harness;
  mailbox: Mailbox;
  outbound: Outbound;
  people: PeopleServices;
  ai: AiServices;
  seeded: SeededMailbox;
  /** Returns the data of the events with this name, oldest first. */
  events(name: string): unknown[];
  /** A message from Bob to the user. */
  fromBob(text: string, more?: SeedMessage): SeedMessage;
  /** A message from the user to Bob. */
  toBob(text: string, more?: SeedMessage): SeedMessage;
  /** Returns the part of a message's `body_text` between two offsets. */
  slice(message_id: string, start: number, end: number): string;
}

export const ADA = { name: "Ada Lovelace", email: "ada@example.org" };
export const BOB = { name: "Bob Miller", email: "bob@acme.example" };

export function aiFixture(
  options: Omit<HarnessOptions, "routes"> = {},
  more: (platform: Platform, mailbox: Mailbox, outbound: Outbound, ai: AiServices) => Route[] = () => [],
): AiFixture {
  let mailbox!: Mailbox;
  let outbound!: Outbound;
  let people!: PeopleServices;
  let ai!: AiServices;
  const h = createHarness({
    ...options,
    routes: (platform) => {
      mailbox = createMailbox(platform);
      outbound = createOutbound(platform, mailbox);
      people = createPeople(platform, mailbox);
      ai = createAi({ platform, mailbox, outbound, people });
      return [...ai.routes, ...more(platform, mailbox, outbound, ai)];
    },
  });
  const seeded = seedMailbox(h.platform, h.user.id, { mailbox });
  const scope = { user_id: h.user.id, account_id: null };
  return {
    h,
    mailbox,
    outbound,
    people,
    ai,
    seeded,
    events: (name) =>
      h.platform.events
        .after(h.user.id, 0, 10_000)
        .filter(({ event }) => event === name)
        .map(({ data }) => data),
    fromBob: (text, given = {}) => ({ from: BOB, to: [ADA], text, ...given }),
    toBob: (text, given = {}) => ({ from: ADA, to: [BOB], text, role: "sent", ...given }),
    slice: (id, start, end) => mailbox.messageQueries.get(scope, id).body_text.slice(start, end),
  };
}
