import type { EgressClient } from "../../platform/egress/client.ts";
import { clientMetadata } from "./client-metadata.ts";

const TIMEOUT_MS = 5_000;
/** The draft recommends 5 KB for a metadata document. Key sets of clients with `private_key_jwt` are as short. */
const MAX_BYTES = 16_384;

/**
 * Returns the `fetch` of the library, which only fetches what a client publishes: its metadata document (OAuth Client ID
 * Metadata Document) and its keys. The egress guard permits https and public addresses only.
 */
export function documentFetch(egress: Pick<EgressClient, "request">) {
  return async (url: string | URL): Promise<Response> => {
    const address = String(url);
    const reply = await egress.request({
      method: "GET",
      url: address,
      headers: { Accept: "application/json", "User-Agent": "Postroom" },
      timeoutMs: TIMEOUT_MS,
      maxBodyBytes: MAX_BYTES,
    });
    if (reply.truncated) throw new Error("the document is too long");
    const headers = new Headers({ "Content-Type": "application/json" });
    const cacheControl = reply.headers["cache-control"];
    if (cacheControl !== undefined) headers.set("Cache-Control", String(cacheControl));
    const text = new TextDecoder().decode(reply.body);
    return new Response(reply.status === 200 ? completed(text) : text, { status: reply.status, headers });
  };
}

/** Completes a metadata document as a registration is completed. Anything else is returned as it is. */
function completed(text: string): string {
  const document = JSON.parse(text) as Record<string, unknown> | null;
  if (document?.client_id === undefined) return text;
  const { client_id, token_endpoint_auth_method = "none" } = document;
  const secrets = ["client_secret", "client_secret_expires_at"].filter((name) => name in document);
  return JSON.stringify({
    ...clientMetadata({ ...document, token_endpoint_auth_method }),
    // The library compares it with the address, and refuses secrets.
    client_id,
    ...Object.fromEntries(secrets.map((name) => [name, document[name]])),
  });
}
