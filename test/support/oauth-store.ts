/** What a program stores about a server, and the page to which it last sent its user: an `authProvider` for both SDKs. */
export class OAuthStore {
  // biome-ignore lint/suspicious/noExplicitAny: the SDKs decide what is stored
  readonly kept: Record<string, any> = {};
  asked: URL[] = [];
  readonly clientMetadata;

  constructor(readonly redirectUrl: string) {
    this.clientMetadata = {
      client_name: "Probe",
      redirect_uris: [redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    };
  }

  state = () => "st";
  clientInformation = () => this.kept.client;
  saveClientInformation = (client: unknown) => void Object.assign(this.kept, { client });
  tokens = () => this.kept.tokens;
  saveTokens = (tokens: unknown) => void Object.assign(this.kept, { tokens });
  codeVerifier = () => this.kept.verifier as string;
  saveCodeVerifier = (verifier: string) => void Object.assign(this.kept, { verifier });
  saveDiscoveryState = (discovery: unknown) => void Object.assign(this.kept, { discovery });
  discoveryState = () => this.kept.discovery;
  invalidateCredentials = (what: string) => {
    if (what === "tokens" || what === "all") delete this.kept.tokens;
    if (what === "client" || what === "all") delete this.kept.client;
  };
  redirectToAuthorization = (url: URL) => void this.asked.push(url);
}
