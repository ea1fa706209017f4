import type { Method } from "./route.ts";

/** What a page outside the API's route table gets to know. */
export interface PageRequest {
  request: Request;
  params: Record<string, string>;
  /** The client's address behind trusted proxies. */
  address: string;
  /** False when a proxy that we were not told of stands between the client and us: then `address` proves nothing. */
  direct: boolean;
  request_id: string;
}

/** A path without an API key: health, metrics, the description, the settings page. It guards itself. */
export interface Page {
  method: Method;
  /** The whole path, with `:name` for parameters. */
  path: string;
  handle(page: PageRequest): Response | Promise<Response>;
}
