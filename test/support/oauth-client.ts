import { createHash, randomBytes } from "node:crypto";
import { type AssistantFixture, BASE, type Consent, REDIRECT_URI, RESOURCE } from "./assistant-fixture.ts";

/** A reply of the token or registration endpoint. */
export interface Reply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads answers of every shape
  json: any;
}

/** A client that speaks OAuth by hand, for requests that no SDK would send. */
export class OAuthClient {
  verifier = randomBytes(32).toString("base64url");

  constructor(
    private readonly s: AssistantFixture,
    readonly client_id: string,
    private readonly base = BASE,
  ) {}

  static async register(s: AssistantFixture, more: object = {}): Promise<OAuthClient> {
    const { status, json } = await register(s, more);
    if (status !== 201) throw new Error(`${status} ${JSON.stringify(json)}`);
    return new OAuthClient(s, json.client_id);
  }

  /** @param more replaces parameters; undefined leaves one out */
  url(more: Record<string, string | undefined> = {}): URL {
    const url = new URL(`${this.base}/oauth/authorize`);
    const params: Record<string, string | undefined> = {
      response_type: "code",
      client_id: this.client_id,
      redirect_uri: REDIRECT_URI,
      state: "st",
      resource: RESOURCE,
      code_challenge: createHash("sha256").update(this.verifier).digest("base64url"),
      code_challenge_method: "S256",
      ...more,
    };
    for (const [name, value] of Object.entries(params)) if (value !== undefined) url.searchParams.set(name, value);
    return url;
  }

  exchange(code: string, more: Record<string, string> = {}): Promise<Reply> {
    return this.token({
      grant_type: "authorization_code",
      code,
      redirect_uri: REDIRECT_URI,
      code_verifier: this.verifier,
      ...more,
    });
  }

  refresh(refresh_token: string, more: Record<string, string> = {}): Promise<Reply> {
    return this.token({ grant_type: "refresh_token", refresh_token, ...more });
  }

  revoke(token: string): Promise<Reply> {
    return this.#post("/oauth/revoke", { token });
  }

  token(params: Record<string, string>): Promise<Reply> {
    return this.#post("/oauth/token", { resource: RESOURCE, ...params });
  }

  /** Asks, decides and exchanges. @returns the reply of the token endpoint */
  async connect(decision: Consent = {}, params: Record<string, string | undefined> = {}): Promise<Reply> {
    const back = await this.s.authorize(this.url(params), decision);
    return this.exchange(back.searchParams.get("code")!);
  }

  async #post(path: string, params: Record<string, string>): Promise<Reply> {
    const body = new URLSearchParams({ client_id: this.client_id, ...params });
    return reply(await this.s.fetch(this.base + path, { method: "POST", body }));
  }
}

/** Registers a client. @param more replaces fields of the metadata */
export async function register(s: AssistantFixture, more: object = {}): Promise<Reply> {
  const metadata = {
    client_name: "Probe",
    redirect_uris: [REDIRECT_URI],
    token_endpoint_auth_method: "none",
    ...more,
  };
  const headers = { "content-type": "application/json" };
  return reply(await s.fetch(`${BASE}/oauth/register`, { method: "POST", headers, body: JSON.stringify(metadata) }));
}

async function reply(response: Response): Promise<Reply> {
  const text = await response.text();
  return { status: response.status, json: text === "" ? undefined : JSON.parse(text) };
}
