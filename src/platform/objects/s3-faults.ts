import type { EgressResponse } from "../egress/response.ts";
import { StoreFault } from "./store.ts";

const AGAIN_STATUSES = new Set([408, 429, 500, 502, 503, 504]);
const AGAIN_CODES = new Set([
  ...["SlowDown", "InternalError", "ServiceUnavailable", "RequestTimeout", "ThrottlingException"],
  ...["OperationAborted", "ConditionalRequestConflict", "TooManyRequests", "BadDigest", "XAmzContentSHA256Mismatch"],
]);
const CONFLICT_CODES = new Set(["PreconditionFailed"]);

/** Returns the text of an XML element; null if it is missing. */
export function textOf(xml: string, element: string): string | null {
  const text = new RegExp(`<${element}(?:\\s[^>]*)?>([^<]*)</${element}>`).exec(xml)?.[1];
  return text === undefined ? null : unescaped(text);
}

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function unescaped(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[name] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** Returns whether a response asks for another attempt. A 200 can carry an error, too (CompleteMultipartUpload). */
export function asksAgain({ status, body }: EgressResponse): boolean {
  if (AGAIN_STATUSES.has(status)) return true;
  const code = textOf(Buffer.from(body.subarray(0, 4_096)).toString(), "Code");
  return code !== null && AGAIN_CODES.has(code);
}

export interface Asked {
  place: string;
  bucket: string;
  region: string;
  nowMs: number;
}

/** Converts an error response of a store to a fault. Source: "Error responses" of the Amazon S3 API reference. */
export function explainResponse(response: EgressResponse, { place, bucket, region, nowMs }: Asked): StoreFault {
  const { status, headers } = response;
  const xml = Buffer.from(response.body).toString();
  const code = textOf(xml, "Code") ?? "";
  const refused = (message: string) => new StoreFault("refused", message);
  const elsewhere = headers["x-amz-bucket-region"] ?? textOf(xml, "Region");
  if (elsewhere && elsewhere !== region && (status === 301 || status === 307 || status === 400)) {
    return refused(`The bucket ${bucket} is in the region ${elsewhere}, not in ${region}. Set backup.s3.region to it.`);
  }
  if (status === 301 || status === 307) {
    return refused(`${place} is at another endpoint or in another region. Check backup.s3.endpoint and region.`);
  }
  if (status === 412 || CONFLICT_CODES.has(code)) return new StoreFault("conflict", `${place} was changed meanwhile.`);
  switch (code) {
    case "RequestTimeTooSkewed":
    case "RequestExpired":
      return refused(skewed(place, headers.date, nowMs));
    case "NoSuchBucket":
      return refused(`There is no bucket ${bucket}. Create it, or correct backup.to.`);
    case "InvalidAccessKeyId":
      return refused(`${place} does not know the access key. Check backup.s3.access_key_id.`);
    case "SignatureDoesNotMatch":
      return refused(`${place} refused the signature. Check backup.s3.secret_access_key and backup.s3.region.`);
    case "AuthorizationHeaderMalformed":
      return refused(`${place} refused the signature: ${textOf(xml, "Message") ?? "its form"}.`);
    case "EntityTooLarge":
    case "QuotaExceeded":
    case "XMinioStorageFull":
    case "StorageFull":
      return refused(`${place} has no space for this backup (${code}).`);
  }
  if (status === 403) {
    return refused(
      `${place} refused the request (${code || "403"}). The access key may need more rights: to read, write, list and delete objects there.`,
    );
  }
  if (status === 404) return new StoreFault("missing", `${place} does not have the object.`);
  if (asksAgain(response)) return new StoreFault("unavailable", `${place} answers ${code || status}.`);
  return refused(`${place} answers ${status}${code ? ` ${code}` : ""}.`);
}

function skewed(place: string, date: string | undefined, nowMs: number): string {
  const minutes = Math.round((nowMs - Date.parse(date ?? "")) / 60_000);
  const by = Number.isNaN(minutes)
    ? "differ by more than 15 minutes"
    : `differ: this machine's is ${Math.abs(minutes)} minutes ${minutes > 0 ? "ahead" : "behind"}`;
  return `The clocks of this machine and of ${place} ${by}. Correct the clock, for example with NTP.`;
}
