/** Reads Thunderbird's autoconfiguration file, config-v1.1.xml (benbucksch.github.io/autoconfig-spec). */
import { Parser } from "htmlparser2";
import { nameFault } from "../../kernel/names.ts";
import type { MailServer, OAuthProvider } from "./found.ts";
import { isHostName } from "./host-name.ts";
import { providerOfHost } from "./providers.ts";

/** The address of the mailbox to connect. */
export interface Address {
  email: string;
  local: string;
  domain: string;
}

interface OfferedServer extends MailServer {
  username: string;
  methods: ("password" | "oauth2")[];
  oauth: OAuthProvider | null;
}

/** The parts of a file that Postroom can use. */
export interface ConfigFile {
  name: string | null;
  /** Servers with encryption, in the order of the file, which is the provider's preference. */
  imap: OfferedServer[];
  smtp: OfferedServer[];
  /** True when the file names servers without encryption, which are left out. */
  offersClear: boolean;
}

/** Maximum number of servers; a provider's file has two or three of each kind. */
const MAX_SERVERS = 20;
const MAX_TEXT = 500;

interface Element {
  kind: "imap" | "smtp";
  fields: Map<string, string>;
  authentication: string[];
}

/** Parses a file; returns null when it is not one. Never throws: anyone may have written it. */
export function readConfigFile(xml: string, address: Address): ConfigFile | null {
  const { root, name, elements } = parse(xml);
  if (!root) return null;
  const file: ConfigFile = { name, imap: [], smtp: [], offersClear: false };
  for (const { kind, fields, authentication } of elements) {
    const fill = (text: string) => fillIn(text, address);
    const host = fill(fields.get("hostname") ?? "").toLowerCase();
    const port = Number(fields.get("port"));
    const security = SECURITY[(fields.get("sockettype") ?? "").toLowerCase()];
    if (!isHostName(host) || !Number.isInteger(port) || port < 1 || port > 65_535) continue;
    if (!security) {
      file.offersClear = true;
      continue;
    }
    const oauth = providerOfHost(host)?.oauth ?? null;
    const methods = methodsOf(authentication, oauth);
    // Neither library supports its mechanism, for example GSSAPI or client certificates.
    if (methods.length === 0) continue;
    // The value is not trusted, and terminals will show it.
    const given = fill(fields.get("username") ?? "");
    const username = nameFault(given) === null ? given : address.email;
    file[kind].push({ host, port, security, username, methods, oauth });
  }
  return file;
}

const SECURITY: Record<string, "tls" | "starttls" | undefined> = { ssl: "tls", tls: "tls", starttls: "starttls" };
const PASSWORDS = ["password-cleartext", "plain", "password-encrypted", "secure"];

function methodsOf(authentication: readonly string[], oauth: OAuthProvider | null): OfferedServer["methods"] {
  const methods: OfferedServer["methods"] = [];
  if (authentication.length === 0 || authentication.some((each) => PASSWORDS.includes(each))) methods.push("password");
  // OAuth needs a client id for the provider; Postroom has endpoints for two providers.
  if (oauth && authentication.includes("oauth2")) methods.push("oauth2");
  return methods;
}

function fillIn(text: string, { email, local, domain }: Address): string {
  return text
    .replaceAll("%EMAILADDRESS%", email)
    .replaceAll("%EMAILLOCALPART%", local)
    .replaceAll("%EMAILDOMAIN%", domain)
    .trim();
}

/** Parses elements by name, in lower case, and only at their proper places. */
function parse(xml: string): { root: boolean; name: string | null; elements: Element[] } {
  const elements: Element[] = [];
  const path: string[] = [];
  let root = false;
  let name: string | null = null;
  let current: Element | null = null;
  let text = "";
  const parser = new Parser(
    {
      onopentag(tag, { type = "" }) {
        path.push(tag.toLowerCase());
        text = "";
        const at = path.join("/");
        if (path.length === 1) root = at === "clientconfig";
        if (!at.startsWith("clientconfig/emailprovider/") || path.length !== 3 || elements.length >= MAX_SERVERS)
          return;
        const kind = SERVERS[`${path[2]}:${type.toLowerCase()}`];
        if (!kind) return;
        current = { kind, fields: new Map(), authentication: [] };
        elements.push(current);
      },
      ontext(piece) {
        if (text.length < MAX_TEXT) text += piece;
      },
      onclosetag(tag) {
        const [at, value] = [path.join("/"), text.trim().slice(0, MAX_TEXT)];
        const field = tag.toLowerCase();
        if (at === "clientconfig/emailprovider/displayname" && nameFault(value) === null) name ??= value;
        if (path.length === 3) current = null;
        if (path.length === 4 && current) {
          if (field === "authentication") current.authentication.push(value.toLowerCase());
          else if (!current.fields.has(field)) current.fields.set(field, value);
        }
        path.pop();
        text = "";
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(xml);
  return { root, name, elements };
}

const SERVERS: Record<string, Element["kind"] | undefined> = {
  "incomingserver:imap": "imap",
  "outgoingserver:smtp": "smtp",
};
