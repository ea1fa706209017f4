import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Address, readConfigFile } from "./config-file.ts";

const ADA: Address = { email: "ada@home.example", local: "ada", domain: "home.example" };
const file = (...servers: string[]) =>
  `<?xml version="1.0"?><clientConfig version="1.1"><emailProvider id="home.example">
     <domain>home.example</domain><displayName>Home &amp; Garden</displayName>${servers.join("")}</emailProvider></clientConfig>`;
const server = (kind: "imap" | "smtp" | "pop3", host: string, port: number | string, socket: string, more = "") => {
  const tag = kind === "smtp" ? "outgoingServer" : "incomingServer";
  return `<${tag} type="${kind}"><hostname>${host}</hostname><port>${port}</port><socketType>${socket}</socketType>
    <username>%EMAILADDRESS%</username><authentication>password-cleartext</authentication>${more}</${tag}>`;
};

test("reads a provider's file: its name, its servers in order, the user name filled in", () => {
  const read = readConfigFile(
    file(
      server("pop3", "pop.home.example", 995, "SSL"),
      server("imap", "imap.%EMAILDOMAIN%", 993, "SSL"),
      server("imap", "imap.home.example", 143, "STARTTLS"),
      server("smtp", "smtp.home.example", 587, "STARTTLS").replace("%EMAILADDRESS%", "%EMAILLOCALPART%"),
    ),
    ADA,
  );
  const password = { methods: ["password"], oauth: null };
  expect(read).toEqual({
    name: "Home & Garden",
    imap: [
      { host: "imap.home.example", port: 993, security: "tls", username: "ada@home.example", ...password },
      { host: "imap.home.example", port: 143, security: "starttls", username: "ada@home.example", ...password },
    ],
    smtp: [{ host: "smtp.home.example", port: 587, security: "starttls", username: "ada", ...password }],
    offersClear: false,
  } as never);
});

test("a provider's or user's name cannot move a terminal's cursor or add lines", () => {
  const odd = file(server("imap", "imap.home.example", 993, "SSL")).replace(
    "Home &amp; Garden",
    "Home&#27;[2J&#10;Garden",
  );
  const read = readConfigFile(odd.replace("%EMAILADDRESS%", "ada&#13;&#10;x"), ADA)!;
  expect([read.name, read.imap[0]!.username]).toEqual([null, "ada@home.example"]);
});

test("servers without encryption are left out, and the file is marked", () => {
  const read = readConfigFile(file(server("imap", "imap.home.example", 143, "plain")), ADA);
  expect(read).toMatchObject({ imap: [], offersClear: true });
});

test("OAuth2 is offered only for providers that Postroom supports", () => {
  const both = "<authentication>OAuth2</authentication>";
  const google = readConfigFile(file(server("imap", "imap.gmail.com", 993, "SSL", both)), ADA);
  expect(google?.imap[0]).toMatchObject({ methods: ["password", "oauth2"], oauth: "google" });
  const other = readConfigFile(file(server("imap", "imap.home.example", 993, "SSL", both)), ADA);
  expect(other?.imap[0]).toMatchObject({ methods: ["password"], oauth: null });
  const kerberos = server("imap", "imap.home.example", 993, "SSL").replace("password-cleartext", "GSSAPI");
  expect(readConfigFile(file(kerberos), ADA)?.imap).toEqual([]);
});

describe("a malformed file causes no error", () => {
  test.each([
    ["a web page", "<!doctype html><html><body>Not found</body></html>"],
    ["nothing", ""],
    ["another kind of XML", "<rss><emailProvider></emailProvider></rss>"],
  ])("%s is not a configuration", (_name, text) => expect(readConfigFile(text, ADA)).toBeNull());

  test.each([
    ["a host that is none", server("imap", "imap home/..", 993, "SSL")],
    ["a port that is none", server("imap", "imap.home.example", "99999", "SSL")],
    ["a server in the wrong place", `<x>${server("imap", "imap.home.example", 993, "SSL")}</x>`],
  ])("%s is left out", (_name, text) => expect(readConfigFile(file(text), ADA)?.imap).toEqual([]));

  test("entities defined by the file are not expanded, and nothing else is read through them", () => {
    const bomb = `<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b SYSTEM "file:///etc/passwd">]>${file(server("imap", "&a;&b;", 993, "SSL"))}`;
    expect(readConfigFile(bomb, ADA)?.imap ?? []).toEqual([]);
  });

  test("any text is read without throwing", () => {
    fc.assert(fc.property(fc.string(), (text) => void readConfigFile(text, ADA)));
    const whole = file(server("imap", "imap.home.example", 993, "SSL"));
    fc.assert(fc.property(fc.nat(whole.length), (cut) => void readConfigFile(whole.slice(0, cut), ADA)));
  });

  test("of a thousand servers only twenty are read", () => {
    const many = Array.from({ length: 1_000 }, (_, i) => server("imap", `imap${i}.home.example`, 993, "SSL"));
    expect(readConfigFile(file(...many), ADA)?.imap).toHaveLength(20);
  });
});
