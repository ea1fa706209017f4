import { generateSync } from "otplib";
import { SCOPES } from "../../src/kernel/scopes.ts";
import { keepCookies } from "../support/auth-fixture.ts";
import { Authenticator } from "../support/authenticator.ts";
import type { Dovecot } from "../support/dovecot.ts";
import { eventually } from "../support/eventually.ts";
import { startModelServer, wholeAnswer } from "../support/model-server.ts";
import { deadPort, type ScriptedSmtp, startScriptedSmtp } from "../support/smtp-server.ts";
import { bounceOf, sampleMails } from "./sample-mails.ts";

export const PASSWORD = "a quiet morning in May";
export const OWNER = "ada@home.example";

/** The content of a filled data folder, for a test that reads it back. */
export interface Filled {
  /** The owner's key, with all scopes. */
  key: string;
  threads: { snoozed: string; labelled: string; list: string };
  draft_id: string;
  sends: { sent: string; failed: string; scheduled: string; undo: string };
  webhook: { id: string; secret: string };
  /** A member with a second factor. */
  member: { email: string; backup_code: string };
  /** The request that created the rule, and the key under which its response is stored. */
  rule: { body: unknown; idempotency_key: string };
  /** Replies to GET requests before the program stopped, by path. */
  replies: Record<string, unknown>;
  /** When the program stopped, ms. The undo window of `sends.undo` was still open. */
  stopped_at: number;
}

const DAY_MS = 86_400_000;
/** Longest wait for work in the background. */
const WAIT_MS = 30_000;
const CALENDAR = `/calendar/events?from=${iso(0)}&to=${iso(7)}`;
const NEVER = new Date(Date.UTC(2099, 0, 1)).toISOString();

function iso(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString();
}

/** Settings of the program while it fills a folder. Its servers are on this machine. */
const ENVIRONMENT = {
  POSTROOM_MAIL_POLL_SECONDS: "1",
  POSTROOM_MAIL_ALLOW: "127.0.0.0/8",
  POSTROOM_WEBHOOKS_ALLOW: "127.0.0.0/8",
  POSTROOM_LIMITS_REQUESTS_PER_MINUTE_KEY: "1000000",
  POSTROOM_LIMITS_REQUESTS_PER_MINUTE_USER: "1000000",
  POSTROOM_LIMITS_REQUESTS_PER_MINUTE_IP: "1000000",
  POSTROOM_LIMITS_NEW_KEY_SENDS_PER_DAY: "1000",
  POSTROOM_LIMITS_AUTOPILOT_REQUESTS_PER_DAY: "1000000",
};

/** A program that serves a data folder. */
interface Program {
  url: string;
  setup_token: string;
  stop(): Promise<void>;
}

async function start(program: readonly string[], data_dir: string): Promise<Program> {
  const env = { ...process.env, ...ENVIRONMENT };
  const args = [...program, "serve", "--data", data_dir, "--port", "0"];
  const child = Bun.spawn(args, { env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  let log = "";
  const follow = async (stream: ReadableStream<Uint8Array>) => {
    for await (const chunk of stream) log += Buffer.from(chunk).toString();
  };
  const followed = Promise.all([follow(child.stdout), follow(child.stderr)]);
  await eventually(() => /listening.* port=\d+/.test(log) && /setup\?token=/.test(log), WAIT_MS).catch((error) => {
    child.kill("SIGKILL");
    throw new Error(`The program does not serve: ${log}`, { cause: error });
  });
  return {
    url: `http://127.0.0.1:${/listening.* port=(\d+)/.exec(log)![1]}`,
    setup_token: /setup\?token=([\w-]+)/.exec(log)![1]!,
    async stop() {
      child.kill("SIGTERM");
      await child.exited;
      await followed;
    },
  };
}

/** Requests to a running program, as the settings page and with an API key. */
export class Client {
  readonly #jar = new Map<string, string>();
  key = "";

  constructor(private readonly url: string) {}

  async page<T>(method: string, path: string, body?: unknown): Promise<T> {
    const cookie = [...this.#jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { "X-Postroom-App": "1", ...(cookie && { Cookie: cookie }) };
    const response = await this.#send(method, `/app/api${path}`, headers, body);
    keepCookies(this.#jar, response.headers);
    return this.#read(method, path, response);
  }

  async api<T>(method: string, path: string, body?: unknown, more: Record<string, string> = {}): Promise<T> {
    const headers = { Authorization: `Bearer ${this.key}`, "Idempotency-Key": crypto.randomUUID(), ...more };
    return this.#read(method, path, await this.#send(method, `/v1${path}`, headers, body));
  }

  #send(method: string, path: string, headers: Record<string, string>, body: unknown): Promise<Response> {
    const form = body instanceof FormData;
    return fetch(`${this.url}${path}`, {
      method,
      headers: { ...headers, ...(body === undefined || form ? {} : { "Content-Type": "application/json" }) },
      ...(body === undefined ? {} : { body: form ? body : JSON.stringify(body) }),
    });
  }

  async #read<T>(method: string, path: string, response: Response): Promise<T> {
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} gave ${response.status}: ${text}`);
    return (text === "" ? null : JSON.parse(text)) as T;
  }
}

/**
 * Fills an empty data folder through the interfaces of the program, so that versions with other modules can do it too.
 * @param program the command that runs Postroom @param whileServing called when most of the folder is filled
 */
export async function fillFolder(
  data_dir: string,
  program: readonly string[],
  dovecot: Dovecot,
  whileServing: () => Promise<void> = async () => {},
): Promise<Filled> {
  const smtp = await startScriptedSmtp();
  smtp.refuses.set("gone@partner.example", "550 5.1.1 No such person");
  const model = startModelServer(() => wholeAnswer("Noor asks for the figures by Friday."));
  dovecot.loadMaildir("alice", "INBOX", sampleMails(Date.now()));
  const running = await start(program, data_dir);
  try {
    const client = new Client(running.url);
    const account_id = await connect(client, running.setup_token, dovecot, smtp);
    const people = await fillPeople(client);
    const member = await fillMember(client, running.url.replace("127.0.0.1", "localhost"));
    const mail = await fillMail(client, account_id, smtp, dovecot);
    await fillModels(client, model.base_url, mail.threads.labelled);
    await whileServing();
    const { undo, replies } = await settle(client, account_id, people, mail);
    const { threads, draft_id, sends } = mail;
    const { rule, webhook } = people;
    const all = { ...sends, undo };
    const rest = { member, webhook, rule, replies, stopped_at: Date.now() };
    return { key: client.key, threads, draft_id, sends: all, ...rest };
  } finally {
    await running.stop();
    await Promise.all([smtp.stop(), model.close()]);
  }
}

/** Sets the installation up, connects a mailbox and creates a key. */
async function connect(client: Client, token: string, dovecot: Dovecot, smtp: ScriptedSmtp): Promise<string> {
  const owner = { email: OWNER, password: PASSWORD, timezone: "Europe/Lisbon", custody: "key_file" };
  await client.page("POST", "/setup", { token, ...owner });
  const server = (port: number) => ({ host: "127.0.0.1", port, security: "none" });
  const { id } = await client.page<{ id: string }>("POST", "/mailboxes", {
    ...{ email: "alice@mail.test", imap: server(dovecot.imapPort), smtp: server(smtp.port) },
    ...{ username: "alice@mail.test", password: "alice-pw", exclude: ["Junk/Old"] },
  });
  await client.page("PATCH", `/mailboxes/${id}`, { aliases: ["ada@mail.test"], primary: true });
  const key = { name: "laptop", scopes: [...SCOPES], ip_allow: ["127.0.0.0/8"] };
  client.key = (await client.page<{ secret: string }>("POST", "/keys", key)).secret;
  await eventually(async () => (await inbox(client, id)).length >= 4, WAIT_MS);
  return id;
}

interface Listed {
  id: string;
  subject: string;
}

async function inbox(client: Client, account_id: string): Promise<Listed[]> {
  return (await client.api<{ data: Listed[] }>("GET", `/threads?account_id=${account_id}`)).data;
}

/** Contacts, context, rules, calendar, webhooks, members. */
async function fillPeople(client: Client) {
  const contacts = await client.api<{ data: { id: string }[] }>("GET", "/contacts?q=noor");
  await client.api("PATCH", `/contacts/${contacts.data[0]!.id}`, { vip: true, notes: "Prefers calls." });
  const profile = { domain: "partner.example", name: "Partner", summary: "Prints posters.", set: { tone: "warm" } };
  const { id: profile_id } = await client.api<{ id: string }>("POST", "/context/profiles", profile);
  await client.api("PATCH", `/context/profiles/${profile_id}`, { append_note: "Met in May." });
  await client.api("PUT", "/context/variables/signature", { value: "Best regards, Ada", type: "string" });
  const file = new FormData();
  file.set("file", new File(["Posters cost 12 euros each."], "prices.txt", { type: "text/plain" }));
  await client.api("POST", "/context/files", file);
  const start = new Date(Date.now() + 3 * DAY_MS);
  await client.api("POST", "/calendar/events", {
    ...{ title: "Quarterly review", location: "Room 4", attendees: ["noor@partner.example"] },
    ...{ start: start.toISOString(), end: new Date(start.getTime() + 3_600_000).toISOString() },
  });
  const rule = {
    body: {
      kind: "inbox",
      conditions: [{ field: "from_domain", op: "equals", value: "shop.example" }],
      actions: [{ type: "addLabel", value: "Offers" }],
    },
    idempotency_key: crypto.randomUUID(),
  };
  const key = { "Idempotency-Key": rule.idempotency_key };
  const { id } = await client.api<{ id: string }>("POST", "/rules", rule.body, key);
  await client.api("POST", `/rules/${id}/apply`, { days: 3650 });
  const agentRule = {
    kind: "agent",
    name: "Partners",
    conditions: [{ field: "from_domain", op: "equals", value: "partner.example" }],
    actions: [{ type: "setMode", value: "draft" }],
  };
  await client.api("POST", "/rules", agentRule);
  const { data } = await client.api<{ data: { id: string; secret: string } }>("POST", "/webhooks", {
    url: `https://127.0.0.1:${await deadPort()}/hook`,
    events: ["thread.updated", "message.received", "send.completed"],
  });
  await client.page("PUT", "/oauth-clients/google", { client_id: "client-1", client_secret: "secret-1" });
  await client.api("PATCH", "/brief/settings", { daily: true, time: "23:59", mail: false });
  return { profile_id, rule, webhook: { id: data.id, secret: data.secret } };
}

/** A member of a team, with a password, a second factor and a passkey. @param origin a host name; passkeys need one */
async function fillMember(owner: Client, origin: string) {
  const email = "bo@home.example";
  const { id } = await owner.page<{ id: string }>("POST", "/members", { email, plan: "pro" });
  const { id: team_id } = await owner.page<{ id: string }>("POST", "/teams", { name: "Works" });
  await owner.page("POST", `/teams/${team_id}/members`, { email });
  const { url } = await owner.page<{ url: string }>("POST", `/members/${id}/invite`);
  const member = new Client(origin);
  await member.page("POST", "/invitation", { token: /[^/=]+$/.exec(url)![0], password: PASSWORD });
  await member.page("POST", `/me/team-invitations/${team_id}/accept`);
  const options = await member.page("POST", "/passkeys/options");
  const credential = new Authenticator().create(options, origin);
  await member.page("POST", "/passkeys", { name: "phone", credential });
  const { secret } = await member.page<{ secret: string }>("POST", "/totp");
  const code = generateSync({ secret, epoch: Math.floor(Date.now() / 1000) });
  const { backup_codes } = await member.page<{ backup_codes: string[] }>("POST", "/totp/confirm", { code });
  return { email, backup_code: backup_codes[0]! };
}

/** Threads, drafts and sends. */
async function fillMail(client: Client, account_id: string, smtp: ScriptedSmtp, dovecot: Dovecot) {
  const listed = await inbox(client, account_id);
  const thread = (word: string) => listed.find(({ subject }) => subject.includes(word))!.id;
  const threads = { snoozed: thread("posters"), labelled: thread("figures"), list: thread("Offers") };
  await client.api("PATCH", `/threads/${threads.snoozed}`, { snooze_until: NEVER });
  await client.api("PATCH", `/threads/${threads.labelled}`, { starred: true, add_labels: ["Clients"] });
  const ofList = await client.api<{ data: { id: string }[] }>("GET", `/threads/${threads.list}/messages`);
  const draft = {
    ...{ account_id, to: ["noor@partner.example"], cc: ["bob@mail.test"], bcc: ["carol@mail.test"] },
    ...{ subject: "Posters, again", body: "How many do you need?" },
  };
  const { id: draft_id } = await client.api<{ id: string }>("POST", "/drafts", draft);
  const file = new FormData();
  file.set("file", new File(["a,b\n1,2\n"], "table.csv", { type: "text/csv" }));
  await client.api("POST", `/drafts/${draft_id}/attachments`, file);
  const send = async (to: string, more: Record<string, unknown>) => {
    const body = { account_id, to: [to], subject: `To ${to}`, body: "Tomorrow at one?", undo_window_s: 0, ...more };
    return (await client.api<{ send_id: string }>("POST", "/messages/send", body)).send_id;
  };
  const sends = {
    sent: await send("noor@partner.example", {}),
    failed: await send("gone@partner.example", {}),
    scheduled: await send("bob@mail.test", { scheduled_at: new Date(Date.now() + 300 * DAY_MS).toISOString() }),
  };
  const view = (id: string) => client.api<{ status: string; bounced: unknown }>("GET", `/sends/${id}`);
  await eventually(async () => (await view(sends.sent)).status === "sent", WAIT_MS);
  await eventually(async () => (await view(sends.failed)).status === "failed", WAIT_MS);
  await dovecot.deliver("alice", bounceOf(smtp.accepted[0]!.raw));
  await eventually(async () => (await view(sends.sent)).bounced !== null, WAIT_MS);
  return { threads, newsletter_id: ofList.data[0]!.id, draft_id, sends };
}

/** A language model on this machine writes a summary and a draft; then the owner chooses one elsewhere. */
async function fillModels(client: Client, base_url: string, thread_id: string): Promise<void> {
  await client.page("PUT", "/ai", { base_url, model: "small", api_key: "key-of-local", allow_host: false });
  await client.api("POST", "/ai/summarize", { thread_id });
  const asked = { reply_to_thread_id: thread_id, use_ai: true, instructions: "Accept." };
  await client.api("POST", "/drafts", asked);
  await client.page("PUT", "/ai", {
    ...{ base_url: "https://models.example/v1", model: "large", api_key: "key-of-models", allow_host: true },
  });
}

/** Waits for what runs in the background, reads everything back, and ends with a send whose undo window is open. */
async function settle(
  client: Client,
  account_id: string,
  { profile_id, webhook }: Awaited<ReturnType<typeof fillPeople>>,
  { threads, draft_id, sends, newsletter_id }: Awaited<ReturnType<typeof fillMail>>,
) {
  await client.api("POST", "/agent/run");
  await client.api("POST", "/brief/generate");
  await eventually(
    async () => (await client.api<object | null>("GET", "/brief/latest").catch(() => null)) !== null,
    WAIT_MS,
  );
  const deliveries = `/webhooks/${webhook.id}/deliveries`;
  await eventually(async () => (await client.api<{ data: unknown[] }>("GET", deliveries)).data.length > 2, WAIT_MS);
  const body = { account_id, to: ["bob@mail.test"], subject: "Undo me", body: "Too early.", undo_window_s: 30 };
  const { send_id: undo } = await client.api<{ send_id: string }>("POST", "/messages/send", body);
  const paths = [
    ...Object.values(threads).flatMap((id) => [`/threads/${id}`, `/threads/${id}/messages`]),
    `/messages/${newsletter_id}`,
    ...["/contacts?q=noor", `/context/profiles/${profile_id}`, "/context/variables", "/context/files"],
    ...[`/drafts/${draft_id}`, `/sends/${sends.sent}`, `/sends/${sends.failed}`, `/sends/${sends.scheduled}`],
    ...[`/webhooks/${webhook.id}`, "/rules", "/brief/latest", "/brief/settings", "/ai/calls", "/agent/actions"],
    ...[CALENDAR, "/drafts", "/audit?limit=100", "/events?limit=100", deliveries],
  ];
  const replies: Record<string, unknown> = {};
  for (const path of paths) replies[path] = await client.api("GET", path);
  return { undo, replies };
}
