import type { ImapFlow } from "imapflow";
import { asLines, checkInvariants } from "../invariants/check.ts";
import { compareWithServer } from "../invariants/server.ts";
import { DOVECOT, type Dovecot, type DovecotOptions, startDovecot } from "../support/dovecot.ts";
import { eventually } from "../support/eventually.ts";
import { createMailFixture, type MailFixture } from "../support/mail-fixture.ts";
import { mailText } from "../support/mail-text.ts";
import { type Campaign, type CampaignOptions, pick, shuffled } from "./campaign.ts";
import { type Exception, type Pair, pairName, plan, unknownSteps } from "./line-plan.ts";
import { startLineProxy } from "./line-proxy.ts";
import { fingerprintOf } from "./output.ts";
import { ACTS, type Act, Traffic, wasReceived } from "./traffic.ts";

const HIT_MS = 5_000;
const SETTLE_MS = 30_000;
const MAIL_AT_FIRST = 40;
/** The short form spoils this many answers of each server. */
const SHORT_TURNS = 7;

interface LineServer {
  name: string;
  dovecot?: DovecotOptions;
  security?: "starttls";
  /** Capabilities that are hidden from the client. */
  hidden?: RegExp;
  /** Applies to drafts and sent mail: above 4,096 bytes the server is asked before a literal, even with LITERAL+. */
  words: number;
  /** All steps of the dialogue with the server. */
  steps: readonly string[];
  exceptions?: readonly Exception[];
}

/** Commands that every server receives. */
const ASKED = ["LIST", "SELECT", "EXAMINE", "FETCH", "UID FETCH", "UID STORE", "UID SEARCH", "APPEND"];
const MADE = ["CREATE", "SUBSCRIBE"];
const SERVERS: readonly LineServer[] = [
  {
    name: "a server with all extensions",
    words: 100,
    steps: [
      ...["greeting", "ID", "AUTHENTICATE", "NAMESPACE", "ENABLE", "STATUS", "IDLE", "DONE", "UID MOVE", "UID EXPUNGE"],
      ...ASKED,
      ...MADE,
    ],
    exceptions: [
      { step: "LSUB", why: "LIST reports the subscriptions; LSUB is sent once, before anything is subscribed" },
      { step: "NOOP", why: "only asked when IDLE has just ended for another reason" },
    ],
  },
  {
    name: "a server with none",
    // There, moves are copies, literals need a continuation, and capabilities have to be requested as well.
    dovecot: { capability: "IMAP4rev1" },
    hidden: /\[CAPABILITY [^\]]*\] | AUTH=\S+/g,
    words: 1_200,
    steps: [
      ...["greeting", "CAPABILITY", "LOGIN", "LSUB", "NOOP", "UID COPY", "EXPUNGE", "literal"],
      ...ASKED,
      ...MADE,
    ],
    exceptions: [
      { step: "STATUS", why: "only asked of a folder that LIST names no more, if a look falls between two commands" },
    ],
  },
  {
    name: "a server with STARTTLS",
    security: "starttls",
    words: 100,
    // What follows the handshake cannot be read, and is the same as without TLS.
    steps: ["greeting", "ID", "STARTTLS", "tls"],
  },
];

/** Steps that occur only when the connection is made again. */
const AT_LOGIN = new Set([
  "greeting",
  "CAPABILITY",
  "AUTHENTICATE",
  "LOGIN",
  "ID",
  "NAMESPACE",
  "ENABLE",
  "STARTTLS",
  "tls",
]);
/**
 * Steps of the connection that only waits for notifications: they occur when the mailbox is reopened, and when IDLE is
 * renewed.
 */
const AT_START = new Set(["IDLE", "DONE", "NOOP"]);
/** Actions that trigger a step which not every change triggers. */
const ACT_FOR: Record<string, readonly Act[]> = {
  "UID STORE": ["mark", "label"],
  "UID MOVE": ["move"],
  "UID COPY": ["move"],
  "UID EXPUNGE": ["redraft"],
  "UID SEARCH": ["send"],
  EXPUNGE: ["move"],
  FETCH: ["draft", "redraft"],
  SUBSCRIBE: ["snooze"],
  APPEND: ["draft", "redraft", "send"],
  literal: ["draft", "redraft", "send"],
  CREATE: ["snooze"],
};
/**
 * An IMAP server whose every answer, at every step, is cut, held back, dripped, shuffled, doubled or mixed with
 * garbage, and a client that is cut off while it writes, during incoming mail, outgoing changes, and the work of
 * another program in the same mailbox. In the end both sides agree, and nothing was announced or stored twice.
 */
export const imapLineCampaign: Campaign = async (options) => {
  if (!DOVECOT) return { skipped: "Debian's dovecot-imapd is not installed" };
  const figures = {
    planned: 0,
    spoiled: 0,
    never_reached: 0,
    steps: 0,
    connections: 0,
    messages: 0,
    copies_compared: 0,
    folders_rebuilt: 0,
  };
  const steps = new Set<string>();
  const misses: string[] = [];
  let slowest_recovery_ms = 0;
  for (const server of SERVERS) {
    const dovecot = await startDovecot(server.dovecot);
    try {
      const found = await run(server, dovecot, options);
      misses.push(...found.misses.map((miss) => `${server.name}: ${miss}`));
      for (const [name, value] of Object.entries(found.figures)) figures[name as keyof typeof figures] += value;
      for (const step of found.steps) steps.add(step);
      slowest_recovery_ms = Math.max(slowest_recovery_ms, found.slowest_ms);
    } finally {
      await dovecot.stop();
    }
  }
  return { figures: { ...figures, steps: steps.size, slowest_recovery_ms }, misses };
};

async function run(server: LineServer, dovecot: Dovecot, { short, random, say }: CampaignOptions) {
  loadHistory(dovecot);
  const proxy = await startLineProxy(dovecot.imapPort, "imap", random, server.hidden);
  const at = { host: "127.0.0.1", port: proxy.port, security: server.security ?? ("none" as const) };
  const fixture = await createMailFixture({
    port: proxy.port,
    login: dovecot.logins.alice,
    account: { connection: { imap: at, smtp: at, ...dovecot.logins.alice } },
    longest_wait_ms: 40,
    connect: { socketTimeoutMs: 600, idleMs: 500, ca: dovecot.ca },
  });
  const other = await dovecot.connect("alice");
  const misses: string[] = [];
  let slowest_ms = 0;
  const missed = (after: string) => (error: Error) => {
    misses.push(`${after}: ${error.message}`);
    say(misses.at(-1)!);
  };
  const agree = async (after: string) => {
    const began = performance.now();
    await agreement(fixture, other).catch(missed(after));
    slowest_ms = Math.max(slowest_ms, Math.round(performance.now() - began));
  };
  const all = shuffled(random, plan(server.steps, server.exceptions));
  const turns = short ? all.slice(0, SHORT_TURNS) : all;
  const never: string[] = [];
  const reached = new Set<string>();
  try {
    fixture.start();
    await eventually(() => fixture.account.sync.phase === "live", SETTLE_MS);
    const workload = new Traffic(dovecot, fixture, other, random, server.words);
    for (const act of ACTS) {
      await workload.deliver();
      await workload.elsewhere();
      await workload.act(act);
      await workload.settled();
    }
    /** Spoils one answer, and waits until every change is complete nevertheless. */
    const testFault = async (pair: Pair) => {
      const act = pick(random, ACT_FOR[pair.step] ?? ACTS);
      const before = proxy.spoiled;
      if (act !== "snooze") proxy.arm(pair.step, pair.fault);
      await workload.deliver();
      await workload.elsewhere();
      await workload.act(act);
      if (act === "snooze") proxy.arm(pair.step, pair.fault);
      if (AT_LOGIN.has(pair.step)) proxy.cut();
      if (AT_START.has(pair.step)) {
        await fixture.supervisor.stop();
        fixture.supervisor.start();
      }
      const began = performance.now();
      while (proxy.spoiled === before && performance.now() - began < HIT_MS) {
        await workload.work();
        await Bun.sleep(20);
      }
      if (proxy.spoiled === before) never.push(pairName(pair));
      else reached.add(pair.step);
      proxy.disarm();
      await workload.settled();
    };
    for (const pair of turns) {
      await testFault(pair).catch(missed(`after ${pairName(pair)}`));
      await agree(`after ${pairName(pair)}`);
      if (misses.length > 10) break;
    }
    say(`${server.name}: ${proxy.spoiled} of ${turns.length} spoiled, at ${[...proxy.seen].join(", ")}`);
    await agree("in the end");
    misses.push(
      ...never.map((name) => `${name} never happened`),
      ...unknownSteps(proxy.seen, server.steps, server.exceptions),
    );
    misses.push(...workload.announcements(), ...(await workload.misfiled()), ...(await workload.lost()));
    if (!short && server.security === undefined && workload.rebuilt === 0) misses.push("no folder was rebuilt");
    const compared = await compareWithServer(fixture.platform, fixture.account, other, { flags: true });
    const report = await checkInvariants(fixture.platform);
    misses.push(...asLines([...compared.findings, ...report.findings]));
    misses.push(...(await misread(fixture, dovecot, other)));
    const { spoiled, connections } = proxy;
    const figures = {
      planned: turns.length,
      spoiled,
      never_reached: never.length,
      connections,
      messages: report.messages,
      copies_compared: compared.copies,
      folders_rebuilt: workload.rebuilt,
    };
    return { figures, steps: reached, slowest_ms, misses };
  } finally {
    await fixture.close();
    await proxy.close();
  }
}

/** Returns received messages whose content differs from that of an undisturbed sync. */
async function misread(fixture: MailFixture, dovecot: Dovecot, other: ImapFlow): Promise<string[]> {
  const undisturbed = await createMailFixture({ port: dovecot.imapPort, login: dovecot.logins.alice });
  undisturbed.start();
  try {
    await agreement(undisturbed, other);
    const by = ({ mailbox, account, messages }: MailFixture) =>
      messages()
        .filter(wasReceived)
        .flatMap(({ id, locations }) =>
          locations.map((location) => [location, fingerprintOf(mailbox, account, id)] as const),
        );
    const asSent = new Map(by(undisturbed));
    const here = by(fixture);
    const wrong = here.filter(([location, content]) => asSent.get(location) !== content);
    const missing = asSent.size - here.length;
    return [
      ...wrong.map(([location]) => `${location} differs from an undisturbed sync`),
      ...(missing === 0 ? [] : [`${here.length} locations of received mail, ${asSent.size} in an undisturbed sync`]),
    ];
  } finally {
    await undisturbed.close();
  }
}

/** Waits until both sides agree; requests further syncs until then. */
function agreement(fixture: MailFixture, other: ImapFlow): Promise<boolean> {
  return eventually(async () => {
    const { sync } = fixture.account;
    if (sync.phase !== "live") throw new Error(`the first sync is not finished: ${JSON.stringify(sync)}`);
    const { findings } = await compareWithServer(fixture.platform, fixture.account, other, { flags: true });
    if (findings.length === 0) return true;
    fixture.supervisor.syncNow(fixture.account.id);
    throw new Error(`our tables differ from the server: ${asLines(findings).slice(0, 12).join("; ")}`);
  }, SETTLE_MS);
}

function loadHistory(dovecot: Dovecot): void {
  const date = new Date("2020-01-01T00:00:00Z");
  for (const folder of ["INBOX", "Archive"]) {
    const mails = Array.from({ length: MAIL_AT_FIRST / 2 }, (_, i) => ({
      raw: mailText({ id: `${folder}-${i}`, text: "word ".repeat(1 + i * 20) }),
      date,
    }));
    dovecot.loadMaildir("alice", folder, mails);
  }
}
