import type { ConsentRequest } from "../../api/assistants.ts";

type Client = Pick<ConsentRequest, "client_id" | "name" | "redirect_host" | "verified">;

export interface Identity {
  /** Host that publishes the description of the program; null if it only registered. */
  publisher: string | null;
  /** Where the browser returns. */
  where: string;
  /** What is known about the name. Anyone can publish or register any name. */
  said: string;
  trusted: boolean;
}

/** Returns what a person can rely on about a program that asks for access. */
export function identityOf({ client_id, name, redirect_host: host, verified }: Client): Identity {
  const publisher = verified ? new URL(client_id).host : null;
  const isLocal = host === "localhost";
  const program = host.endsWith(":") ? `the program that opens ${host} links` : host;
  const published = publisher ? `, in a description at ${publisher}` : "";
  return {
    publisher,
    where: isLocal ? "a program on this computer" : program,
    said: `“${name}” is the name that the program gives itself${published}. Continue only if you started this.`,
    trusted: publisher !== null || isLocal,
  };
}
