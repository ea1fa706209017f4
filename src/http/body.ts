import { ApiError, invalidParam } from "../kernel/errors.ts";

/** JSON bodies: 1 MiB. Attachments: 25 MiB. */
const JSON_BODY_BYTES = 1024 * 1024;
const UPLOAD_BYTES = 25 * 1024 * 1024;
/** Space in a multipart body for boundaries, part headers and small fields besides the file. */
const MULTIPART_FRAME_BYTES = 64 * 1024;

/**
 * Far more than any body of the API needs. A deeper body would block the thread that serves all requests for seconds,
 * until the code that walks it overflows the stack.
 */
const DEEPEST_NESTING = 64;
const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];

/** A parsed body: its value, and a fingerprint that is equal for equal bodies, for idempotency. */
export interface ReadBody {
  value: unknown;
  form: FormData;
  /** Independent of key order, white space and multipart boundary. */
  fingerprint: string;
}

const NO_FORM = new FormData();
export const NO_BODY: ReadBody = { value: undefined, form: NO_FORM, fingerprint: "" };

/** Reads a JSON body; an empty body counts as `{}`. @throws ApiError payload_too_large, invalid_params */
export async function readJson(request: Request): Promise<ReadBody> {
  const type = mediaType(request);
  if (type !== "" && type !== "application/json" && !type.endsWith("+json")) {
    throw invalidParam("Content-Type", "The body must be JSON. Send Content-Type: application/json.");
  }
  const bytes = await readBytes(request, JSON_BODY_BYTES);
  if (bytes.length === 0) return { value: {}, form: NO_FORM, fingerprint: "{}" };
  if (nestsTooDeep(bytes)) throw invalidParam("body", `The body is nested more than ${DEEPEST_NESTING} levels deep.`);
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return { value, form: NO_FORM, fingerprint: canonicalJson(value) };
  } catch (cause) {
    throw new ApiError("invalid_params", "The body is not valid JSON.", { param: "body", cause });
  }
}

/**
 * Reads the JSON body of a request to a route that takes none, only for its field names. Malformed and oversized bodies
 * are ignored.
 */
export async function readIgnored(request: Request): Promise<ReadBody> {
  if (!request.body || mediaType(request) !== "application/json") return NO_BODY;
  try {
    const { value } = await readJson(request);
    return { ...NO_BODY, value };
  } catch {
    return NO_BODY;
  }
}

/** Reads a multipart body with at most 25 MiB of content. @throws ApiError payload_too_large, invalid_params */
export async function readMultipart(request: Request): Promise<ReadBody> {
  const content_type = request.headers.get("content-type") ?? "";
  if (mediaType(request) !== "multipart/form-data") {
    throw invalidParam("Content-Type", "The body must be multipart/form-data.");
  }
  const bytes = await readBytes(request, UPLOAD_BYTES + MULTIPART_FRAME_BYTES);
  let form: FormData;
  try {
    form = await new Response(bytes, { headers: { "content-type": content_type } }).formData();
  } catch (cause) {
    throw new ApiError("invalid_params", "The body is not valid multipart/form-data.", { param: "body", cause });
  }
  return { value: undefined, form, fingerprint: await formFingerprint(form) };
}

function mediaType(request: Request): string {
  return (request.headers.get("content-type") ?? "").split(";")[0]!.trim().toLowerCase();
}

/**
 * Reads the bytes of a body. Refuses an oversized body by its Content-Length, or while reading if that header is absent
 * or wrong. @throws ApiError payload_too_large, invalid_params
 */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const too_large = () => new ApiError("payload_too_large", `The body is larger than the limit of ${limit} bytes.`);
  const declared = Number(request.headers.get("content-length") ?? 0);
  if (declared > limit) throw too_large();
  if (!request.body) return new Uint8Array(0);
  if (declared > 0) {
    // Bun never passes more than the declared length, so one read is safe and fastest.
    const bytes = await readAll(request);
    if (bytes.length > limit) throw too_large();
    return bytes;
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = request.body.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch(cutOff);
    if (done) break;
    length += value.length;
    if (length > limit) {
      await reader.cancel();
      throw too_large();
    }
    chunks.push(value);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

async function readAll(request: Request): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await request.arrayBuffer().catch(cutOff));
}

/**
 * Throws a client error: the client closed the connection midway. The reply reaches no one, but the server is not at
 * fault.
 */
function cutOff(cause: unknown): never {
  throw new ApiError("invalid_params", "The connection closed before the end of the body.", { param: "body", cause });
}

/** Counts brackets outside strings, without a parser. For a body that is not JSON the result has no meaning. */
function nestsTooDeep(json: Uint8Array): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < json.length; i++) {
    const byte = json[i];
    if (inString) {
      if (byte === BACKSLASH) i++;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) {
      if (++depth > DEEPEST_NESTING) return true;
    } else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) depth--;
  }
  return false;
}

function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, node: unknown) => {
    if (typeof node !== "object" || node === null || Array.isArray(node)) return node;
    return Object.fromEntries(Object.entries(node).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

async function formFingerprint(form: FormData): Promise<string> {
  const parts: string[][] = [];
  for (const [name, part] of form as Iterable<[string, File | string]>) {
    if (part instanceof File) {
      const hash = new Bun.CryptoHasher("sha256").update(await part.arrayBuffer()).digest("hex");
      parts.push([name, part.name, part.type, hash]);
    } else {
      parts.push([name, part]);
    }
  }
  return JSON.stringify(parts);
}
