import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LONGEST_WAIT_MS } from "../../src/outbound/sends/classify.ts";
import { DOVECOT } from "../support/dovecot.ts";
import { eventually } from "../support/eventually.ts";
import { between, type Campaign } from "./campaign.ts";
import { openInstallation, Workload } from "./installation.ts";
import { live } from "./served.ts";
import { wallClock } from "./wall-clock.ts";

const NAMES = "127.0.0.1 localhost\n127.0.0.1 mail.faults.test smtp.faults.test hooks.faults.test\n";
const NO_NAMES = "127.0.0.1 localhost\n";
const RESOLVER = "127.0.0.9";
const RESOLVER_FILE = `nameserver ${RESOLVER}\noptions timeout:1 attempts:1\n`;
/** Folders whose messages are not the number that the server counted last. */
const UNCOUNTED = `SELECT 1 FROM folders f WHERE f.checked_at IS NOT NULL AND f.replaced_by IS NULL AND f.view_of IS NULL
  AND f.account_id IN (SELECT id FROM accounts WHERE provider <> 'sandbox')
  AND f.server_count <> (SELECT count(*) FROM locations l WHERE l.folder_id = f.id)`;
/** RCODE of a resolver that cannot determine the answer (RFC 1035 §4.1.1). */
const SERVER_FAILURE = 2;
/** The longest delay between retries of a send. With libfaketime it passes at once. */
const LONGEST_WAIT_S = LONGEST_WAIT_MS / 1000 + 15;
const MAX_JUMPS = 3;
const ATTEMPT_MS = 45_000;
const OPEN = "SELECT 1 FROM sends WHERE status IN ('scheduled', 'sending') LIMIT 1";
const SETTLE_MS = 150_000;
/** Without libfaketime: a send that failed in two rounds waits five minutes. */
const SETTLE_SLOWLY_MS = 8 * 60_000;
/** Five requests; one that waited for a lookup would take longer. */
const MAX_REQUESTS_MS = 4_000;
/** How long the result of a lookup, positive or negative, is cached. */
const CACHED_S = 1;

/**
 * Names of the mail server, the submission server and the webhook receiver that cannot be looked up for a while: the
 * API still answers quickly, reports the problem, and everything that waited is sent once names resolve again.
 */
export const dnsCampaign: Campaign = async ({ short, random, say }) => {
  if (!DOVECOT) return { skipped: "Debian's dovecot-imapd is not installed" };
  const files = namespaceFiles();
  if (!files) return { skipped: "only root can give a process name files of its own (unshare --mount)" };
  const clock = wallClock();
  const resolver = await startFailingResolver();
  const installation = await openInstallation({ smtp_host: "smtp.faults.test" });
  const account = installation.folder.mailbox.accounts.list().find(({ provider }) => provider === "imap")!;
  const connection = installation.folder.mailbox.accounts.connection(account)!;
  const imap = { ...connection.imap, host: "mail.faults.test" };
  installation.folder.mailbox.accounts.setConnection(account, { ...connection, imap });
  let slowest_ms = 0;
  try {
    const env = { BUN_CONFIG_DNS_TIME_TO_LIVE_SECONDS: String(CACHED_S), ...clock?.env };
    const served = await installation.serve({ before: files.command, env });
    const workload = new Workload(installation, served, random);
    await live(installation.folder);
    await workload.subscribe(installation.receiver.origin.replace("127.0.0.1", "hooks.faults.test"));
    const rounds = short ? 1 : 6;
    for (let round = 0; round < rounds; round++) {
      files.names(false);
      // In every other round the resolver does not answer at all.
      resolver.answers = round % 2 === 0;
      // Existing connections continue; only the next one needs a name.
      installation.smtp.dropAll();
      installation.receiver.dropAll();
      await installation.dovecot.restart();
      for (let n = 0; n < 6; n++) {
        const began = performance.now();
        await workload.checkHealth();
        slowest_ms = Math.max(slowest_ms, performance.now() - began);
        if (n % 3 === 0) await workload.send();
        if (n % 3 === 1) await workload.mail();
        await Bun.sleep(between(random, 50, 300));
      }
      await eventually(async () => {
        const [listed] = (await served.call("GET", "/accounts")).json.data as { status: string; last_error: string }[];
        if (listed!.status !== "unreachable") throw new Error(`the mailbox is ${listed!.status}`);
        if (!/host name/.test(listed!.last_error)) throw new Error(`"${listed!.last_error}" does not name the reason`);
        return true;
      }, 60_000).catch((error: Error) => workload.misses.push(error.message));
      files.names(true);
      // A program that queries the resolver before it reads names from disk need not wait for the resolver any more.
      resolver.answers = true;
      await served.call("GET", "/accounts");
      say(`round ${round + 1} of ${rounds}`);
    }
    await Bun.sleep(2_000 * CACHED_S);
    // An earlier attempt waits half a minute for a silent resolver, and is retried from then on.
    for (let jump = 1; clock && jump <= MAX_JUMPS && installation.folder.platform.db.sql.query(OPEN).get(); jump++) {
      clock.set(jump * LONGEST_WAIT_S);
      await eventually(() => !installation.folder.platform.db.sql.query(OPEN).get(), ATTEMPT_MS).catch(() => {});
    }
    await workload.settle(clock ? SETTLE_MS : SETTLE_SLOWLY_MS);
    // A folder to which the program itself added a message is counted again at its next check.
    await eventually(() => !installation.folder.platform.db.sql.query(UNCOUNTED).get(), SETTLE_MS).catch(() => {});
    if (slowest_ms > MAX_REQUESTS_MS)
      workload.misses.push(`the API took ${Math.round(slowest_ms)} ms during the failure`);
    const code = await served.stop();
    if (code !== 0) workload.misses.push(`the server ended with ${code}: ${served.log().slice(-600)}`);
    const { messages, sends } = await workload.judge({ deliveries_may_wait: true });
    return {
      figures: { rounds, requests: workload.requests, messages, sends, slowest_look_ms: Math.round(slowest_ms) },
      misses: workload.misses,
    };
  } finally {
    await installation.close();
    resolver.close();
    clock?.remove();
    files.remove();
  }
};

/** The files that a separate process sees as /etc/hosts and /etc/resolv.conf; they can be changed while it runs. */
function namespaceFiles() {
  const dir = mkdtempSync(join(tmpdir(), "postroom-names-"));
  const [hosts, resolver] = [join(dir, "hosts"), join(dir, "resolv.conf")];
  writeFileSync(hosts, NAMES);
  writeFileSync(resolver, RESOLVER_FILE);
  const mounts = `mount --bind ${hosts} /etc/hosts && mount --bind ${resolver} /etc/resolv.conf`;
  const remove = () => rmSync(dir, { recursive: true, force: true });
  const command = ["unshare", "--mount", "sh", "-c", `${mounts} && exec "$@"`, "sh"];
  const { exitCode } = Bun.spawnSync([...command, "true"], { stderr: "ignore" });
  if (exitCode !== 0) {
    remove();
    return null;
  }
  return {
    command,
    // Written in place: this file is mounted, not its name.
    names: (known: boolean) => writeFileSync(hosts, known ? NAMES : NO_NAMES),
    remove,
  };
}

/** The client may have disconnected; the next packet then meets an ICMP refusal. */
function reply(send: () => void): void {
  try {
    send();
  } catch (error) {
    if (!ABSENT.has(String((error as { code?: unknown }).code))) throw error;
  }
}

const ABSENT = new Set(["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "EAGAIN", "ENOBUFS"]);

/** Answers every query with a failure, or not at all. */
export async function startFailingResolver(hostname = RESOLVER, port = 53) {
  const resolver = { answers: true, port: () => socket.port, close: () => socket.close() };
  const socket = await Bun.udpSocket({
    hostname,
    port,
    socket: {
      data(socket, question, from, address) {
        if (!resolver.answers || question.length < 12) return;
        const answer = Buffer.from(question);
        answer[2] = answer[2]! | 0x80;
        answer[3] = SERVER_FAILURE;
        reply(() => socket.send(answer, from, address));
      },
      // A client that has disconnected in between answers with an ICMP message.
      error() {},
    },
  });
  return resolver;
}
