/** A request to a scripted model server. */
export interface ModelAsk {
  path: string;
  authorization: string | null;
  bytes: number;
  body: {
    model: string;
    messages: { role: string; content: string }[];
    stream?: boolean;
    store?: boolean;
    response_format?: { type: string };
    tools?: unknown;
  };
}

export type ModelScript = (ask: ModelAsk, nth: number) => Response | Promise<Response>;

/** A real HTTP server on this machine that speaks the chat completions protocol as a test scripts it. */
export interface ModelServer {
  base_url: string;
  host: string;
  asked: ModelAsk[];
  close(): Promise<void>;
}

export function startModelServer(script: ModelScript): ModelServer {
  const asked: ModelAsk[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 30,
    async fetch(request) {
      const text = await request.text();
      const ask: ModelAsk = {
        path: new URL(request.url).pathname,
        authorization: request.headers.get("authorization"),
        bytes: Buffer.byteLength(text),
        body: text === "" ? {} : JSON.parse(text),
      };
      asked.push(ask);
      return script(ask, asked.length);
    },
  });
  const host = `127.0.0.1:${server.port}`;
  return { base_url: `http://${host}/v1`, host, asked, close: () => server.stop(true) };
}

/** Returns one answer as a whole document. */
export function wholeAnswer(text: string): Response {
  return Response.json({
    choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: "stop" }],
  });
}

/** Returns one answer as a stream of events with `chars` characters each. */
export function streamedAnswer(text: string, chars = 7): Response {
  const events: string[] = [];
  for (let at = 0; at < text.length; at += chars) {
    const delta = { content: text.slice(at, at + chars) };
    events.push(`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: null }] })}\n\n`);
  }
  events.push(`data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}\n\n`);
  events.push("data: [DONE]\n\n");
  return eventStream(events);
}

/** Returns a stream of exactly these bytes; `end` false leaves it open. */
export function eventStream(parts: readonly string[], end = true): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const part of parts) controller.enqueue(new TextEncoder().encode(part));
      if (end) controller.close();
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}
