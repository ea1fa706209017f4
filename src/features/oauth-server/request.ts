import type { ConnectedClient } from "../../platform/identity/tables.ts";
import type { Platform } from "../../platform/platform.ts";
import { redirectHost } from "./client-metadata.ts";
import type { LibraryClient } from "./library.ts";

/** Kind of authorization requests in `platform.assistantTokens`: the name that the library gives to them. */
export const REQUEST = "Interaction";

/** An authorization request that waits for a person, as the library stores it. */
export interface PendingRequest {
  returnTo: string;
  params: { client_id: string; redirect_uri: string; scope: string };
  result?: object;
  /** Added by `describeClient`. */
  described: ConnectedClient;
}

/** Adds to a request what its client says about itself, so that consent does not depend on the client any more. */
export function describeClient(
  { assistantTokens }: Platform,
  uid: string,
  client: LibraryClient,
  redirect_uri: string,
): void {
  const row = assistantTokens.find<PendingRequest>(REQUEST, uid);
  if (!row) return;
  const { clientId: id, clientName = "Unnamed client", clientUri = null } = client;
  const verified = client.clientIdMetadataDocument === true;
  const described = { id, name: clientName, uri: clientUri, redirect_host: redirectHost(redirect_uri), verified };
  assistantTokens.put(REQUEST, uid, { ...row, payload: { ...row.payload, described } });
}
