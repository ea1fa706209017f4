import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { PostroomError, postroom, take } from "../../clients/typescript/src/client.ts";
import { BASE_PATHS, HOSTS_V1, NO_BASE, type RequestLog, startRequestLog, UNKNOWN_FIELD } from "./request-log.ts";

let answer = () => Response.json({ id: "x" });
let log: RequestLog;
beforeAll(() => {
  log = startRequestLog(() => answer());
});
afterAll(() => log.stop());

const key = "service_test_x";
const read = (options: { url: string }) => {
  const api = postroom({ key, retries: 0, ...options });
  return take(api.GET("/threads/{id}", { params: { path: { id: "x" } } }));
};

describe("the address of the server", () => {
  test.each(BASE_PATHS)("http://host:port%s: requests go to %s", async (given, base) => {
    await read({ url: `${log.url}${given}` });
    expect(log.taken().map(({ path }) => path)).toEqual([`${base}/threads/x`]);
  });

  test.each(HOSTS_V1)("%s requests %s", async (url, asked) => {
    const seen: string[] = [];
    const fetch = async (request: Request) => {
      seen.push(request.url);
      return Response.json({});
    };
    await read({ url, fetch } as { url: string });
    expect(seen).toEqual([asked]);
  });

  test.each(NO_BASE)("%p is refused at once, and the error says what is expected", (url) => {
    expect(() => postroom({ url, key })).toThrow(/http:\/\/ or https:\/\//);
  });

  test("a path alone means the page's own origin", () => {
    for (const url of ["", "/", "/mail", "/v1"]) expect(() => postroom({ url, key })).not.toThrow();
  });
});

describe("unknown fields and parameters", () => {
  const misspelt = (options: object = {}) => {
    const api = postroom({ url: log.url, key, retries: 0, ...options });
    const body = { reed: true } as { read?: boolean };
    return take(api.PATCH("/threads/{id}", { params: { path: { id: "x" } }, body }));
  };

  test("every request asks for strict handling, retries included", async () => {
    let nth = 0;
    answer = () => (nth++ === 0 ? new Response(null, { status: 503 }) : Response.json({ id: "x" }));
    const api = postroom({ url: log.url, key, sleep: async () => {} });
    await take(api.GET("/threads/{id}", { params: { path: { id: "x" } } }));
    await take(api.POST("/drafts", { body: { use_ai: false } }));
    expect(log.taken().map(({ headers }) => headers.prefer)).toEqual(Array(3).fill("handling=strict"));
  });

  test("strict: false sends no Prefer header, and a header given with one call stays", async () => {
    answer = () => Response.json({ id: "x" });
    await misspelt({ strict: false });
    const api = postroom({ url: log.url, key });
    const headers = { Prefer: "handling=lenient" };
    await take(api.GET("/threads/{id}", { params: { path: { id: "x" } }, headers }));
    expect(log.taken().map(({ headers }) => headers.prefer)).toEqual([undefined, "handling=lenient"]);
  });

  test("a refused field is a PostroomError that names it", async () => {
    answer = UNKNOWN_FIELD;
    const error = await misspelt().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PostroomError);
    expect(error).toMatchObject({
      status: 400,
      code: "invalid_params",
      param: "reed",
      unknownParams: "reed; nearest=read",
    });
  });

  test("where the server ignores a field, onUnknownParams gets the names from the server", async () => {
    answer = () => Response.json({ id: "x" }, { headers: { "X-Unknown-Params": "reed; nearest=read" } });
    const named: string[] = [];
    const note = (params: string, { method, url }: Request) =>
      void named.push(`${method} ${new URL(url).pathname} ${params}`);
    await misspelt({ strict: false, onUnknownParams: note });
    answer = () => Response.json({ id: "x" });
    await misspelt({ strict: false, onUnknownParams: note });
    expect(named).toEqual(["PATCH /v1/threads/x reed; nearest=read"]);
  });
});
