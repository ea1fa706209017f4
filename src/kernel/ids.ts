/** Prefixes of ids, by kind. They are published in the API. */
export const ID_PREFIXES = {
  thread: "thr_",
  message: "msg_",
  attachment: "att_",
  draft: "drf_",
  send: "snd_",
  account: "acc_",
  contact: "cnt_",
  rule: "rul_",
  contextProfile: "ctx_",
  contextFile: "ctf_",
  calendarEvent: "evt_",
  calendar: "cal_",
  webhook: "whk_",
  delivery: "dlv_",
  request: "req_",
  user: "usr_",
  key: "key_",
  connection: "con_",
  folder: "fld_",
  label: "lbl_",
  job: "job_",
  audit: "aud_",
  event: "ntf_",
  agentAction: "agt_",
  session: "ses_",
  passkey: "pky_",
  team: "tea_",
  backup: "bak_",
  approval: "apv_",
  notificationTarget: "ntg_",
  import: "imp_",
} as const;

export type IdKind = keyof typeof ID_PREFIXES;

/** Crockford's base32 in lower case: encoded values sort like the numbers. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const TIME_CHARS = 10;
const RANDOM_CHARS = 16;

/**
 * Returns an id: prefix + 10 characters of time + 16 characters of randomness (a lower-case ULID).
 * @param random 10 bytes; the caller adds 1 to the previous value to stay monotonic within one millisecond
 */
export function encodeId(kind: IdKind, nowMs: number, random: Uint8Array): string {
  let time = "";
  let rest = nowMs;
  for (let i = 0; i < TIME_CHARS; i++) {
    time = ALPHABET[rest % 32] + time;
    rest = Math.floor(rest / 32);
  }
  let tail = "";
  let bits = 0;
  let value = 0;
  for (const byte of random) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      tail += ALPHABET[(value >>> bits) & 31];
    }
    value &= (1 << bits) - 1;
  }
  return ID_PREFIXES[kind] + time + tail.slice(0, RANDOM_CHARS);
}

const ID_TAIL = /^[0-9a-hjkmnp-tv-z]{26}$/;

/** Returns whether `id` has the shape of an id of this kind. A malformed id is treated like an unknown one: 404. */
export function isId(kind: IdKind, id: string): boolean {
  const prefix = ID_PREFIXES[kind];
  return id.startsWith(prefix) && ID_TAIL.test(id.slice(prefix.length));
}
