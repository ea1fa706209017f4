import type { EgressFault } from "../egress/faults.ts";
import type { EgressResponse } from "../egress/response.ts";
import { shownText } from "./answer-text.ts";
import type { PlaceSetting } from "./place-settings.ts";
import { StoreFault } from "./store.ts";

const AGAIN_STATUSES = new Set([408, 429, 500, 502, 503, 504]);
const AGAIN_CODES = new Set([
  ...["SlowDown", "InternalError", "ServiceUnavailable", "RequestTimeout", "ThrottlingException"],
  ...["OperationAborted", "ConditionalRequestConflict", "TooManyRequests", "BadDigest", "XAmzContentSHA256Mismatch"],
]);
const CONFLICT_CODES = new Set(["PreconditionFailed"]);

/** The descriptions of errors are shorter. */
const LONGEST_ERROR_BYTES = 64 * 1024;

/** Returns the text of an XML element; null if it is missing. Whatever the store answers, it reads it once. */
export function textOf(xml: string, element: string): string | null {
  const begin = `<${element}`;
  for (let at = xml.indexOf(begin); at >= 0; ) {
    const open = xml.indexOf(">", at);
    const end = open < 0 ? -1 : xml.indexOf("<", open);
    if (end < 0) return null;
    const isElement = /[\s>]/.test(xml[at + begin.length]!);
    if (isElement && xml.startsWith(`</${element}>`, end)) return unescaped(xml.slice(open + 1, end));
    at = xml.indexOf(begin, open);
  }
  return null;
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
  const xml = Buffer.from(response.body.subarray(0, LONGEST_ERROR_BYTES)).toString();
  const code = shownText(textOf(xml, "Code") ?? "");
  const refused = (message: string, setting: PlaceSetting | null = null) =>
    new StoreFault("refused", message, undefined, setting);
  const elsewhere = shownText(headers["x-amz-bucket-region"] ?? textOf(xml, "Region") ?? "");
  if (elsewhere && elsewhere !== region && (status === 301 || status === 307 || status === 400)) {
    return refused(
      `The bucket ${bucket} is in the region ${elsewhere}, not in ${region}. Correct the region (backup.s3.region).`,
      "backup.s3.region",
    );
  }
  if (status === 301 || status === 307) {
    return refused(
      `${place} is at another endpoint or in another region. Check the endpoint and the region (backup.s3.endpoint, backup.s3.region).`,
      "backup.s3.endpoint",
    );
  }
  if (status === 412 || CONFLICT_CODES.has(code)) return new StoreFault("conflict", `${place} was changed meanwhile.`);
  switch (code) {
    case "RequestTimeTooSkewed":
    case "RequestExpired":
      return refused(skewed(place, headers.date, nowMs));
    case "NoSuchBucket":
      return noBucket(bucket);
    case "InvalidAccessKeyId":
      return refused(
        `${place} does not know the access key. Check its ID (backup.s3.access_key_id).`,
        "backup.s3.access_key_id",
      );
    case "SignatureDoesNotMatch":
      return refused(
        `${place} refused the signature. Check the secret of the access key and the region (backup.s3.secret_access_key, backup.s3.region).`,
        "backup.s3.secret_access_key",
      );
    case "AuthorizationHeaderMalformed":
      // Stores answer this to a wrong region, which is part of the signature.
      return refused(
        `${place} refused the signature: ${shownText(textOf(xml, "Message") ?? "its form").replace(/\.$/, "")}. Check the region (backup.s3.region).`,
        "backup.s3.region",
      );
    case "EntityTooLarge":
    case "QuotaExceeded":
    case "XMinioStorageFull":
    case "StorageFull":
      return refused(`${place} has no space for this backup (${code}).`);
  }
  if (status === 403) {
    return refused(
      `${place} refused the request (${code || "403"}). The access key may need more rights: to read, write, list and delete objects there.`,
      "backup.s3.access_key_id",
    );
  }
  if (status === 404) return new StoreFault("missing", `${place} does not have the object.`);
  if (asksAgain(response)) return new StoreFault("unavailable", `${place} answers ${code || status}.`);
  if (code === "" && headers["content-type"]?.startsWith("text/html")) {
    return refused(
      `${place} answers ${status} with a web page, not as a store. Check the endpoint and its port (backup.s3.endpoint).`,
      "backup.s3.endpoint",
    );
  }
  return refused(`${place} answers ${status}${code ? ` ${code}` : ""}.`);
}

/** Returns the fault of a bucket that does not exist. */
export function noBucket(bucket: string): StoreFault {
  const message = `There is no bucket ${bucket}. Create it, or correct its name (backup.to).`;
  return new StoreFault("refused", message, undefined, "backup.to");
}

/** Converts a request without an answer to a fault. @param host host and port that were asked */
export function explainSilence(error: EgressFault, place: string, host: string): StoreFault {
  const { reason, message } = error;
  const kind = reason === "refused" || reason === "certificate" ? "refused" : "unavailable";
  const sentence = `${place} cannot be reached at ${host}: ${message}.`;
  const unknownAuthority = reason === "certificate" && message.includes("authority");
  const setting = unknownAuthority ? "backup.s3.ca_file" : reason === "aborted" ? null : "backup.s3.endpoint";
  return new StoreFault(kind, sentence, error, setting);
}

function skewed(place: string, date: string | undefined, nowMs: number): string {
  const minutes = Math.round((nowMs - Date.parse(date ?? "")) / 60_000);
  const by = Number.isNaN(minutes)
    ? "differ by more than 15 minutes"
    : `differ: this machine's is ${Math.abs(minutes)} minutes ${minutes > 0 ? "ahead" : "behind"}`;
  return `The clocks of this machine and of ${place} ${by}. Correct the clock, for example with NTP.`;
}
