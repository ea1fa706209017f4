import { createHash, randomUUID } from "node:crypto";
import type { Certificate } from "./certificates.ts";
import { type Behavior, type HttpsReceiver, type ReceivedRequest, startReceiver } from "./https-receiver.ts";

/**
 * An authorization server on loopback: the code flow with PKCE (RFC 6749, RFC 7636), refresh with rotation, and token
 * introspection (RFC 7662) for a mail server.
 */
export interface OAuthServer {
  authorize_url: string;
  token_url: string;
  /** Plain HTTP, because Dovecot uses it. */
  introspection_url: string;
  client: { client_id: string; client_secret: string };
  /** Lifetime of access tokens, s. */
  expires_in: number;
  /** Whether an access token is issued with a refresh token. */
  lasting: boolean;
  /** Whether each refresh issues a new refresh token and voids the old one. */
  rotating: boolean;
  /** Decoded requests to the token endpoint. */
  asked: Record<string, string>[];
  /** A fault in place of the next answers of the token endpoint. */
  faults: Behavior[];
  /** The user who consents at the authorization page; null: consent is refused. */
  person: string | null;
  /** Opens the page as the user and authorizes the client. @returns the parameters of the redirect */
  consent(authorize_url: string, username: string): { state: string; code: string };
  /** Returns the owner of an access token; null when it is void. */
  ownerOf(access_token: string): string | null;
  /** Voids all issued access tokens; refresh tokens stay valid. */
  expire(): void;
  /** Revokes the access, as the user would. */
  withdraw(): void;
  stop(): Promise<void>;
}

interface Code {
  username: string;
  challenge: string;
  redirect_uri: string;
}

export async function startOAuth(certificate: Certificate): Promise<OAuthServer> {
  const codes = new Map<string, Code>();
  const access = new Map<string, string>();
  const refresh = new Map<string, string>();
  const issue = (username: string, old: string | null) => {
    const access_token = `at-${randomUUID()}`;
    access.set(access_token, username);
    const answer: Record<string, unknown> = { access_token, token_type: "Bearer", expires_in: server.expires_in };
    if (server.lasting && (old === null || server.rotating)) {
      const refresh_token = `rt-${randomUUID()}`;
      refresh.set(refresh_token, username);
      if (old !== null) refresh.delete(old);
      answer.refresh_token = refresh_token;
    }
    return json(200, answer);
  };
  const token = (request: ReceivedRequest): Behavior => {
    const form = Object.fromEntries(new URLSearchParams(request.body));
    server.asked.push(form);
    const fault = server.faults.shift();
    if (fault) return fault;
    if (form.client_id !== server.client.client_id || form.client_secret !== server.client.client_secret) {
      return json(401, { error: "invalid_client" });
    }
    if (form.grant_type === "refresh_token") {
      const username = refresh.get(form.refresh_token ?? "");
      return username ? issue(username, form.refresh_token!) : json(400, { error: "invalid_grant" });
    }
    const code = codes.get(form.code ?? "");
    codes.delete(form.code ?? "");
    const challenge = createHash("sha256")
      .update(form.code_verifier ?? "")
      .digest("base64url");
    const good = code && code.challenge === challenge && code.redirect_uri === form.redirect_uri;
    return good ? issue(code.username, null) : json(400, { error: "invalid_grant" });
  };
  const web: HttpsReceiver = await startReceiver(certificate);
  const authorize = ({ path }: ReceivedRequest): Behavior => {
    const asked = new URL(path, web.origin);
    const back = new URL(asked.searchParams.get("redirect_uri")!);
    const answer = server.person === null ? null : server.consent(asked.href, server.person);
    for (const [name, value] of Object.entries(answer ?? { error: "access_denied" }))
      back.searchParams.set(name, value);
    back.searchParams.set("state", asked.searchParams.get("state")!);
    return { status: 302, headers: { Location: back.href } };
  };
  web.behave = (request) => {
    if (request.path === "/token") return token(request);
    return request.path.startsWith("/authorize?") ? authorize(request) : { status: 404 };
  };
  const introspection = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const given = new URLSearchParams(await request.text()).get("token") ?? "";
      const username = access.get(given);
      return Response.json(username ? { active: true, username } : { active: false });
    },
  });
  const server: OAuthServer = {
    authorize_url: `${web.origin}/authorize`,
    token_url: `${web.origin}/token`,
    introspection_url: `http://127.0.0.1:${introspection.port}/introspect`,
    client: { client_id: "postroom-test", client_secret: "s3cret" },
    expires_in: 3_600,
    lasting: true,
    rotating: false,
    asked: [],
    faults: [],
    person: null,
    consent(authorize_url, username) {
      const params = new URL(authorize_url).searchParams;
      const get = (name: string) => params.get(name) ?? "";
      if (get("response_type") !== "code" || get("client_id") !== server.client.client_id)
        throw new Error("bad request");
      if (get("code_challenge_method") !== "S256" || get("state").length < 32)
        throw new Error("PKCE or state is missing");
      const code = randomUUID();
      codes.set(code, { username, challenge: get("code_challenge"), redirect_uri: get("redirect_uri") });
      return { state: get("state"), code };
    },
    ownerOf: (access_token) => access.get(access_token) ?? null,
    expire: () => access.clear(),
    withdraw() {
      access.clear();
      refresh.clear();
    },
    async stop() {
      await introspection.stop(true);
      await web.stop();
    },
  };
  return server;
}

function json(status: number, body: unknown): Behavior {
  return { status, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
}

/** Lets Dovecot accept tokens of this server beside passwords. @param file file for the settings */
export function dovecotOAuth(file: string): string {
  return `
auth_mechanisms = plain login xoauth2 oauthbearer
passdb {
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = ${file}
}
`;
}

export function dovecotOAuthSettings({ introspection_url }: Pick<OAuthServer, "introspection_url">): string {
  return `introspection_mode = post
introspection_url = ${introspection_url}
username_attribute = username
active_attribute = active
active_value = true
`;
}
