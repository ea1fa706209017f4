import { createHash } from "node:crypto";
import type { Clock } from "../../kernel/clock.ts";
import { UserError } from "../../kernel/errors.ts";
import { directly } from "../egress/directly.ts";
import { explainFault } from "../egress/faults.ts";
import type { UpdateCalls } from "../ledger/update-calls.ts";

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Longest wait for a response, and between two pieces of its body. */
const SILENCE_MS = 60_000;
/** Larger than any executable. */
const MAX_FILE_BYTES = 400_000_000;
const MAX_TEXT_BYTES = 1_000_000;

/** The folder of a release. */
export interface ReleaseFolder {
  /** Its address, with or without a slash at the end. */
  url: string;
  calls: Pick<UpdateCalls, "begin">;
  clock: Clock;
}

/** Downloads a small file. @throws UserError */
export async function downloadText(folder: ReleaseFolder, name: string, signal?: AbortSignal): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  await download(folder, name, { maxBytes: MAX_TEXT_BYTES, write: (chunk) => void chunks.push(chunk), signal });
  return Buffer.concat(chunks);
}

/** Downloads a file in pieces. @returns its SHA-256 in hex @throws UserError */
export async function downloadFile(
  folder: ReleaseFolder,
  name: string,
  options: { write: (chunk: Uint8Array) => void; progress: (done: number, total: number) => void; signal: AbortSignal },
): Promise<string> {
  const hash = createHash("sha256");
  let done = 0;
  await download(folder, name, {
    maxBytes: MAX_FILE_BYTES,
    signal: options.signal,
    write(chunk, total) {
      hash.update(chunk);
      options.write(chunk);
      done += chunk.length;
      options.progress(done, total);
    },
  });
  return hash.digest("hex");
}

interface Receiver {
  maxBytes: number;
  /** @param total size that the server declares; 0: unknown */
  write(chunk: Uint8Array, total: number): void;
  signal?: AbortSignal | undefined;
}

/** Requests a file and follows redirects. Each request is recorded before it leaves. */
async function download(folder: ReleaseFolder, name: string, receiver: Receiver): Promise<void> {
  let url = new URL(`${folder.url.replace(/\/+$/, "")}/${name}`);
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const next = await requestOnce(folder, name, url, receiver);
    if (next === null) return;
    if (url.protocol === "https:" && next.protocol !== "https:") {
      throw new UserError(`${url.host} redirects to an address without TLS (${next.host}). Nothing was changed.`);
    }
    url = next;
  }
  throw new UserError(`${folder.url} redirects more than ${MAX_REDIRECTS} times.`);
}

/** @returns the address of a redirect; null when the file was received */
async function requestOnce(
  { calls, clock }: ReleaseFolder,
  name: string,
  url: URL,
  { maxBytes, write, signal }: Receiver,
): Promise<URL | null> {
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  const end = calls.begin({ file: name, host: `${url.hostname}:${port}` });
  const silence = new AbortController();
  let stopTimer = clock.after(SILENCE_MS, () => silence.abort());
  const heard = () => {
    stopTimer();
    stopTimer = clock.after(SILENCE_MS, () => silence.abort());
  };
  let received = 0;
  let result = "failed";
  let own: unknown = null;
  try {
    const response = await fetch(url, {
      redirect: "manual",
      headers: { "User-Agent": "postroom", "Accept-Encoding": "identity" },
      signal: signal ? AbortSignal.any([signal, silence.signal]) : silence.signal,
      ...directly(url),
    });
    result = String(response.status);
    const location = response.headers.get("location");
    if (REDIRECTS.has(response.status) && location) return new URL(location, url);
    if (response.status === 404) throw new UserError(`There is no release at ${url.host}: ${name} was not found.`);
    if (!response.ok || !response.body) {
      throw new UserError(`${url.host} returned status ${response.status} for ${name}. Try again later.`);
    }
    const total = Number(response.headers.get("content-length") ?? 0);
    for await (const chunk of response.body) {
      heard();
      received += chunk.length;
      if (received > maxBytes) throw new UserError(`${name} at ${url.host} is larger than a release can be.`);
      try {
        write(chunk, total);
      } catch (error) {
        // Such as a full disk.
        own = error;
        throw error;
      }
    }
    if (total > 0 && received !== total) {
      throw new UserError(`The download of ${name} broke off after ${received} of ${total} bytes. Try again.`);
    }
    return null;
  } catch (error) {
    if (signal?.aborted || error === own || error instanceof UserError) throw error;
    const fault = explainFault(error);
    result = silence.signal.aborted ? "timeout" : fault.reason;
    const why = silence.signal.aborted ? "there was no response for a minute" : fault.message;
    throw new UserError(`${name} could not be downloaded from ${url.host}: ${why}. Nothing was changed.`);
  } finally {
    stopTimer();
    end({ result, bytes_in: received });
  }
}
