import { EgressFault } from "./faults.ts";

/** A response with the kept part of its body. Header names are in lower case; repeated ones are joined by ", ". */
export interface EgressResponse {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array;
  /** The body was longer than the kept part. */
  truncated: boolean;
}

const MAX_HEADER_BYTES = 16 * 1024;
const MAX_INTERIM = 8;
const LONGEST_CHUNK_LINE_BYTES = 1_024;
/** Number of bytes that are read beyond the kept part, so that the connection can be reused. */
const DRAIN_BYTES = 64 * 1024;

type Framing =
  | { kind: "length"; left: number }
  | { kind: "until_close" }
  | { kind: "chunk_size" | "chunk_end" | "trailers" }
  | { kind: "chunk"; left: number };

/**
 * Reads one HTTP/1.1 response (RFC 9112) from bytes as they arrive. All sizes are bounded, because a receiver may send
 * anything, in pieces of any size.
 */
export class ResponseReader {
  #buffer: Buffer = Buffer.alloc(0);
  #interim = 0;
  #framing: Framing | null = null;
  #trailerBytes = 0;
  #read = 0;
  #kept: Uint8Array[] = [];
  #keptBytes = 0;
  #truncated = false;
  #head: { status: number; headers: Record<string, string> } | null = null;
  #done = false;
  #reusable = true;

  /** @param maxBodyBytes how much of the body to keep */
  constructor(
    private readonly maxBodyBytes: number,
    private readonly method: string,
  ) {}

  /** True when the whole response was read, or as much of it as is needed. */
  get done(): boolean {
    return this.#done;
  }

  /** True when the status and the headers have been read. */
  get hasHead(): boolean {
    return this.#head !== null;
  }

  /** True when another request may follow on the same connection. */
  get reusable(): boolean {
    return this.#done && this.#reusable && this.#buffer.length === 0;
  }

  /** The response; requires `hasHead`. */
  get response(): EgressResponse {
    return { ...this.#head!, body: Buffer.concat(this.#kept), truncated: this.#truncated };
  }

  /** Processes bytes. @throws EgressFault protocol */
  push(chunk: Uint8Array): void {
    if (this.#done) {
      this.#reusable = false;
      return;
    }
    this.#buffer = this.#buffer.length === 0 ? Buffer.from(chunk) : Buffer.concat([this.#buffer, chunk]);
    while (!this.#done && this.#step()) {
      // Each step consumes bytes of the buffer.
    }
  }

  /** Handles the end of the connection. @throws EgressFault reset in the middle of a response */
  end(): void {
    if (this.#done) return;
    if (this.#framing?.kind !== "until_close") throw new EgressFault("reset", "the receiver closed the connection");
    this.#done = true;
  }

  /** Parses the next element. @returns false when more bytes are needed */
  #step(): boolean {
    if (this.#framing === null) return this.#readHead();
    switch (this.#framing.kind) {
      case "length":
      case "until_close":
      case "chunk":
        return this.#readBody(this.#framing);
      case "chunk_size":
        return this.#readChunkSize();
      case "chunk_end":
        return this.#readLine(2, (line) => {
          if (line !== "") throw malformed("a chunk is longer than declared");
          this.#framing = { kind: "chunk_size" };
        });
      case "trailers":
        return this.#readLine(MAX_HEADER_BYTES, (line) => {
          this.#trailerBytes += line.length + 2;
          if (this.#trailerBytes > MAX_HEADER_BYTES) throw malformed("its trailers are too long");
          if (line === "") this.#done = true;
        });
    }
  }

  #readHead(): boolean {
    const end = this.#buffer.indexOf("\r\n\r\n");
    if ((end < 0 ? this.#buffer.length : end) > MAX_HEADER_BYTES) throw malformed("its headers are too long");
    if (end < 0) {
      // Report a response that is not HTTP at once, not at the timeout.
      const start = this.#buffer.subarray(0, 5).toString("latin1");
      if (!"HTTP/".startsWith(start)) throw malformed("it does not start with HTTP/");
      return false;
    }
    const [statusLine = "", ...lines] = this.#buffer.subarray(0, end).toString("latin1").split("\r\n");
    this.#buffer = this.#buffer.subarray(end + 4);
    const status = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: .*)?$/.exec(statusLine);
    if (!status) throw malformed("its status line is invalid");
    const code = Number(status[2]);
    if (code < 200) {
      if (code === 101 || ++this.#interim > MAX_INTERIM) throw malformed(`it answers ${code}`);
      return true;
    }
    const headers = parseHeaders(lines);
    this.#head = { status: code, headers };
    const connection = (headers.connection ?? "").toLowerCase();
    if (status[1] === "0" || /(^|,)\s*close\s*(,|$)/.test(connection)) this.#reusable = false;
    this.#frame(code, headers);
    return true;
  }

  /** Determines how the body ends (RFC 9112, section 6.3). */
  #frame(status: number, headers: Record<string, string>): void {
    const { "transfer-encoding": coding, "content-length": length } = headers;
    if (this.method === "HEAD" || status === 204 || status === 304) {
      this.#done = true;
      this.#framing = { kind: "length", left: 0 };
    } else if (coding !== undefined) {
      // Both headers together are used for response smuggling: use the one that takes precedence, and do not reuse the
      // connection.
      if (length !== undefined) this.#reusable = false;
      if (coding.trim().toLowerCase() !== "chunked")
        throw malformed(`it uses the transfer coding ${coding.slice(0, 40)}`);
      this.#framing = { kind: "chunk_size" };
    } else if (length !== undefined) {
      const values = new Set(length.split(",").map((value) => value.trim()));
      const [value = ""] = values;
      if (values.size !== 1 || !/^\d{1,15}$/.test(value)) throw malformed("its length is invalid");
      this.#framing = { kind: "length", left: Number(value) };
      if (Number(value) === 0) this.#done = true;
    } else {
      this.#reusable = false;
      this.#framing = { kind: "until_close" };
    }
  }

  #readBody(framing: Framing & { kind: "length" | "until_close" | "chunk" }): boolean {
    if (this.#buffer.length === 0) return false;
    const take = framing.kind === "until_close" ? this.#buffer.length : Math.min(framing.left, this.#buffer.length);
    this.#keep(this.#buffer.subarray(0, take));
    this.#buffer = this.#buffer.subarray(take);
    if (this.#done || framing.kind === "until_close") return true;
    framing.left -= take;
    if (framing.left > 0) return false;
    if (framing.kind === "length") this.#done = true;
    else this.#framing = { kind: "chunk_end" };
    return true;
  }

  #keep(bytes: Uint8Array): void {
    const remaining = this.maxBodyBytes - this.#keptBytes;
    if (remaining > 0) {
      // A copy, because the underlying buffer may be large.
      const part = Uint8Array.from(bytes.subarray(0, remaining));
      this.#kept.push(part);
      this.#keptBytes += part.length;
    }
    if (bytes.length > remaining) this.#truncated = true;
    this.#read += bytes.length;
    if (this.#read > this.maxBodyBytes + DRAIN_BYTES) {
      this.#done = true;
      this.#reusable = false;
    }
  }

  #readChunkSize(): boolean {
    return this.#readLine(LONGEST_CHUNK_LINE_BYTES, (line) => {
      const size = /^([0-9a-f]{1,8})[ \t]*(;.*)?$/i.exec(line)?.[1];
      if (size === undefined) throw malformed("a chunk has no valid size");
      const left = Number.parseInt(size, 16);
      this.#framing = left === 0 ? { kind: "trailers" } : { kind: "chunk", left };
    });
  }

  #readLine(maxBytes: number, take: (line: string) => void): boolean {
    const end = this.#buffer.indexOf("\r\n");
    if ((end < 0 ? this.#buffer.length - 1 : end) > maxBytes) throw malformed("one of its lines is too long");
    if (end < 0) return false;
    const line = this.#buffer.subarray(0, end).toString("latin1");
    this.#buffer = this.#buffer.subarray(end + 2);
    take(line);
    return true;
  }
}

function parseHeaders(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = Object.create(null);
  for (const line of lines) {
    const match = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*$/.exec(line);
    if (!match || /[\0\r\n]/.test(match[2]!)) throw malformed("one of its headers is invalid");
    const name = match[1]!.toLowerCase();
    headers[name] = headers[name] === undefined ? match[2]! : `${headers[name]}, ${match[2]}`;
  }
  return { ...headers };
}

function malformed(why: string): EgressFault {
  return new EgressFault("protocol", `the response is not valid HTTP/1.1: ${why}`);
}
