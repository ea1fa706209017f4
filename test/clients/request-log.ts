/** A real HTTP server that records the clients' requests and gives every one the same answer. */
export interface LoggedRequest {
  method: string;
  /** With the query. */
  path: string;
  headers: Record<string, string>;
}

export interface RequestLog {
  url: string;
  /** The requests since the last call, oldest first. */
  taken(): LoggedRequest[];
  stop(): Promise<void>;
}

export function startRequestLog(answer: () => Response): RequestLog {
  let log: LoggedRequest[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      const { pathname, search } = new URL(request.url);
      log.push({ method: request.method, path: pathname + search, headers: Object.fromEntries(request.headers) });
      return answer();
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    taken() {
      const seen = log;
      log = [];
      return seen;
    },
    stop: () => server.stop(true),
  };
}

/** A server's answer to a misspelled field when the request says `Prefer: handling=strict`. */
export const UNKNOWN_FIELD = () =>
  Response.json(
    {
      error: {
        type: "invalid_request_error",
        code: "invalid_params",
        message: "reed is unknown; did you mean read?",
        param: "reed",
        request_id: "req_1",
      },
    },
    { status: 400, headers: { "X-Unknown-Params": "reed; nearest=read" } },
  );

/** Suffixes of the server's address as given to the client, and where requests must then arrive. */
export const BASE_PATHS: readonly (readonly [given: string, base: string])[] = [
  ["", "/v1"],
  ["/", "/v1"],
  ["/v1", "/v1"],
  ["/v1/", "/v1"],
  ["///", "/v1"],
  ["/v1//", "/v1"],
  ["/mail", "/mail/v1"],
  ["/mail/", "/mail/v1"],
  ["/mail/v1", "/mail/v1"],
  ["/mail/v1///", "/mail/v1"],
  ["/a/b/c", "/a/b/c/v1"],
  ["/apiv1", "/apiv1/v1"],
  ["/v1/mail", "/v1/mail/v1"],
  ["/v1/v1", "/v1/v1"],
  ["/v10", "/v10/v1"],
  ["/caf%C3%A9/v1", "/caf%C3%A9/v1"],
];

/** Hosts named v1, which must not be taken for the version. */
export const HOSTS_V1: readonly (readonly [given: string, asked: string])[] = [
  ["http://v1", "http://v1/v1/threads/x"],
  ["http://v1/", "http://v1/v1/threads/x"],
  ["http://v1:8025", "http://v1:8025/v1/threads/x"],
  ["http://v1/v1", "http://v1/v1/threads/x"],
  ["http://mail.v1", "http://mail.v1/v1/threads/x"],
  ["HTTP://v1/mail", "http://v1/mail/v1/threads/x"],
];

/** Invalid base addresses. */
export const NO_BASE = [
  "mail.example.org",
  "localhost:8025",
  "ftp://host/v1",
  "http://",
  "http://host/v1?key=1",
  "http://host/#v1",
];
