import { createHash, createSign, generateKeyPairSync, type KeyObject } from "node:crypto";

export interface OidcServer {
  issuer: string;
  client_id: string;
  client_secret: string;
  /** Claims that the next id_token has in addition to, or instead of, the correct ones. */
  claims: Record<string, unknown>;
  /** Signs the next id_token instead of the provider's own key. */
  forged_with: KeyObject | null;
  /** "none" omits the signature. */
  algorithm: string;
  /** Requests to the token endpoint. */
  token_requests: number;
  /** Plays a user who consents. @returns where the provider redirects the browser */
  agree(authorizationUrl: string): string;
  stop(): void;
}

/** One key for all tests, because making it takes longer than a test. */
const keys = generateKeyPairSync("rsa", { modulusLength: 2048 });

/** An OpenID Connect provider on this machine: discovery, keys, authorization code with PKCE. */
export function startOidcServer(): OidcServer {
  const codes = new Map<string, URLSearchParams>();
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (request) => answer(request) });
  const issuer = `http://127.0.0.1:${server.port}`;
  const provider: OidcServer = {
    issuer,
    client_id: "postroom",
    client_secret: "s3cret",
    claims: {},
    forged_with: null,
    algorithm: "RS256",
    token_requests: 0,
    agree(authorizationUrl) {
      const asked = new URL(authorizationUrl).searchParams;
      const code = crypto.randomUUID();
      codes.set(code, asked);
      const back = new URL(asked.get("redirect_uri")!);
      back.searchParams.set("code", code);
      back.searchParams.set("state", asked.get("state")!);
      back.searchParams.set("iss", issuer);
      return back.href;
    },
    stop: () => void server.stop(true),
  };

  async function answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === "/.well-known/openid-configuration") {
      return Response.json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        response_types_supported: ["code"],
        subject_types_supported: ["public"],
        id_token_signing_alg_values_supported: ["RS256"],
        code_challenge_methods_supported: ["S256"],
        authorization_response_iss_parameter_supported: true,
      });
    }
    if (pathname === "/keys") {
      return Response.json({
        keys: [{ ...keys.publicKey.export({ format: "jwk" }), kid: "1", alg: "RS256", use: "sig" }],
      });
    }
    // Every browser that arrives here has a user who consents.
    if (pathname === "/authorize") return Response.redirect(provider.agree(request.url), 302);
    if (pathname === "/token") return token(request);
    return new Response(null, { status: 404 });
  }

  async function token(request: Request): Promise<Response> {
    provider.token_requests++;
    const form = new URLSearchParams(await request.text());
    const asked = codes.get(form.get("code") ?? "");
    codes.delete(form.get("code") ?? "");
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    const client = `Basic ${btoa(`${provider.client_id}:${provider.client_secret}`)}`;
    const right =
      asked?.get("code_challenge") === challenge &&
      asked.get("redirect_uri") === form.get("redirect_uri") &&
      request.headers.get("authorization") === client;
    if (!right) return Response.json({ error: "invalid_grant" }, { status: 400 });
    const nowS = Math.floor(Date.now() / 1000);
    const payload = {
      iss: issuer,
      aud: provider.client_id,
      sub: "person-1",
      iat: nowS,
      exp: nowS + 300,
      nonce: asked.get("nonce"),
      email: "ada@home.example",
      email_verified: true,
      ...provider.claims,
    };
    const id_token = jwt(provider.algorithm, payload, provider.forged_with ?? keys.privateKey);
    return Response.json({ access_token: "a", token_type: "Bearer", expires_in: 300, id_token });
  }
  return provider;
}

/** Signs a compact JWS (RFC 7515). */
function jwt(alg: string, payload: unknown, key: KeyObject): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const signed = `${part({ alg, kid: "1", typ: "JWT" })}.${part(payload)}`;
  const signature = alg === "none" ? "" : createSign("sha256").update(signed).sign(key).toString("base64url");
  return `${signed}.${signature}`;
}
