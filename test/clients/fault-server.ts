/** A server with scripted failures, for the retries of the clients. */

/** One answer: a status with an error code, "cut" for none at all, or 200. */
export interface FaultAnswer {
  status: number | "cut";
  code?: string;
  retryAfter?: string;
  param?: string;
  location?: string;
}

export interface FaultCase {
  /** Also the id of the requested thread. */
  name: string;
  method: "GET" | "PATCH";
  idempotency_key?: string;
  answers: FaultAnswer[];
  /** How many requests arrive, the waits between them (s; "own" for the client's own pause), and the result. */
  expected: { requests: number; waits: (number | "own")[]; outcome: string };
}

const AWAY: FaultAnswer = { status: 503, code: "provider_unavailable" };
const GOOD: FaultAnswer = { status: 200 };

/** Cases that both clients must handle alike. */
export const FAULT_CASES: readonly FaultCase[] = [
  {
    name: "away_twice",
    method: "GET",
    answers: [AWAY, AWAY, GOOD],
    expected: { requests: 3, waits: ["own", "own"], outcome: "ok" },
  },
  {
    name: "away_for_good",
    method: "GET",
    answers: [AWAY],
    expected: { requests: 5, waits: ["own", "own", "own", "own"], outcome: "503 provider_unavailable null req_1" },
  },
  {
    name: "change_without_key",
    method: "PATCH",
    answers: [AWAY, GOOD],
    expected: { requests: 1, waits: [], outcome: "503 provider_unavailable null req_1" },
  },
  {
    name: "change_with_key",
    method: "PATCH",
    idempotency_key: "k1",
    answers: [AWAY, { status: 409, code: "idempotency_in_progress" }, GOOD],
    expected: { requests: 3, waits: ["own", "own"], outcome: "ok" },
  },
  {
    name: "limited",
    method: "GET",
    answers: [{ status: 429, code: "rate_limited", retryAfter: "3" }, GOOD],
    expected: { requests: 2, waits: [3], outcome: "ok" },
  },
  {
    name: "limited_for_long",
    method: "GET",
    answers: [{ status: 429, code: "rate_limited", retryAfter: "3600" }, GOOD],
    expected: { requests: 1, waits: [], outcome: "429 rate_limited 3600 req_1" },
  },
  {
    name: "wrong",
    method: "PATCH",
    idempotency_key: "k2",
    answers: [{ status: 400, code: "invalid_params", param: "snooze_until" }, GOOD],
    expected: { requests: 1, waits: [], outcome: "400 invalid_params null req_1 snooze_until" },
  },
  {
    name: "cut_once",
    method: "GET",
    answers: [{ status: "cut" }, GOOD],
    expected: { requests: 2, waits: ["own"], outcome: "ok" },
  },
  {
    name: "cut_change",
    method: "PATCH",
    answers: [{ status: "cut" }, GOOD],
    expected: { requests: 1, waits: [], outcome: "0 network null null" },
  },
  // A proxy that redirects to another address: the key is not sent there, and a change does not become a GET.
  ...(["GET", "PATCH"] as const).map((method) => ({
    name: `sent_on_${method}`,
    method,
    answers: [{ status: 302, code: "internal_error", location: `/v1/threads/elsewhere_${method}` }],
    expected: { requests: 1, waits: [], outcome: "302 internal_error null req_1" },
  })),
];

export interface FaultServer {
  url: string;
  /** Returns how many requests arrived for a case. */
  requests(name: string): number;
  stop(): void;
}

/** Answers `/v1/threads/{name}` with the answers of the case, the last one repeatedly. */
export function startFaultServer(): FaultServer {
  const counts = new Map<string, number>();
  const sockets = Bun.listen<{ text: string }>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open(socket) {
        socket.data = { text: "" };
      },
      data(socket, bytes) {
        socket.data.text += bytes.toString();
        const head = socket.data.text.split("\r\n\r\n")[0]!;
        const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
        if (!socket.data.text.includes("\r\n\r\n") || socket.data.text.length < head.length + 4 + length) return;
        const name = /\/v1\/threads\/(\w+)/.exec(head)?.[1] ?? "";
        const seen = (counts.get(name) ?? 0) + 1;
        counts.set(name, seen);
        const { answers } = FAULT_CASES.find((one) => one.name === name) ?? { answers: [GOOD] };
        const answer = answers[Math.min(seen, answers.length) - 1]!;
        if (answer.status === "cut") return void socket.terminate();
        socket.end(responseText(answer));
      },
    },
  });
  return {
    url: `http://127.0.0.1:${sockets.port}`,
    requests: (name) => counts.get(name) ?? 0,
    stop: () => sockets.stop(true),
  };
}

function responseText({ status, code, retryAfter, param, location }: FaultAnswer): string {
  const error = { type: "api_error", code, message: "Told to.", request_id: "req_1", ...(param ? { param } : {}) };
  const body = JSON.stringify(status === 200 ? { id: "thr_1" } : { error });
  const more = `${retryAfter ? `Retry-After: ${retryAfter}\r\n` : ""}${location ? `Location: ${location}\r\n` : ""}`;
  return `HTTP/1.1 ${status} X\r\nContent-Type: application/json\r\n${more}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`;
}
