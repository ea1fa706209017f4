import { createHmac, timingSafeEqual } from "node:crypto";

/** Largest accepted difference between the time of the delivery and our clock. */
const TOLERANCE_S = 300;

/**
 * Returns true if a delivery is from your Postroom and is recent (docs/webhooks.md, "Signatures").
 * @param body the raw request body, before any JSON parsing
 * @param header the X-Service-Signature header: "t=<unix seconds>,v1=<hex>", with one v1 for each valid secret
 * @param secret the endpoint's secret, "whsec_" included
 */
export function isSigned(body: Uint8Array, header: string, secret: string, nowMs: number): boolean {
  const fields = header.split(",").map((field) => field.trim());
  const t = fields.find((field) => field.startsWith("t="))?.slice(2) ?? "";
  if (!/^\d+$/.test(t) || Math.abs(nowMs / 1000 - Number(t)) > TOLERANCE_S) return false;
  const expected = createHmac("sha256", secret).update(`${t}.`).update(body).digest();
  return fields
    .filter((field) => /^v1=[0-9a-f]{64}$/.test(field))
    .some((field) => timingSafeEqual(Buffer.from(field.slice(3), "hex"), expected));
}
