import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createWebhooks } from "../../src/features/webhooks/webhooks.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { EgressClient } from "../../src/platform/egress/client.ts";
import { EgressGuard } from "../../src/platform/egress/guard.ts";
import { asLines, checkInvariants } from "../invariants/check.ts";
import type { Authority, Certificate } from "../support/certificates.ts";
import { eventually } from "../support/eventually.ts";
import { startScriptedSmtp } from "../support/smtp-server.ts";
import { openSending, type Sending } from "./sending.ts";
import { startTlsFront } from "./tls-front.ts";

const WAIT_MS = 20_000;
/** Long enough to observe a retry. */
const MIN_ATTEMPTS = 2;

/** A certificate that must not be trusted, and the expected error of outgoing connections. */
export interface BadCertificate {
  name: string;
  certificate: Certificate;
  outgoing: RegExp;
}

/**
 * The certificate of the submission server and of a webhook receiver. Outgoing work waits while the certificate is
 * wrong, reports the reason, and is sent once when the certificate is right again. On a clock on which minutes are
 * fractions of a second.
 */
export async function certificatesOnTheWayOut(
  rounds: readonly BadCertificate[],
  authority: Authority,
  good: () => Certificate,
) {
  const data_dir = mkdtempSync(join(tmpdir(), "postroom-certificate-"));
  const smtp = await startScriptedSmtp();
  const submission = await startTlsFront(smtp.port, good());
  const receiver = await startPlainReceiver();
  const hooks = await startTlsFront(receiver.port, good());
  const login = { ...smtp.login, port: submission.port, security: "tls" as const };
  const sending = openSending({ data_dir, smtp: login, ca: authority.ca });
  const webhooks = openHooks(sending, authority);
  const misses: string[] = [];
  const subjects: string[] = [];
  /** Sends one message, and waits until it or its events fail because of the certificate. */
  const wait = async (bad: BadCertificate, what: "smtp" | "webhook", front: typeof hooks) => {
    const subject = `${what} ${subjects.length}`;
    subjects.push(subject);
    front.change(bad.certificate);
    const id = sending.send(subject);
    const tried = () => {
      const { attempts, words } = what === "smtp" ? outgoing(sending, id) : webhooks.newest();
      if (attempts < MIN_ATTEMPTS) throw new Error(`${attempts} attempts, ${words}`);
      if (!bad.outgoing.test(words)) throw new Error(`"${words}" does not mention it`);
      return true;
    };
    await eventually(tried, WAIT_MS).catch((error: Error) =>
      misses.push(`${what}, a certificate ${bad.name}: ${error.message}`),
    );
    if (
      what === "smtp" &&
      (sending.hasEnded(id) ||
        countOf(
          smtp.accepted.map(({ raw }) => raw),
          subject,
        ) > 0)
    ) {
      misses.push(`a message went out over a certificate ${bad.name}`);
    }
    if (what === "webhook" && receiver.bodies.some((body) => body.includes(id))) {
      misses.push(`an event went out over a certificate ${bad.name}`);
    }
    front.change(good());
    await eventually(() => sending.hasEnded(id) && webhooks.waiting() === 0, WAIT_MS).catch(() =>
      misses.push(`${what}, after a certificate ${bad.name}: it did not go out`),
    );
    if (sending.outbound.sends.get(id)!.status !== "sent") misses.push(`${subject} was not sent`);
    const received = countOf(receiver.bodies, id);
    if (received !== 1) misses.push(`the end of ${subject} was announced ${received} times`);
  };
  try {
    webhooks.start(`https://127.0.0.1:${hooks.port}/hook`);
    for (const bad of rounds) {
      await wait(bad, "smtp", submission);
      await wait(bad, "webhook", hooks);
    }
    for (const subject of subjects) {
      const times = countOf(
        smtp.accepted.map(({ raw }) => raw),
        `Subject: ${subject}\r\n`,
      );
      if (times !== 1) misses.push(`${subject} arrived ${times} times`);
    }
    await sending.runner.idle();
    misses.push(...asLines((await checkInvariants(sending.platform, { settled: true })).findings));
    return { sends: subjects.length, deliveries: receiver.bodies.length, misses };
  } finally {
    await webhooks.close();
    await sending.close();
    await Promise.all([submission.close(), hooks.close()]);
    await Promise.all([smtp.stop(), receiver.stop()]);
    rmSync(data_dir, { recursive: true, force: true });
  }
}

function outgoing({ outbound }: Sending, id: string): { attempts: number; words: string } {
  const { attempts, outcome } = outbound.sends.get(id)!;
  return { attempts, words: outcome?.detail ?? "" };
}

/**
 * Adds an endpoint for the results of sends. Connections keep the machine's time; otherwise none would last for a
 * handshake.
 */
function openHooks({ platform }: Sending, { ca }: Authority) {
  const guard = new EgressGuard(["127.0.0.1"]);
  const egress = new EgressClient({ guard, clock: systemClock, ca });
  const user_agent = "Postroom/test";
  const { service, deliveries, deliverer } = createWebhooks({
    platform,
    guard,
    egress,
    notify: () => {},
    user_agent,
    random: () => 0,
  });
  let endpoint_id = "";
  const user = platform.users.list()[0]!;
  const open = platform.db.sql.query<{ c: number }, []>(
    `SELECT (SELECT count(*) FROM webhook_deliveries WHERE status = 'pending')
          + (SELECT count(*) FROM webhook_endpoints e WHERE EXISTS
              (SELECT 1 FROM events v WHERE v.user_id = e.user_id AND v.position > e.position)) AS c`,
  );
  return {
    start(url: string) {
      const made = platform.keys.create({ user_id: user.id, name: "x", scopes: ["webhooks:manage"], test: false });
      const key = { kind: "key" as const, ...made.key, readsContext: true };
      const actor = { kind: "key", id: key.id } as const;
      const caller = { user_id: user.id, user, key, account_id: null, actor, isTest: false, request_id: "req_x" };
      endpoint_id = service.create(caller, { url, events: ["send.completed", "send.failed"] }).id;
      deliverer.start();
    },
    waiting: () => open.get()!.c,
    /** Returns how often the newest event was tried, and the result of the last attempt. */
    newest(): { attempts: number; words: string } {
      const [delivery] = deliveries.list(endpoint_id, { limit: 1 });
      if (!delivery) return { attempts: 0, words: "" };
      const attempts = deliveries.attempts({ id: endpoint_id, user_id: user.id }, delivery.id);
      return { attempts: attempts.length, words: attempts.at(-1)?.error ?? "" };
    },
    async close() {
      await deliverer.stop();
      egress.close();
    },
  };
}

/** Accepts every request; the TLS front handles the certificate. */
async function startPlainReceiver() {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => void parts.push(part));
    request.on("end", () => {
      bodies.push(Buffer.concat(parts).toString());
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as { port: number }).port,
    bodies,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

const countOf = (texts: readonly string[], part: string): number => texts.filter((text) => text.includes(part)).length;
