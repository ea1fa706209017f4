import { DOVECOT, type DovecotOptions } from "../support/dovecot.ts";
import { eventually } from "../support/eventually.ts";
import { between, type Campaign, type CampaignOptions, pick, shuffled } from "./campaign.ts";
import { type Installation, openInstallation, Workload } from "./installation.ts";
import { type LineFault, type LineProxy, startLineProxy, WRITE_FAULT } from "./line-proxy.ts";
import { live } from "./served.ts";

/** User actions that change the mail server. */
type Act = "move" | "mark" | "label" | "snooze" | "draft" | "redraft" | "send";

/** The process dies around this command, which the action triggers. */
interface Moment {
  step: string;
  act: Act;
}

interface KillServer {
  name: string;
  dovecot: DovecotOptions;
  moments: readonly Moment[];
}

const SERVERS: readonly KillServer[] = [
  {
    name: "a server with all extensions",
    dovecot: {},
    moments: [
      { step: "UID MOVE", act: "move" },
      { step: "UID MOVE", act: "snooze" },
      { step: "UID STORE", act: "mark" },
      { step: "UID STORE", act: "label" },
      { step: "APPEND", act: "draft" },
      { step: "APPEND", act: "redraft" },
      { step: "UID EXPUNGE", act: "redraft" },
      { step: "APPEND", act: "send" },
    ],
  },
  {
    // On such a server a move is three commands.
    name: "a server with none",
    dovecot: { capability: "IMAP4rev1" },
    moments: [
      { step: "UID COPY", act: "move" },
      { step: "UID STORE", act: "move" },
      { step: "EXPUNGE", act: "move" },
      { step: "UID COPY", act: "snooze" },
      { step: "UID STORE", act: "label" },
      { step: "APPEND", act: "draft" },
      { step: "literal", act: "draft" },
      { step: "APPEND", act: "redraft" },
      { step: "APPEND", act: "send" },
    ],
  },
];

/**
 * When to kill: the server has executed the command and no answer was received; the command has not been sent
 * completely; at any time. ("silence" keeps the answer back; the process then dies instead of waiting for it.)
 */
const WAYS: readonly (LineFault | "any time")[] = ["silence", WRITE_FAULT, "any time"];
const TURNS = 3;
const SHORT_MOMENTS = 2;
const REACHED_MS = 10_000;
const ANY_TIME_MS = 700;
const WEEK_MS = 7 * 24 * 3_600_000;
const STATES = ["inbox", "archived", "trash"] as const;

/**
 * The process is killed (-9) while it sends changes to the mail server, exactly between an action of the server and its
 * answer, in the middle of a command, and at random: in the end both sides agree, and no message, draft or sent copy is
 * there twice.
 */
export const killChangesCampaign: Campaign = async (options) => {
  if (!DOVECOT) return { skipped: "Debian's dovecot-imapd is not installed" };
  const figures = { kills: 0, at_a_command: 0, never_reached: 0, messages: 0, sends: 0 };
  const misses: string[] = [];
  // The short form uses the server with more to lose.
  for (const server of options.short ? SERVERS.slice(-1) : SERVERS) {
    const found = await run(server, options);
    misses.push(...found.misses.map((miss) => `${server.name}: ${miss}`));
    for (const [name, value] of Object.entries(found.figures)) figures[name as keyof typeof figures] += value;
  }
  return { figures, misses };
};

async function run({ name, dovecot, moments }: KillServer, { short, random, say }: CampaignOptions) {
  let proxy: LineProxy | null = null;
  const installation = await openInstallation({ dovecot, sample_mail: false, history: 40 });
  try {
    proxy = await startLineProxy(installation.dovecot.imapPort, "imap", random);
    reachThrough(installation, proxy.port);
    const workload = new Workload(installation, await installation.serve(), random);
    await live(installation.folder);
    const person = new Person(installation, workload, random);
    await person.begin();
    // A folder for each, and a draft to rewrite.
    for (const act of short ? (["draft"] as const) : (["snooze", "draft", "send"] as const)) await person.act(act);
    await workload.settle();
    const turns = Array.from({ length: short ? 1 : TURNS }, () => shuffled(random, moments)).flat();
    const figures = { kills: 0, at_a_command: 0, never_reached: 0, messages: 0, sends: 0 };
    for (const moment of short ? turns.slice(0, SHORT_MOMENTS) : turns) {
      for (const way of short ? [WAYS[0]!] : WAYS) {
        const reached = await killAt(proxy, person, workload, moment, way, random);
        figures.kills++;
        if (way !== "any time") figures[reached ? "at_a_command" : "never_reached"]++;
        if (way !== "any time" && !reached)
          workload.misses.push(`${moment.step} (${moment.act}, ${way}) was never reached`);
        workload.served = await installation.serve();
        await workload.settle();
        if (workload.misses.length > 0) say(workload.served.log().slice(-2_000));
        const what = `after a kill at ${moment.step} (${moment.act}, ${way})`;
        for (const wrong of await person.miscounted()) workload.misses.push(`${what}: ${wrong}`);
        if (workload.misses.length > 10) break;
      }
    }
    const code = await workload.served.stop();
    if (code !== 0) workload.misses.push(`the server ended with ${code}`);
    const { messages, sends } = await workload.judge();
    workload.misses.push(...(await person.misfiled()));
    say(`${name}: ${figures.kills} kills`);
    return { figures: { ...figures, messages, sends }, misses: workload.misses };
  } finally {
    await installation.close();
    await proxy?.close();
  }
}

/** @returns whether the command was reached before the process died */
async function killAt(
  proxy: LineProxy,
  person: Person,
  workload: Workload,
  { step, act }: Moment,
  way: LineFault | "any time",
  random: () => number,
): Promise<boolean> {
  const before = proxy.spoiled;
  if (way === "any time") {
    await person.act(act);
    await Bun.sleep(between(random, 0, ANY_TIME_MS));
  } else {
    proxy.arm(step, way);
    await person.act(act);
    await eventually(() => proxy.spoiled > before, REACHED_MS).catch(() => {});
  }
  await workload.served.kill();
  proxy.disarm();
  proxy.cut();
  return proxy.spoiled > before;
}

/** A user of the API who remembers what should be there. */
class Person {
  readonly #drafts = new Map<string, { subject: string; text: string }>();
  #texts = 0;
  /** Message-IDs. */
  #received: string[] = [];

  constructor(
    private readonly installation: Installation,
    private readonly workload: Workload,
    private readonly random: () => number,
  ) {}

  /** Records what is there before anything is changed. */
  async begin(): Promise<void> {
    this.#received = (await this.#all()).map(({ id }) => id);
  }

  async act(act: Act): Promise<void> {
    if (act === "draft" || act === "redraft") return this.#write(act);
    if (act === "send") return this.workload.send();
    const list = await this.workload.request(
      "GET",
      `/threads?limit=100&state=${act === "snooze" ? "inbox" : pick(this.random, STATES)}`,
    );
    const some = await this.workload.request("GET", "/threads?limit=100&state=inbox");
    type Listed = { id: string; state: string; unread: boolean; labels: string[]; subject: string };
    const threads = [...((list?.json?.data ?? []) as Listed[]), ...((some?.json?.data ?? []) as Listed[])].filter(
      ({ subject }) => /^(Old|New)/.test(subject),
    );
    const { id, state, unread, labels } = pick(this.random, threads);
    await this.workload.request("PATCH", `/threads/${id}`, this.#change(act, state, unread, labels));
  }

  #change(act: Act, state: string, unread: boolean, labels: readonly string[]): object {
    switch (act) {
      case "mark":
        return { read: unread };
      case "label":
        return labels.includes("Work") ? { remove_labels: ["Work"] } : { add_labels: ["Work"] };
      case "snooze":
        return { snooze_until: new Date(Date.now() + WEEK_MS).toISOString() };
      default:
        return {
          state: pick(
            this.random,
            STATES.filter((other) => other !== state),
          ),
        };
    }
  }

  async #write(act: "draft" | "redraft"): Promise<void> {
    const text = `This is text number ${this.#texts++}.`;
    const body = `${text}\n${"word ".repeat(1_000)}`;
    const known = [...this.#drafts.keys()];
    if (act === "redraft" && known.length > 0) {
      const id = pick(this.random, known);
      const answer = await this.workload.request("PATCH", `/drafts/${id}`, { body });
      if (answer?.status === 200) this.#drafts.get(id)!.text = text;
      return;
    }
    const subject = `Draft ${known.length}.`;
    const made = await this.workload.request("POST", "/drafts", { to: ["bob@one.example"], subject, body });
    const id: string | undefined = made?.json?.draft_id ?? made?.json?.id;
    if (id) this.#drafts.set(id, { subject, text });
  }

  /**
   * Returns messages that the mail server has more than once, and received messages that it no longer has: nothing
   * deletes any.
   */
  async miscounted(): Promise<string[]> {
    const where = new Map(this.#received.map((id): [string, string[]] => [id, []]));
    for (const { path, id } of await this.#all()) where.set(id, [...(where.get(id) ?? []), path]);
    return [...where]
      .filter(([, paths]) => paths.length !== 1)
      .map(([id, paths]) => `${id} is in ${paths.join(" and ") || "no folder"}`);
  }

  /** Returns drafts that are not in their folder exactly once, in their latest version. */
  async misfiled(): Promise<string[]> {
    const drafts = (await this.#all()).filter(({ path }) => path === "Drafts");
    return [...this.#drafts.values()].flatMap(({ subject, text }) => {
      const found = drafts.filter(({ raw }) => raw.includes(`Subject: ${subject}\r\n`));
      if (found.length !== 1) return [`${subject} is ${found.length} times in Drafts`];
      return found[0]!.raw.includes(text) ? [] : [`${subject} is an old one in Drafts`];
    });
  }

  async #all(): Promise<{ path: string; id: string; raw: string }[]> {
    const client = await this.installation.dovecot.connect("alice");
    const all: { path: string; id: string; raw: string }[] = [];
    for (const { path } of await client.list()) {
      const box = await client.mailboxOpen(path, { readOnly: true });
      const found = box.exists === 0 ? [] : await client.fetchAll("1:*", { source: true, flags: true });
      for (const { source, flags } of found) {
        if (flags?.has("\\Deleted")) continue;
        const raw = String(source);
        all.push({ path, id: /^Message-ID:\s*(\S+)/im.exec(raw)?.[1] ?? raw, raw });
      }
    }
    client.close();
    return all;
  }
}

/** Routes the account's connections to its mail server through the proxy. */
function reachThrough({ folder }: Installation, port: number): void {
  const { accounts } = folder.mailbox;
  const account = accounts.list().find(({ provider }) => provider === "imap")!;
  const connection = accounts.connection(account)!;
  accounts.setConnection(account, { ...connection, imap: { ...connection.imap, port } });
}
