/** Largest age of a webhook, and largest difference ahead of our clock. */
const TOLERANCE_S = 300;

/**
 * Returns true when a delivery is from your Postroom and recent. Works wherever there is Web Crypto: Node, Bun, Deno,
 * workers.
 * @param body the raw request body, before any JSON parsing
 * @param header the X-Service-Signature header: "t=<unix seconds>,v1=<hex>", with one v1 for each valid secret
 * @param secret the endpoint's secret, "whsec_" included
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  header: string | null,
  secret: string,
  now_ms: number = Date.now(),
): Promise<boolean> {
  const fields = (header ?? "").split(",").map((field) => field.trim());
  const t = fields.find((field) => field.startsWith("t="))?.slice(2) ?? "";
  if (!/^\d+$/.test(t) || Math.abs(now_ms / 1000 - Number(t)) > TOLERANCE_S) return false;
  const encoder = new TextEncoder();
  const bytes = typeof body === "string" ? encoder.encode(body) : body;
  const head = encoder.encode(`${t}.`);
  const signed = new Uint8Array(head.length + bytes.length);
  signed.set(head);
  signed.set(bytes, head.length);
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["verify"]);
  for (const field of fields) {
    const hex = /^v1=([0-9a-f]{64})$/.exec(field)?.[1];
    if (!hex) continue;
    const signature = Uint8Array.from(hex.match(/../g)!, (pair) => Number.parseInt(pair, 16));
    // `verify` compares in constant time.
    if (await crypto.subtle.verify("HMAC", key, signature, signed)) return true;
  }
  return false;
}
