import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePorts } from "./dovecot.ts";
import { eventually } from "./eventually.ts";

/** Path of Radicale 3, a CalDAV server, or null. Tests that need it are then skipped, with a notice. */
export const RADICALE = findRadicale();

function findRadicale(): string | null {
  const path = Bun.which("radicale");
  const version = path && Bun.spawnSync([path, "--version"]).stdout.toString().trim();
  if (path && version?.startsWith("3.")) return path;
  console.info("skipped: tests against a CalDAV server (Radicale 3 is not installed: apt-get install radicale)");
  return null;
}

export interface Radicale {
  /** The server's address. */
  url: string;
  login: { username: string; password: string };
  /** Creates a calendar. @returns its URL */
  makeCalendar(name: string, components?: string): Promise<string>;
  /** Sends a request as another program would. */
  request(
    method: string,
    url: string,
    options?: { body?: string; headers?: Record<string, string> },
  ): Promise<Response>;
  /** Writes an object into a calendar. @returns its URL */
  put(calendar: string, name: string, ics: string): Promise<string>;
  /** Returns the objects of a calendar by name. */
  objects(calendar: string): Promise<Record<string, string>>;
  stop(): Promise<void>;
}

const USER = { username: "alice", password: "alice-pw" };

/** Starts a separate Radicale on loopback, in a temporary folder. */
export async function startRadicale(): Promise<Radicale> {
  if (!RADICALE) throw new Error("Radicale is not installed. Check RADICALE before starting it.");
  const [port] = await freePorts(1);
  const base = mkdtempSync(join(tmpdir(), "postroom-radicale-"));
  mkdirSync(join(base, "collections"));
  writeFileSync(join(base, "users"), `${USER.username}:${USER.password}\n`);
  writeFileSync(
    join(base, "config"),
    `[server]\nhosts = 127.0.0.1:${port}\n[auth]\ntype = htpasswd\nhtpasswd_filename = ${base}/users\nhtpasswd_encryption = plain\n` +
      `[storage]\nfilesystem_folder = ${base}/collections\n`,
  );
  const child = Bun.spawn([RADICALE, "--config", join(base, "config")], {
    stdout: Bun.file(join(base, "log")),
    stderr: Bun.file(join(base, "log")),
  });
  const url = `http://127.0.0.1:${port}/`;
  const authorization = `Basic ${btoa(`${USER.username}:${USER.password}`)}`;
  const request: Radicale["request"] = (method, target, { body, headers } = {}) =>
    fetch(target, {
      method,
      headers: { Authorization: authorization, ...headers },
      ...(body === undefined ? {} : { body }),
    });
  await eventually(async () => (await fetch(url).catch(() => null)) !== null).catch((cause: unknown) => {
    throw new Error(`Radicale does not answer:\n${readFileSync(join(base, "log"), "utf8")}`, { cause });
  });
  return {
    url,
    login: USER,
    request,
    async makeCalendar(name, components = '<C:comp name="VEVENT"/>') {
      const target = `${url}${USER.username}/${name}/`;
      const body = `<?xml version="1.0"?><C:mkcalendar xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><set><prop><displayname>${name}</displayname><C:supported-calendar-component-set>${components}</C:supported-calendar-component-set></prop></set></C:mkcalendar>`;
      const reply = await request("MKCALENDAR", target, { body });
      if (!reply.ok) throw new Error(`MKCALENDAR: ${reply.status} ${await reply.text()}`);
      return target;
    },
    async put(calendar, name, ics) {
      const reply = await request("PUT", `${calendar}${name}`, {
        body: ics,
        headers: { "Content-Type": "text/calendar" },
      });
      if (!reply.ok) throw new Error(`PUT: ${reply.status} ${await reply.text()}`);
      return `${calendar}${name}`;
    },
    async objects(calendar) {
      const reply = await request("PROPFIND", calendar, { headers: { Depth: "1" } });
      const hrefs = [...(await reply.text()).matchAll(/<href>([^<]+\.ics)<\/href>/g)].map(([, href]) => href!);
      const found: Record<string, string> = {};
      for (const href of hrefs) {
        const object = await request("GET", new URL(href, url).href);
        found[decodeURIComponent(href.split("/").at(-1)!)] = await object.text();
      }
      return found;
    },
    async stop() {
      child.kill("SIGTERM");
      await child.exited;
      rmSync(base, { recursive: true, force: true });
    },
  };
}
