import { createHmac, randomBytes } from "node:crypto";

const PREFIX = "whsec_";
/** Standard Webhooks 1.0 asks for 24 to 64. */
const SECRET_BYTES = 32;

/** A new endpoint secret: `whsec_` and 32 random bytes in base64 (Standard Webhooks 1.0). */
export function newSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString("base64");
}

/**
 * The headers that prove where a delivery comes from, one signature for each secret that is valid now: the contract's
 * `X-Service-Signature` (docs/webhooks.md, "Signatures"), keyed by the UTF-8 bytes of the whole secret, and those of Standard Webhooks
 * 1.0, keyed by the bytes that its base64 part stands for.
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
