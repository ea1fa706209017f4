import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type Copying, NO_COPYING } from "../../src/backup/continuous/copying.ts";
import { takenOverPause, waitingPause } from "../../src/backup/continuous/pauses.ts";
import { APP_HEADER } from "../../src/http/guard/app-guard.ts";
import type { Route } from "../../src/http/route.ts";
import type { Pause } from "../../src/platform/acting.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { allAppRoutes } from "../support/all-app-routes.ts";
import { allRoutes } from "../support/all-routes.ts";
import { eventually } from "../support/eventually.ts";
import { type LiveApp, startLiveApp } from "../support/live-app.ts";
import { type ScriptedSmtp, startScriptedSmtp } from "../support/smtp-server.ts";

/** The whole program, with a lease that the test grants and takes. */
setDefaultTimeout(60_000);

let live: LiveApp;
let smtp: ScriptedSmtp;
let change: (pause: Pause | null) => void;
let mayAct = true;
let flushFault: Error | null = null;

/** A lease in the hands of the test. */
function copying(): Copying {
  return {
    ...NO_COPYING,
    async start(changed) {
      change = (pause) => {
        mayAct = pause === null;
        changed(pause);
      };
      return null;
    },
    mayAct: () => mayAct,
    flushed: () => (flushFault ? Promise.reject(flushFault) : Promise.resolve()),
  };
}

beforeAll(async () => {
  smtp = await startScriptedSmtp();
  live = await startLiveApp({}, { openCopying: copying });
  const { username, password, ...server } = smtp.login;
  live.connect({
    email: "alice@mail.test",
    // No one listens on the port of IMAP: only sending is tested.
    connection: { imap: { host: "127.0.0.1", port: 1, security: "none" }, smtp: server, username, password },
  });
});
afterAll(async () => {
  await live?.close();
  await smtp?.stop();
});

const base = () => `http://127.0.0.1:${live.app.server.port}`;
const readyz = async () => (await fetch(`${base()}/readyz`)).status;
const path = ({ path: pattern, params }: Route) =>
  pattern.replace(/:(\w+)/g, (_, name: string) => (params[name] === "text" ? "x" : `${params[name]}_1`));

async function pause(why: Pause): Promise<void> {
  change(why);
  await eventually(async () => (await live.call("GET", "/threads")).status === 200);
}

async function resume(): Promise<void> {
  change(null);
  await eventually(async () => (await readyz()) === 200, 30_000);
}

async function send(subject: string): Promise<string> {
  const sent = await live.call("POST", "/messages/send", {
    body: { to: ["bob@example.org"], subject, body: "Hello.", undo_window_s: 1 },
    headers: { "Idempotency-Key": crypto.randomUUID() },
  });
  expect(sent.status).toBeLessThan(300);
  return sent.json.send_id;
}
const submitted = (subject: string) => smtp.accepted.filter(({ raw }) => raw.includes(`Subject: ${subject}`)).length;

describe("while the server is paused", () => {
  beforeAll(() => pause(waitingPause(systemClock.now())));
  afterAll(resume);

  test("every changing request is refused with 503 and a time to try again, and nothing is written", async () => {
    const version = () => live.app.platform.db.sql.query<{ v: number }, []>("PRAGMA data_version").get()!.v;
    const rows = () =>
      live.app.platform.db.sql.query<{ c: number }, []>("SELECT total_changes() AS c").get()!.c + version();
    const before = rows();
    const changing = allRoutes(live.app.platform).filter(({ kind }) => kind !== "read");
    expect(changing.length).toBeGreaterThan(40);
    for (const route of changing) {
      const answer = await live.call(route.method, path(route), {
        ...(route.method === "DELETE" ? {} : { body: {} }),
        headers: { "Idempotency-Key": crypto.randomUUID() },
      });
      expect([route.operationId, answer.status, answer.json.error.code]).toEqual([
        route.operationId,
        503,
        "server_paused",
      ]);
      expect(answer.headers.get("retry-after")).toBe("15");
    }
    expect(rows()).toBe(before);
  });

  test("reads are answered", async () => {
    const reads = allRoutes(live.app.platform).filter(({ kind, method }) => kind === "read" && method === "GET");
    for (const route of reads.filter(({ params, produces }) => Object.keys(params).length === 0 && !produces)) {
      const answer = await live.call("GET", path(route));
      expect([route.operationId, answer.status < 500]).toEqual([route.operationId, true]);
    }
    const found = await live.call("POST", "/search", { body: { query: "invoice", mode: "full_text" } });
    expect(found.status).toBeLessThan(500);
  });

  test("no one can sign in or set up, and the page says why", async () => {
    const state = await fetch(`${base()}/app/api/state`, { headers: { [APP_HEADER]: "1" } });
    expect(await state.json()).toMatchObject({ paused: { reason: "waiting", message: expect.any(String) } });
    for (const route of allAppRoutes(live.app.platform).filter(
      ({ kind, audience }) => kind !== "read" && audience === "public",
    )) {
      const answer = await fetch(`${base()}/app/api${path(route)}`, {
        method: route.method,
        headers: { [APP_HEADER]: "1", "Content-Type": "application/json", Origin: base() },
        body: "{}",
      });
      expect([route.path, answer.status]).toEqual([route.path, 503]);
    }
  });

  test("it reports that it is not ready, and stays alive", async () => {
    expect(await readyz()).toBe(503);
    expect((await fetch(`${base()}/healthz`)).status).toBe(200);
  });
});

test("what is due is not sent while the server is paused, and sent once when it acts again", async () => {
  const id = await send("paused before it is due");
  const began = performance.now();
  await pause(takenOverPause(systemClock.now()));
  expect(performance.now() - began).toBeLessThan(5_000);
  const answer = await live.call("POST", "/labels", { body: { name: "x" } });
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "300"]);
  await Bun.sleep(2_500); // Longer than the undo window: a server that acts would send it now.
  expect(submitted("paused before it is due")).toBe(0);
  await resume();
  await eventually(async () => (await live.call("GET", `/sends/${id}`)).json.status === "sent", 20_000);
  expect(submitted("paused before it is due")).toBe(1);
});

test("a message does not leave before its claim is in the copy, and leaves once when that works again", async () => {
  flushFault = new Error("The store is away.");
  const id = await send("claimed only here");
  await eventually(async () => (await live.call("GET", `/sends/${id}`)).json.attempts >= 1, 10_000);
  await eventually(async () => (await live.call("GET", `/sends/${id}`)).json.next_attempt_at !== null, 10_000);
  expect(submitted("claimed only here")).toBe(0);
  flushFault = null;
  await eventually(async () => (await live.call("GET", `/sends/${id}`)).json.status === "sent", 30_000);
  expect(submitted("claimed only here")).toBe(1);
});

test("a lease that ends between claim and handover stops the message, although no one has noticed yet", async () => {
  const id = await send("too late");
  mayAct = false;
  await eventually(async () => (await live.call("GET", `/sends/${id}`)).json.next_attempt_at !== null, 15_000);
  expect(submitted("too late")).toBe(0);
  mayAct = true;
  await eventually(async () => (await live.call("GET", `/sends/${id}`)).json.status === "sent", 30_000);
  expect(submitted("too late")).toBe(1);
});

test("a change is refused as soon as the lease has ended, although no one has noticed yet", async () => {
  mayAct = false;
  const refused = await live.call("POST", "/labels", { body: { name: "too late" } });
  expect(refused).toMatchObject({ status: 503, json: { error: { code: "server_paused" } } });
  expect((await live.call("GET", "/labels")).status).toBe(200);
  mayAct = true;
  expect((await live.call("POST", "/labels", { body: { name: "in time" } })).status).toBeLessThan(300);
});

test("pauses and resumptions in quick succession end in the last one", async () => {
  for (let i = 0; i < 3; i++) {
    change(waitingPause(systemClock.now()));
    change(null);
  }
  change(waitingPause(systemClock.now()));
  await eventually(async () => (await readyz()) === 503);
  await resume();
  expect((await live.call("POST", "/labels", { body: { name: "after all" } })).status).toBeLessThan(300);
});
