import { AwsV4Signer } from "aws4fetch";
import type { Clock } from "../../kernel/clock.ts";
import { EgressClient } from "../egress/client.ts";
import { EgressFault } from "../egress/faults.ts";
import { hostOf } from "../egress/guard.ts";
import type { EgressResponse } from "../egress/response.ts";
import { retryAfterDelay } from "../egress/retry-after.ts";
import type { StoreAction, StoreCallRecorder } from "../ledger/store-calls.ts";
import { EndpointGuard } from "./endpoint-guard.ts";
import { ATTEMPTS, FIRST_PAUSE_MS, LONGEST_PAUSE_MS, pause, pauseAfter } from "./pause.ts";
import { asksAgain, explainResponse, explainSilence } from "./s3-faults.ts";
import { StoreFault } from "./store.ts";

export interface S3Options {
  bucket: string;
  /** "" or a path without slashes at its ends. */
  prefix: string;
  /** Address of the service, with `http://` only in the home network. */
  endpoint: string;
  region: string;
  access_key_id: string;
  secret_access_key: string;
  /** Whether the bucket is in the path, not in the host name. */
  path_style: boolean;
  /** PEM text of additional certificate authorities. */
  ca: string | null;
  clock: Clock;
  /** Records each request before it leaves; null when there is no database. */
  calls: StoreCallRecorder | null;
  /** First pause before another attempt, ms. */
  pauseMs?: number;
  /** Limits for callers that cannot wait long: how often a request is sent, and how long each answer may take, ms. */
  patience?: { attempts: number; timeoutMs: number };
  signal?: AbortSignal;
}

export interface S3Request {
  action: StoreAction;
  method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  /** Without the prefix; null for the bucket itself. */
  key: string | null;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Uint8Array;
  maxBodyBytes?: number;
  /** Statuses that are answers, besides 200 to 299. */
  accept?: readonly number[];
}

const SMALL_TIMEOUT_MS = 30_000;
/** 8 MiB within this time are 14 KB a second. */
const DATA_TIMEOUT_MS = 600_000;
const SMALL_BYTES = 64 * 1024;

/** Sends signed requests to one bucket, through the egress client, and repeats those that failed for a while. */
export class S3Client {
  readonly place: string;
  readonly #egress: EgressClient;
  readonly #base: URL;

  constructor(private readonly options: S3Options) {
    const { bucket, prefix, endpoint, path_style, clock, ca } = options;
    this.place = `s3://${bucket}${prefix === "" ? "" : `/${prefix}`}`;
    const base = new URL(endpoint);
    if (!path_style) base.hostname = `${bucket}.${base.hostname}`;
    base.pathname = `${base.pathname.replace(/\/$/, "")}/${path_style ? `${bucket}/` : ""}`;
    this.#base = base;
    this.#egress = new EgressClient({
      guard: new EndpointGuard([hostOf(base)], base.protocol === "http:"),
      clock,
      ca,
    });
  }

  /** @returns the response, whose body is complete @throws StoreFault */
  async send(request: S3Request): Promise<EgressResponse> {
    const { clock, signal, bucket, region, pauseMs = FIRST_PAUSE_MS, patience } = this.options;
    for (let attempt = 1; ; attempt++) {
      const again = attempt < (patience?.attempts ?? ATTEMPTS);
      let waitMs = pauseAfter(attempt, pauseMs);
      try {
        const response = await this.#attempt(request);
        const { status, headers } = response;
        const fine = (status >= 200 && status < 300) || request.accept?.includes(status);
        if (!asksAgain(response)) {
          if (fine) return response;
          throw explainResponse(response, { place: this.place, bucket, region, nowMs: clock.now() });
        }
        if (!again) throw explainResponse(response, { place: this.place, bucket, region, nowMs: clock.now() });
        const asked = retryAfterDelay(status, headers["retry-after"], clock.now());
        if (asked !== null) waitMs = Math.max(waitMs, Math.min(asked, LONGEST_PAUSE_MS));
      } catch (error) {
        if (!(error instanceof EgressFault)) throw error;
        const { reason } = error;
        const hopeless = reason === "refused" || reason === "certificate" || reason === "aborted";
        if (hopeless || !again) throw explainSilence(error, this.place, this.#base.host);
      }
      await pause(clock, waitMs, signal);
    }
  }

  close(): void {
    this.#egress.close();
  }

  async #attempt(request: S3Request): Promise<EgressResponse> {
    const { action, method, body, maxBodyBytes = SMALL_BYTES } = request;
    const { calls, signal, patience } = this.options;
    const url = this.#urlOf(request);
    const headers = await this.#signed(request, url);
    const bytes_out = body?.byteLength ?? 0;
    const end = calls?.begin({ action, host: url.host, bytes_out });
    try {
      const isData = bytes_out > SMALL_BYTES || maxBodyBytes > SMALL_BYTES;
      const response = await this.#egress.request({
        method,
        url: url.href,
        headers,
        ...(method === "PUT" || method === "POST" ? { body: body ?? new Uint8Array(0) } : {}),
        timeoutMs: patience?.timeoutMs ?? (isData ? DATA_TIMEOUT_MS : SMALL_TIMEOUT_MS),
        // Errors are described in the body.
        maxBodyBytes: Math.max(SMALL_BYTES, maxBodyBytes),
        repeatable: true,
        policy: { plainHttp: url.protocol === "http:" },
        ...(signal ? { signal } : {}),
      });
      if (response.truncated) this.#refuseTooLarge(response, request);
      end?.({ result: String(response.status), bytes_in: response.body.length });
      return response;
    } catch (error) {
      end?.({ result: error instanceof EgressFault ? error.reason : "fault", bytes_in: 0 });
      throw error;
    }
  }

  /** Repeating the request of an object that is larger than expected costs the same bytes again. */
  #refuseTooLarge({ headers, status }: EgressResponse, { key, maxBodyBytes = SMALL_BYTES }: S3Request): never {
    if (status === 200 && key !== null && Number(headers["content-length"]) > maxBodyBytes) {
      throw new StoreFault("refused", `${this.place}/${key} is too large.`);
    }
    throw new EgressFault("reset", "the answer broke off or is too long");
  }

  #urlOf({ key, query = {} }: S3Request): URL {
    const { prefix } = this.options;
    const url = new URL(this.#base);
    if (key === null) url.pathname = url.pathname.replace(/(?<=.)\/$/, "");
    else url.pathname += [...(prefix === "" ? [] : prefix.split("/")), key].join("/");
    url.search = Object.entries(query)
      .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
      .join("&");
    return url;
  }

  async #signed({ method, headers = {}, body }: S3Request, url: URL): Promise<Record<string, string>> {
    const { access_key_id, secret_access_key, region, clock } = this.options;
    const sha256 = new Bun.CryptoHasher("sha256").update(body ?? new Uint8Array(0)).digest("hex");
    const signed = await new AwsV4Signer({
      method,
      url: url.href,
      // The store compares the hash with the bytes that arrive.
      headers: { ...headers, "X-Amz-Content-Sha256": sha256 },
      accessKeyId: access_key_id,
      secretAccessKey: secret_access_key,
      service: "s3",
      region,
      datetime: new Date(clock.now()).toISOString().replace(/[:-]|\.\d{3}/g, ""),
    }).sign();
    return Object.fromEntries(signed.headers as unknown as Iterable<[string, string]>);
  }
}
