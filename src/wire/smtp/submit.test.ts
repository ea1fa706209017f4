import { Database } from "bun:sqlite";
import { afterEach, expect, test } from "bun:test";
import {
  deadPort,
  type ScriptedSmtp,
  type SmtpFault,
  type SmtpStep,
  startScriptedSmtp,
} from "../../../test/support/smtp-server.ts";
import { systemClock } from "../../platform/clock.ts";
import { yieldToEventLoop } from "../../platform/process/yielding.ts";
import { SmtpPool } from "./pool.ts";
import type { SubmitResult } from "./result.ts";
import type { OutgoingMessage, SmtpTimeouts } from "./session.ts";

const QUICK: SmtpTimeouts = { connectMs: 400, envelopeMs: 400, contentMs: 400, contentPerMibMs: 0 };
const SMALL = "Subject: x\r\n\r\n.dots\r\n..more\r\nbye\r\n";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const fn of cleanups.splice(0)) await fn();
});

async function openPool(timeouts: Partial<SmtpTimeouts> = {}): Promise<{ server: ScriptedSmtp; pool: SmtpPool }> {
  const server = await startScriptedSmtp();
  const pool = new SmtpPool({ clock: systemClock, timeouts });
  cleanups.push(
    () => pool.close(),
    () => server.stop(),
  );
  return { server, pool };
}

function message(raw = SMALL, to = ["bob@mail.test"]): OutgoingMessage {
  return { raw: Buffer.from(raw), envelope: { from: "alice@mail.test", to }, needsSmtputf8: false };
}

/** Larger than every buffer between the test and a server that stops reading. */
const LARGE = `Subject: x\r\n\r\n${"0123456789abcdef\r\n".repeat(800_000)}`;

test("messages arrive unchanged, several over one connection", async () => {
  const { server, pool } = await openPool();
  for (let i = 0; i < 3; i++) {
    const result = await pool.submit("a", server.login, message());
    expect(result).toEqual({ outcome: "accepted", response: "250 2.0.0 queued as T1", rejected: [] });
  }
  expect(server.accepted.map(({ raw }) => raw)).toEqual([SMALL, SMALL, SMALL]);
  expect(server.accepted[0]).toMatchObject({ from: "alice@mail.test", to: ["bob@mail.test"], user: "alice@mail.test" });
  expect(server.connections).toBe(1);
});

test("another account, another password, the message limit and the idle timeout each need a new connection", async () => {
  const server = await startScriptedSmtp();
  let fire = () => {};
  const clock = {
    ...systemClock,
    after(ms: number, fn: () => void) {
      if (ms !== 7777) return systemClock.after(ms, fn);
      fire = fn;
      return () => {};
    },
  };
  const pool = new SmtpPool({ clock, idleMs: 7777, maxMessages: 2 });
  cleanups.push(
    () => pool.close(),
    () => server.stop(),
  );
  const connectionsAfter = async (key: string, login = server.login) => {
    await pool.submit(key, login, message());
    return server.connections;
  };
  expect(await connectionsAfter("a")).toBe(1);
  expect(await connectionsAfter("b")).toBe(2);
  expect(await connectionsAfter("a")).toBe(2);
  expect(await connectionsAfter("a")).toBe(3);
  fire();
  expect(await connectionsAfter("a")).toBe(4);
  expect(await connectionsAfter("a", { ...server.login, username: "other" })).toBe(5);
  pool.forget("b");
  expect(await connectionsAfter("b")).toBe(6);
});

test("a connection that died while idle does not fail the message", async () => {
  const { server, pool } = await openPool();
  await pool.submit("a", server.login, message());
  server.faults.mail = ["cut"];
  expect((await pool.submit("a", server.login, message())).outcome).toBe("accepted");
  server.faults.mail = ["421 4.4.2 idle for too long"];
  expect((await pool.submit("a", server.login, message())).outcome).toBe("accepted");
  server.dropAll();
  expect((await pool.submit("a", server.login, message())).outcome).toBe("accepted");
  expect(server.accepted.length).toBe(4);
  expect(server.connections).toBe(4);
});

const REFUSALS: [SmtpStep, string, Partial<Extract<SubmitResult, { outcome: "refused" }>>][] = [
  ["connect", "554 5.7.1 your network is not welcome", { stage: "connect", code: 554, enhanced: "5.7.1" }],
  ["connect", "421 4.3.2 too busy", { stage: "connect", code: 421, enhanced: "4.3.2" }],
  ["auth", "535 5.7.8 wrong", { stage: "auth", code: 535 }],
  ["auth", "454 4.7.0 try later", { stage: "auth", code: 454 }],
  ["mail", "550 5.7.1 not your address", { stage: "mail", code: 550 }],
  ["mail", "451-4.3.0 first\r\n451 4.3.0 second", { stage: "mail", code: 451, response: "451-4.3.0 first second" }],
  ["mail", "421 4.7.0 too many messages", { stage: "mail", code: 421 }],
  ["rcpt", "450 4.2.0 greylisted", { stage: "rcpt", code: 450 }],
  ["data", "451 4.3.0 not now", { stage: "data", code: 451 }],
  ["dot", "552 5.3.4 too big", { stage: "content", code: 552, enhanced: "5.3.4" }],
  ["dot", "451 4.3.0 disk full", { stage: "content", code: 451 }],
  ["dot", "421 4.3.2 shutting down", { stage: "content", code: 421 }],
  ["content", "552 5.3.4 enough", { stage: "data", code: 552 }],
];

test.each(REFUSALS)("a refusal at %s (%s) is reported with its stage", async (step, reply, expected) => {
  const { server, pool } = await openPool();
  server.faults[step] = [reply];
  server.offers = server.offers.filter((offer) => !offer.startsWith("SIZE"));
  const result = await pool.submit("a", server.login, message(step === "content" ? LARGE : SMALL));
  expect(result).toMatchObject({ outcome: "refused", ...expected });
  expect(server.accepted).toEqual([]);
  // The next message is not affected.
  expect((await pool.submit("a", server.login, message())).outcome).toBe("accepted");
});

const NOT_SENT: [SmtpStep, SmtpFault, string][] = [
  ["connect", "cut", "cut"],
  ["connect", "silent", "timeout"],
  ["connect", "drip", "timeout"],
  ["connect", "garbage", "protocol"],
  ["connect", "huge", "protocol"],
  ["ehlo", "cut", "cut"],
  ["ehlo", "drip", "timeout"],
  ["ehlo", "huge", "protocol"],
  ["auth", "cut", "cut"],
  ["auth", "silent", "timeout"],
  ["mail", "cut", "cut"],
  ["mail", "silent", "timeout"],
  ["mail", "garbage", "protocol"],
  ["rcpt", "cut", "cut"],
  ["rcpt", "drip", "timeout"],
  ["data", "cut", "cut"],
  ["data", "silent", "timeout"],
  ["data", "huge", "protocol"],
  ["content", "cut", "cut"],
  ["content", "silent", "timeout"],
  ["content", "early", "protocol"],
];

test.each(NOT_SENT)("%s, %s: reported as not sent", async (step, fault, reason) => {
  const { server, pool } = await openPool(QUICK);
  server.faults[step] = [fault];
  const raw = step === "content" ? LARGE : SMALL;
  server.offers = server.offers.filter((offer) => !offer.startsWith("SIZE"));
  const result = await pool.submit("a", server.login, message(raw));
  expect(result).toMatchObject({ outcome: "not_sent", reason });
  expect(server.accepted).toEqual([]);
});

test.each(["cut", "silent", "drip", "garbage", "huge", "354 more, please"])(
  "no usable answer to the whole message (%s) is reported as unknown",
  async (fault) => {
    for (const taken of [true, false]) {
      const { server, pool } = await openPool(QUICK);
      server.faults.dot = [fault];
      server.takes_before_fault = taken;
      expect((await pool.submit("a", server.login, message())).outcome).toBe("unknown");
      expect(server.accepted.length).toBe(taken ? 1 : 0);
    }
  },
);

test("a cut after the message is unknown on a reused connection too, and the message is not sent again", async () => {
  const { server, pool } = await openPool();
  await pool.submit("a", server.login, message());
  server.takes_before_fault = true;
  server.faults.dot = ["cut"];
  expect((await pool.submit("a", server.login, message())).outcome).toBe("unknown");
  expect(server.accepted.length).toBe(2);
});

test("a closed port and an unknown host are reported as not sent", async () => {
  // A machine whose resolver does not answer has to wait for the timeout.
  const { server, pool } = await openPool();
  const nowhere = { ...server.login, port: await deadPort() };
  expect(await pool.submit("a", nowhere, message())).toMatchObject({ outcome: "not_sent", reason: "connect" });
  const impatient = new SmtpPool({ clock: systemClock, timeouts: { connectMs: 2_000 } });
  cleanups.push(() => impatient.close());
  const unnamed = { ...server.login, host: "nothing.invalid" };
  const { outcome, ...rest } = await impatient.submit("a", unnamed, message());
  expect(outcome).toBe("not_sent");
  expect((rest as { reason?: string }).reason).toMatch(/^(dns|timeout)$/);
});

test.each([true, false])(
  "some recipients refused: the others get the message, and each answer is reported (pipelining: %s)",
  async (pipelining) => {
    const { server, pool } = await openPool();
    if (!pipelining) server.offers = server.offers.filter((offer) => offer !== "PIPELINING");
    server.refuses.set("no@mail.test", "550 5.1.1 no such user").set("later@mail.test", "450 4.2.1 later");
    const result = await pool.submit(
      "a",
      server.login,
      message(SMALL, ["bob@mail.test", "no@mail.test", "later@mail.test"]),
    );
    expect(result).toEqual({
      outcome: "accepted",
      response: "250 2.0.0 queued as T1",
      rejected: [
        { recipient: "no@mail.test", code: 550, enhanced: "5.1.1", response: "550 5.1.1 no such user" },
        { recipient: "later@mail.test", code: 450, enhanced: "4.2.1", response: "450 4.2.1 later" },
      ],
    });
    expect(server.accepted[0]!.to).toEqual(["bob@mail.test"]);
    const all = await pool.submit("a", server.login, message(SMALL, ["no@mail.test", "later@mail.test"]));
    expect(all).toMatchObject({
      outcome: "refused",
      stage: "rcpt",
      code: 450,
      rejected: [{ code: 550 }, { code: 450 }],
    });
  },
);

test("size and SMTPUTF8 limits are checked before anything is sent", async () => {
  const { server, pool } = await openPool();
  server.offers = ["SIZE 1000", "AUTH PLAIN"];
  const large = await pool.submit("a", server.login, message(`${SMALL}${"x".repeat(1000)}`));
  expect(large).toMatchObject({ outcome: "refused", stage: "size", code: null });
  const needy = { ...message(), envelope: { from: "alice@mail.test", to: ["žofie@mail.test"] }, needsSmtputf8: true };
  expect(await pool.submit("a", server.login, needy)).toMatchObject({
    outcome: "refused",
    stage: "smtputf8",
    code: null,
  });
  expect(server.commands.some((command) => command.startsWith("MAIL"))).toBe(false);
});

test("SMTPUTF8, 8BITMIME and SIZE are requested where offered and needed", async () => {
  const { server, pool } = await openPool();
  const raw = "Subject: x\r\nTo: žofie@mail.test\r\n\r\nhi\r\n";
  const needy = {
    raw: Buffer.from(raw),
    envelope: { from: "alice@mail.test", to: ["žofie@mail.test"] },
    needsSmtputf8: true,
  };
  expect((await pool.submit("a", server.login, needy)).outcome).toBe("accepted");
  expect(server.accepted[0]).toMatchObject({ to: ["žofie@mail.test"] });
  expect(server.accepted[0]!.parameters).toBe(`SMTPUTF8 BODY=8BITMIME SIZE=${Buffer.byteLength(raw)}`);
  await pool.submit("a", server.login, message());
  expect(server.accepted[1]!.parameters).toBe(`SIZE=${SMALL.length}`);
});

test("a wrong password is refused; a relay that needs no login is used without one", async () => {
  const { server, pool } = await openPool();
  const wrong = { ...server.login, password: "no" };
  expect(await pool.submit("a", wrong, message())).toMatchObject({ outcome: "refused", stage: "auth", code: 535 });
  server.offers = ["SIZE 1000000"];
  expect((await pool.submit("a", server.login, message())).outcome).toBe("accepted");
  expect(server.accepted[0]!.user).toBeNull();
});

test("forty concurrent messages each arrive once", async () => {
  const { server, pool } = await openPool();
  const results = await Promise.all(
    Array.from({ length: 40 }, (_, i) => pool.submit("a", server.login, message(`Subject: ${i}\r\n\r\nx\r\n`))),
  );
  expect(results.every(({ outcome }) => outcome === "accepted")).toBe(true);
  expect(new Set(server.accepted.map(({ raw }) => raw)).size).toBe(40);
});

test("a message whose connection ends while its end waits to be recorded is not sent", async () => {
  const { server, pool } = await openPool();
  const waiting = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const beforeEnd = () => {
    asked.resolve();
    return waiting.promise;
  };
  const result = pool.submit("a", server.login, { ...message(), beforeEnd });
  await asked.promise;
  server.dropAll();
  expect(await result).toMatchObject({ outcome: "not_sent" });
  waiting.resolve();
  await yieldToEventLoop();
  expect(server.accepted).toEqual([]);
});

test("a message whose end cannot be recorded is not sent, and this is reported at once instead of after ten minutes", async () => {
  const { server, pool } = await openPool({ contentMs: 60_000, envelopeMs: 60_000 });
  // SQLite's own error, whose fields are read-only, unlike those of other errors.
  const full = new Database(":memory:");
  full.run("PRAGMA max_page_count = 1");
  const beforeEnd = () => void full.run("CREATE TABLE handed_over (at)");
  expect(beforeEnd).toThrow("full");
  const result = await pool.submit("a", server.login, { ...message(), beforeEnd });
  expect(result).toMatchObject({ outcome: "not_sent", detail: expect.stringContaining("full") });
  expect(server.accepted).toEqual([]);
  expect(await pool.submit("a", server.login, message())).toMatchObject({ outcome: "accepted" });
});
