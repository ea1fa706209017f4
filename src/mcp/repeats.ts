import { ApiError, invalidParam } from "../kernel/errors.ts";
import type { KeyUse } from "../platform/ledger/idempotency.ts";
import type { Platform } from "../platform/platform.ts";

/** Field of `_meta` of a call that names its idempotency key. Schemas of tools stay without it. */
export const IDEMPOTENCY_META_KEY = "io.postroom/idempotency-key";

const LONGEST_KEY_CHARS = 255;

/** Returns the idempotency key of a call; null: none. @throws ApiError invalid_params */
export function idempotencyKeyOf(meta: Readonly<Record<string, unknown>> | undefined): string | null {
  const key = meta?.[IDEMPOTENCY_META_KEY];
  if (key === undefined) return null;
  if (typeof key === "string" && key !== "" && key.length <= LONGEST_KEY_CHARS) return key;
  throw invalidParam(
    IDEMPOTENCY_META_KEY,
    `The idempotency key must be a string of 1 to ${LONGEST_KEY_CHARS} characters.`,
  );
}

/** Returns the key for the routes that one call of a tool uses. The same key of another credential is another key. */
export function routeKey(credential_id: string, tool: string, key: string): string {
  const text = JSON.stringify([credential_id, tool, key]);
  return `mcp_${new Bun.CryptoHasher("sha256").update(text).digest("base64url")}`;
}

/** Runs a call at most once for its idempotency key. */
export type Once = (input: object, run: () => Promise<Result>) => Promise<Result>;

type Result = Record<string, unknown>;

/**
 * Returns a function that runs a call once, and returns the stored result to a repeated one. The routes have the key as
 * well, so that a call whose process ended before its result was stored is not done twice either.
 * @throws ApiError idempotency_conflict, idempotency_in_progress
 */
export function once(
  { idempotency }: Platform,
  use: Omit<KeyUse, "fingerprint" | "method" | "path">,
  tool: string,
): Once {
  return async (input, run) => {
    const whole: KeyUse = { ...use, method: "TOOL", path: tool, fingerprint: JSON.stringify(input) };
    const claim = idempotency.claim(whole);
    if (claim.state === "replay") return JSON.parse(claim.reply.body!) as Result;
    if (claim.state !== "new") throw refusal(claim.state);
    try {
      const result = await run();
      idempotency.store(whole, { status: 200, body: JSON.stringify(result) });
      return result;
    } catch (error) {
      idempotency.release(whole);
      throw error;
    }
  };
}

function refusal(state: "conflict" | "running"): ApiError {
  const param = IDEMPOTENCY_META_KEY;
  if (state === "conflict") {
    return new ApiError("idempotency_conflict", "This idempotency key was already used with other arguments.", {
      param,
    });
  }
  return new ApiError(
    "idempotency_in_progress",
    "The first call with this idempotency key is still running. Try again later.",
    { param, retryAfterS: 1 },
  );
}
