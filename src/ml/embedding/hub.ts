import { UserError } from "../../kernel/errors.ts";
import { directly } from "../../platform/egress/directly.ts";

const MAX_REDIRECTS = 5;
const COMMIT = /^[0-9a-f]{40}$/;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Records a request before its first byte leaves. @returns a function that records its end */
export type NoteRequest = (host: string) => (end: { result: string; bytes_in: number }) => void;

/** A file as the hub describes it (`GET /api/models/ID/revision/REV?blobs=true`). */
export interface HubFile {
  rfilename: string;
  size?: number;
  /** For a small file: its git object id, SHA-1 of `blob SIZE\0` and the content. */
  blobId?: string;
  lfs?: { sha256: string; size: number };
}

/** A response of the hub. `end` records how it ended. */
export interface HubReply {
  response: Response;
  end: (end: { result: string; bytes_in: number }) => void;
}

/** Returns the commit of a revision, and its files. @throws UserError */
export async function describeModel(
  base: string,
  model: string,
  revision: string,
  note: NoteRequest,
): Promise<{ sha: string; siblings: HubFile[] }> {
  const url = `${base}/api/models/${model}/revision/${revision}?blobs=true`;
  const { response, end } = await requestTo(url, note);
  const text = await response.text().catch(() => "");
  end({ result: response.ok ? "ok" : "refused", bytes_in: Buffer.byteLength(text) });
  if (response.status === 401 || response.status === 404) {
    throw new UserError(`The hub has no public model ${model} at ${revision}.`);
  }
  if (!response.ok) throw new UserError(`The hub returned status ${response.status} for ${url}.`);
  const { sha, siblings } = parse(text);
  if (typeof sha !== "string" || !COMMIT.test(sha) || !Array.isArray(siblings)) {
    throw new UserError(`The response from ${url} does not describe a model.`);
  }
  if (COMMIT.test(revision) && sha !== revision)
    throw new UserError(`The hub returned another commit than ${revision}.`);
  return { sha, siblings: siblings as HubFile[] };
}

function parse(text: string): { sha?: unknown; siblings?: unknown } {
  try {
    return (JSON.parse(text) ?? {}) as { sha?: unknown; siblings?: unknown };
  } catch {
    return {};
  }
}

/**
 * Sends a request whose redirects must stay encrypted. Uses a proxy from the environment (HTTPS_PROXY). @throws
 * UserError
 */
export async function requestTo(url: string, note: NoteRequest, headers: HeadersInit = {}): Promise<HubReply> {
  let at = new URL(url);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    if (at.protocol !== "https:" && !(at.protocol === "http:" && LOOPBACK.test(at.hostname))) {
      throw new UserError(`${at.origin} does not use HTTPS.`);
    }
    const end = note(at.host);
    const response = await fetch(at, { redirect: "manual", headers, ...directly(at) }).catch((error: Error) => {
      end({ result: "unreachable", bytes_in: 0 });
      throw new UserError(`${at.host} could not be reached: ${error.message}`);
    });
    const location = response.headers.get("location");
    if (response.status < 300 || response.status >= 400 || location === null) return { response, end };
    end({ result: "ok", bytes_in: 0 });
    at = new URL(location, at);
  }
  throw new UserError(`${url} redirects too many times.`);
}
