import { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";

/** A request as the library's handler must see it. */
export interface NodeRequest {
  method: string;
  /** The public URL, whatever a proxy made of it. */
  url: URL;
  /** Part of the URL's path that belongs to no route: "" or "/mail". */
  base_path: string;
  headers: Headers;
  body: Uint8Array | null;
  address: string;
}

export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => unknown;

/**
 * Calls a handler for node:http without a socket and returns its response. Covers what Koa uses of the two objects: the
 * head of the request and its body as a stream, and the head of the response and its body as one piece.
 */
export function callNodeHandler(handler: NodeHandler, given: NodeRequest): Promise<Response> {
  return new Promise((resolve, reject) => {
    const response = new CollectedResponse(resolve);
    try {
      const done = handler(incoming(given), response as unknown as ServerResponse);
      if (done instanceof Promise) done.catch(reject);
    } catch (error) {
      reject(error);
    }
  });
}

function incoming({ method, url, base_path, headers, body, address }: NodeRequest): IncomingMessage {
  const originalUrl = url.pathname + url.search;
  const head = Object.fromEntries(headers);
  delete head["transfer-encoding"];
  head.host = url.host;
  if (body) head["content-length"] = String(body.length);
  const stream = Readable.from(body ? [Buffer.from(body)] : [], { objectMode: false });
  return Object.assign(stream, {
    method,
    url: originalUrl.slice(base_path.length),
    originalUrl,
    headers: head,
    httpVersion: "1.1",
    socket: { remoteAddress: address, encrypted: url.protocol === "https:", writable: true },
  }) as unknown as IncomingMessage;
}

/** Collects what a handler writes. */
class CollectedResponse extends EventEmitter {
  statusCode = 200;
  statusMessage = "";
  headersSent = false;
  finished = false;
  writable = true;
  readonly #headers = new Map<string, string | string[]>();
  readonly #chunks: Buffer[] = [];

  constructor(private readonly finish: (response: Response) => void) {
    super();
  }

  get writableEnded(): boolean {
    return this.finished;
  }

  setHeader(name: string, value: number | string | readonly string[]): this {
    this.#headers.set(name.toLowerCase(), Array.isArray(value) ? [...value] : String(value));
    return this;
  }

  getHeader(name: string): string | string[] | undefined {
    return this.#headers.get(name.toLowerCase());
  }

  getHeaders(): Record<string, string | string[]> {
    return Object.fromEntries(this.#headers);
  }

  getHeaderNames(): string[] {
    return [...this.#headers.keys()];
  }

  hasHeader(name: string): boolean {
    return this.#headers.has(name.toLowerCase());
  }

  removeHeader(name: string): void {
    this.#headers.delete(name.toLowerCase());
  }

  write(chunk: string | Uint8Array): boolean {
    this.#chunks.push(Buffer.from(chunk as string));
    return true;
  }

  end(chunk?: string | Uint8Array): this {
    if (this.finished) return this;
    if (chunk !== undefined && chunk !== null) this.write(chunk);
    this.headersSent = true;
    this.finished = true;
    this.writable = false;
    const headers = new Headers();
    for (const [name, value] of this.#headers) {
      for (const each of Array.isArray(value) ? value : [value]) headers.append(name, each);
    }
    const body = Buffer.concat(this.#chunks);
    this.finish(new Response(body.length > 0 ? body : null, { status: this.statusCode, headers }));
    this.emit("finish");
    return this;
  }
}
