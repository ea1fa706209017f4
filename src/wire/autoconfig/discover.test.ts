import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type Authority, createAuthority, OPENSSL } from "../../../test/support/certificates.ts";
import { type DnsServer, startDns } from "../../../test/support/dns-server.ts";
import { type HttpsReceiver, startReceiver } from "../../../test/support/https-receiver.ts";
import { systemClock } from "../../platform/clock.ts";
import { EgressClient } from "../../platform/egress/client.ts";
import { EgressGuard } from "../../platform/egress/guard.ts";
import { type DiscoverParts, discover } from "./discover.ts";
import { mailDns } from "./dns.ts";
import type { Found } from "./found.ts";

const FILE = (socket = "SSL") => `<clientConfig version="1.1"><emailProvider id="x"><displayName>Home mail</displayName>
  <incomingServer type="imap"><hostname>imap.home.example</hostname><port>993</port><socketType>${socket}</socketType>
    <username>%EMAILLOCALPART%</username><authentication>password-cleartext</authentication></incomingServer>
  <outgoingServer type="smtp"><hostname>smtp.home.example</hostname><port>465</port><socketType>${socket}</socketType>
    <username>%EMAILLOCALPART%</username><authentication>password-cleartext</authentication></outgoingServer>
  </emailProvider></clientConfig>`;

const NAMES = ["autoconfig.home.example", "home.example", "elsewhere.example", "ispdb.example"];

describe.skipIf(!OPENSSL)("discovering a mailbox's servers", () => {
  let authority: Authority;
  let web: HttpsReceiver;
  let dns: DnsServer;
  let client: EgressClient;
  let egress: Pick<EgressClient, "request">;
  /** Names in the test that resolve to the web server. */
  let hosts: string[];
  /** Servers that answer, as "imap imap.home.example:993 tls". */
  let reachable: string[];
  let tried: string[];

  beforeAll(async () => {
    authority = createAuthority();
    web = await startReceiver(authority.issue(NAMES));
    dns = await startDns();
  });
  afterAll(async () => {
    await web?.stop();
    await dns?.stop();
    authority?.remove();
  });
  beforeEach(() => {
    hosts = [];
    reachable = [];
    tried = [];
    dns.records = {};
    dns.asked = [];
    web.received.length = 0;
    web.behave = () => ({ status: 404 });
    // The web server has a random port, so requests are redirected to it; everything else is as in the program.
    const guard = new EgressGuard(NAMES);
    client = new EgressClient({
      guard,
      clock: systemClock,
      ca: authority.ca,
      resolve: async (host) => {
        if (!hosts.includes(host)) throw Object.assign(new Error("no such name"), { code: "ENOTFOUND" });
        return ["127.0.0.1"];
      },
    });
    egress = {
      request: async (request) => {
        const url = guard.checkUrl(request.url);
        url.port ||= String(web.port);
        return client.request({ ...request, url: url.href });
      },
    };
  });
  afterEach(() => client.close());

  const find = (email: string, more: Partial<DiscoverParts> = {}): Promise<Found | null> =>
    discover(
      {
        egress,
        dns: mailDns([dns.address]),
        speaksProtocol: async (kind, { host, port, security }) => {
          tried.push(`${kind} ${host}:${port} ${security}`);
          return reachable.includes(tried.at(-1)!);
        },
        ispdb_url: null,
        ...more,
      },
      email,
    );

  test("from the provider's own settings, which may receive the address", async () => {
    hosts = ["autoconfig.home.example"];
    web.behave = () => ({ status: 200, body: FILE() });
    expect(await find(" Ada@Home.example ")).toEqual({
      name: "Home mail",
      source: "autoconfig",
      imap: { host: "imap.home.example", port: 993, security: "tls" },
      smtp: { host: "smtp.home.example", port: 465, security: "tls" },
      username: "Ada",
      methods: ["password"],
      oauth: null,
      advice: null,
    });
    expect(web.received.map(({ path }) => path)).toEqual(["/mail/config-v1.1.xml?emailaddress=Ada%40home.example"]);
    expect(tried).toEqual([]);
  });

  test("from the well-known URL of the domain, also over a redirect", async () => {
    hosts = ["home.example", "elsewhere.example"];
    web.behave = ({ path, headers }) => {
      if (headers.host!.startsWith("elsewhere.example")) return { status: 200, body: FILE() };
      if (!path.startsWith("/.well-known/autoconfig/mail/")) return { status: 404 };
      return { status: 302, headers: { Location: `https://elsewhere.example:${web.port}/moved.xml` } };
    };
    expect(await find("ada@home.example")).toMatchObject({ source: "autoconfig", name: "Home mail" });
  });

  test("a redirect to a forbidden host, or without encryption, is not followed", async () => {
    hosts = ["home.example"];
    for (const target of [
      "http://home.example/x",
      "https://169.254.169.254/latest",
      "https://192.168.1.1/",
      "//[::1]/",
    ]) {
      web.received.length = 0;
      web.behave = () => ({ status: 302, headers: { Location: target } });
      expect(await find("ada@home.example")).toMatchObject({ source: "none" });
      expect(web.received).toHaveLength(1);
    }
  });

  test("a redirect loop and a file that is too long end the attempt", async () => {
    hosts = ["home.example"];
    web.behave = () => ({ status: 301, headers: { Location: `https://home.example:${web.port}/again` } });
    expect(await find("ada@home.example")).toMatchObject({ source: "none" });
    expect(web.received.length).toBeLessThanOrEqual(3);
    web.behave = () => ({ status: 200, body: FILE() + " ".repeat(100_000) });
    expect(await find("ada@home.example")).toMatchObject({ source: "none" });
  });

  test("settings without encryption are not used, and the advice says so", async () => {
    hosts = ["autoconfig.home.example"];
    web.behave = () => ({ status: 200, body: FILE("plain") });
    const found = await find("ada@home.example");
    expect(found).toMatchObject({ source: "none", imap: null, smtp: null });
    expect(found?.advice).toContain("only servers without encryption");
  });

  test("from the domain's DNS: TLS before STARTTLS, the best record first", async () => {
    const srv = (priority: number, weight: number, port: number, target: string) =>
      ({ type: "SRV", priority, weight, port, target }) as const;
    dns.records = {
      "_imap._tcp.home.example": [srv(0, 1, 143, "plain.home.example")],
      "_imaps._tcp.home.example": [srv(10, 1, 993, "second.home.example"), srv(0, 1, 9993, "first.home.example")],
      "_submission._tcp.home.example": [srv(0, 1, 587, "send.home.example")],
      "_submissions._tcp.home.example": [srv(0, 0, 0, ".")],
    };
    expect(await find("ada@home.example")).toMatchObject({
      source: "srv",
      imap: { host: "first.home.example", port: 9993, security: "tls" },
      smtp: { host: "send.home.example", port: 587, security: "starttls" },
      username: "ada@home.example",
      advice: null,
    });
  });

  test("DNS that names servers of another domain is shown with a warning (RFC 6186, section 6)", async () => {
    dns.records["_imaps._tcp.home.example"] = [
      { type: "SRV", priority: 0, weight: 1, port: 993, target: "imap.evil.example" },
    ];
    expect((await find("ada@home.example"))?.advice).toContain("imap.evil.example");
  });

  test("from the mail exchangers of the domain", async () => {
    dns.records["home.example"] = [
      { type: "MX", preference: 5, exchange: "alt1.aspmx.l.google.com" },
      { type: "MX", preference: 1, exchange: "aspmx.l.google.com" },
    ];
    expect(await find("ada@home.example")).toMatchObject({
      source: "provider",
      name: "Gmail",
      imap: { host: "imap.gmail.com", port: 993, security: "tls" },
      methods: ["password", "oauth2"],
      oauth: "google",
      advice: expect.stringContaining("app password"),
    });
    dns.records["home.example"] = [{ type: "MX", preference: 5, exchange: "home-example.mail.protection.outlook.com" }];
    expect(await find("ada@home.example")).toMatchObject({ name: "Outlook", methods: ["oauth2"], oauth: "microsoft" });
    dns.records["home.example"] = [{ type: "MX", preference: 5, exchange: "notgoogle.com" }];
    expect(await find("ada@home.example")).toMatchObject({ source: "none" });
  });

  test("large providers are recognized without any request", async () => {
    expect(await find("ada@gmail.com")).toMatchObject({ source: "provider", name: "Gmail" });
    expect(await find("ada@icloud.com")).toMatchObject({
      methods: ["password"],
      advice: expect.stringContaining("app password"),
    });
    expect([dns.asked, web.received, tried]).toEqual([[], [], []]);
  });

  test("Thunderbird's directory is used only where allowed, and never receives the address", async () => {
    hosts = ["ispdb.example"];
    web.behave = () => ({ status: 200, body: FILE() });
    expect(await find("ada@home.example")).toMatchObject({ source: "none" });
    expect(web.received).toEqual([]);
    const ispdb_url = `https://ispdb.example:${web.port}/v1.1/`;
    expect(await find("ada@home.example", { ispdb_url })).toMatchObject({ source: "ispdb", name: "Home mail" });
    expect(web.received.map(({ path }) => path)).toEqual(["/v1.1/home.example"]);
    expect(JSON.stringify(web.received)).not.toContain("ada");
  });

  test("by trying common names: servers that answer, TLS before STARTTLS, never in plain text", async () => {
    reachable = [
      "imap mail.home.example:143 starttls",
      "imap home.example:993 tls",
      "smtp smtp.home.example:587 starttls",
    ];
    expect(await find("ada@home.example")).toMatchObject({
      source: "guess",
      imap: { host: "home.example", port: 993, security: "tls" },
      smtp: { host: "smtp.home.example", port: 587, security: "starttls" },
      advice: expect.stringContaining("trying common names"),
    });
    expect(tried.filter((line) => line.endsWith("none"))).toEqual([]);
    reachable = [];
    expect(await find("ada@home.example")).toMatchObject({ source: "none", imap: null, methods: ["password"] });
  });

  test("DNS that does not answer delays the result by a few seconds only", async () => {
    dns.silent = true;
    reachable = ["imap imap.home.example:993 tls"];
    try {
      expect(await find("ada@home.example")).toMatchObject({ source: "guess", smtp: null });
    } finally {
      dns.silent = false;
    }
  }, 20_000);

  test.each(["", "ada", "ada@", "@home.example", "ada@[192.168.1.1]", "ada@localhost/..", "a b@home.example"])(
    "%p is not an address",
    async (typed) => {
      expect(await find(typed)).toBeNull();
      expect(tried).toEqual([]);
    },
  );
});
