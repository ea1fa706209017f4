import type { IncomingMessage, ServerResponse } from "node:http";
import type { STORED_KINDS } from "./adapter.ts";

/* The part of oidc-provider 9 that we use. The package has no types of its own. */

/** The context of a request inside the library. */
export interface LibraryContext {
  type: string;
  body: unknown;
  status: number;
  req: { socket: { remoteAddress: string } };
  oidc: {
    result?: { consent?: { grantId?: string } };
    client: LibraryClient;
    params: { redirect_uri: string };
    provider: { Grant: { find(id: string): Promise<unknown> } };
  };
}

export interface LibraryClient {
  clientId: string;
  clientName?: string;
  clientUri?: string;
  redirectUris: string[];
  /** True for a client whose id is the address of its metadata document. */
  clientIdMetadataDocument?: boolean;
}

export interface LibraryProvider extends Record<(typeof STORED_KINDS)[number], object> {
  callback(): (request: IncomingMessage, response: ServerResponse) => unknown;
  on(event: string, listener: (...given: never[]) => void): unknown;
}

export interface Library {
  default: new (issuer: string, configuration: object) => LibraryProvider;
  errors: Record<"InvalidGrant" | "InvalidTarget", new (message?: string) => Error>;
  interactionPolicy: {
    Prompt: new (info: { name: string; requestable: boolean }, ...checks: unknown[]) => unknown;
    Check: new (reason: string, description: string, check: (context: LibraryContext) => boolean) => unknown;
  };
}

let isQuiet = false;

/** Loads the library. Its notices for developers, for example about the runtime, are not printed. */
export async function loadLibrary(): Promise<Library> {
  if (!isQuiet) {
    isQuiet = true;
    for (const method of ["warn", "info"] as const) {
      const print = console[method].bind(console);
      console[method] = (...given: unknown[]) => {
        if (!/oidc-provider (WARNING|NOTICE)/.test(String(given[0]))) print(...given);
      };
    }
  }
  return import("oidc-provider");
}
