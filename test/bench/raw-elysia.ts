/**
 * The lower bound of an answer: Elysia alone, one page of threads and one of messages made once and turned into JSON
 * for each request, without a key, a check or a database: bun raw-elysia.ts PORT FILE, FILE having { list, messages }
 * as Postroom answered them.
 */
import { Elysia } from "elysia";

const [port, file] = process.argv.slice(2) as [string, string];
const { list, messages } = (await Bun.file(file).json()) as { list: object; messages: object };
new Elysia()
  .get("/v1/threads", () => list)
  .get("/v1/threads/:id/messages", () => messages)
  .listen({ port: Number(port), hostname: "127.0.0.1" });
