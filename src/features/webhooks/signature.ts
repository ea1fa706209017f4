import { createHmac, randomBytes } from "node:crypto";

const PREFIX = "whsec_";
/** Standard Webhooks 1.0 requires 24 to 64 bytes. */
const SECRET_BYTES = 32;

/** Returns a new endpoint secret: `whsec_` and 32 random bytes in base64 (Standard Webhooks 1.0). */
export function newSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString("base64");
}

/**
 * Returns the headers that prove the origin of a delivery, with one signature for each valid secret: Postroom's
 * `X-Service-Signature` (docs/webhooks.md, "Signatures"), keyed by the UTF-8 bytes of the whole secret, and those of
 * Standard Webhooks 1.0, keyed by the bytes that its base64 part encodes.
 * @param message `id` of the event, `body` exactly as it is sent
 */
export function signatureHeaders(
  message: { id: string; body: Uint8Array },
  atMs: number,
  secrets: readonly string[],
): Record<string, string> {
  const t = Math.floor(atMs / 1000);
  const { id, body } = message;
  const own = secrets.map((secret) => {
    return `v1=${createHmac("sha256", secret).update(`${t}.`).update(body).digest("hex")}`;
  });
  const standard = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${t}.`).update(body).digest("base64")}`;
  });
  return {
    "X-Service-Signature": [`t=${t}`, ...own].join(","),
    "webhook-id": id,
    "webhook-timestamp": String(t),
    "webhook-signature": standard.join(" "),
  };
}
