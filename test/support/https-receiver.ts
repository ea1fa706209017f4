import { createServer as createPlainServer, type Socket } from "node:net";
import { createServer as createTlsServer, type TLSSocket } from "node:tls";
import type { Certificate } from "./certificates.ts";

/** A request as received on the wire. */
export interface ReceivedRequest {
  method: string;
  path: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string;
  /** Number of the connection that carried it, from 0. */
  connection: number;
  /** `performance.now()` when its last byte arrived. */
  atMs: number;
}

/**
 * What the receiver does with a request: answers with a status or with these bytes; does not answer; drops the
 * connection; or sends these bytes one at a time, every few ms, and then nothing.
 */
export type Behavior =
  | { status: number; headers?: Record<string, string>; body?: string }
  | { bytes: string; close?: boolean }
  | { drip: string }
  | "hang"
  | "reset";

/** A scripted HTTPS or HTTP server on loopback that keeps the requests it receives. */
export interface HttpsReceiver {
  port: number;
  /** "https://127.0.0.1:PORT", or the same with http. */
  origin: string;
  received: ReceivedRequest[];
  /** Names that clients requested (SNI); false where they requested none. */
  names: (string | false)[];
  connections: number;
  behave: (request: ReceivedRequest) => Behavior;
  /** Drops every open connection. */
  dropAll(): void;
  stop(): Promise<void>;
}

const DRIP_MS = 5;

/** Starts a receiver. @param certificate null for plain HTTP */
export async function startReceiver(certificate: Certificate | null): Promise<HttpsReceiver> {
  const sockets = new Set<Socket>();
  const accept = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    receiver.names.push((socket as TLSSocket & { servername?: string | false }).servername || false);
    serve(socket, receiver.connections++);
  };
  const server = certificate ? createTlsServer(certificate, accept) : createPlainServer(accept);
  const receiver: HttpsReceiver = {
    port: 0,
    origin: "",
    received: [],
    names: [],
    connections: 0,
    behave: () => ({ status: 200 }),
    dropAll() {
      for (const socket of sockets) socket.destroy();
    },
    async stop() {
      receiver.dropAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  function serve(socket: Socket, connection: number): void {
    let buffer = Buffer.alloc(0);
    socket.on("data", (chunk: Buffer) => {
      buffer = Buffer.concat([buffer, chunk]);
      for (;;) {
        const end = buffer.indexOf("\r\n\r\n");
        if (end < 0) return;
        const [first = "", ...lines] = buffer.subarray(0, end).toString("latin1").split("\r\n");
        const headers = Object.fromEntries(
          lines.map((line) => [
            line.slice(0, line.indexOf(":")).toLowerCase(),
            line.slice(line.indexOf(":") + 1).trim(),
          ]),
        );
        const length = Number(headers["content-length"] ?? 0);
        if (buffer.length < end + 4 + length) return;
        const body = buffer.subarray(end + 4, end + 4 + length).toString();
        buffer = buffer.subarray(end + 4 + length);
        const [method = "", path = ""] = first.split(" ");
        const request = { method, path, headers, body, connection, atMs: performance.now() };
        receiver.received.push(request);
        act(socket, receiver.behave(request));
      }
    });
  }
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  receiver.port = (server.address() as { port: number }).port;
  receiver.origin = `${certificate ? "https" : "http"}://127.0.0.1:${receiver.port}`;
  return receiver;
}

function act(socket: Socket, behavior: Behavior): void {
  if (behavior === "hang") return;
  if (behavior === "reset") socket.destroy();
  else if ("drip" in behavior) drip(socket, behavior.drip);
  else if ("bytes" in behavior) {
    socket.write(behavior.bytes);
    if (behavior.close) socket.end();
  } else reply(socket, behavior);
}

function reply(socket: Socket, behavior: Extract<Behavior, { status: number }>): void {
  const { status, headers = {}, body = "" } = behavior;
  const lines = Object.entries({ ...headers, "Content-Length": String(Buffer.byteLength(body)) });
  const head = lines.map(([name, value]) => `${name}: ${value}`).join("\r\n");
  socket.write(`HTTP/1.1 ${status} Whatever\r\n${head}\r\n\r\n${body}`);
}

function drip(socket: Socket, bytes: string): void {
  let sent = 0;
  const timer = setInterval(() => {
    if (socket.destroyed || sent >= bytes.length) clearInterval(timer);
    else socket.write(bytes[sent++]!);
  }, DRIP_MS);
}
