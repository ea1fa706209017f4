import { mkdirSync, rmSync, statSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { dirname } from "node:path";
import { ApiError, UserError } from "../../kernel/errors.ts";
import { errorFields, type Log } from "../log.ts";
import { closeToOthers } from "../private-folder.ts";
import { type ControlHandlers, type ControlReply, type ControlRequest, LineReader, socketPath } from "./protocol.ts";

/** Connections without any data for this long are closed, ms. */
const QUIET_MS = 30_000;

export interface ControlServer {
  close(): void;
}

/**
 * Listens for commands on the data folder's socket. The caller holds the folder's lock, so an existing socket is that
 * of a dead server. The socket's folder has mode 0700 and the socket 0600: anyone who can connect can read the data
 * folder anyway. If the path is too long for a socket, the server runs without it, and so do commands.
 */
export async function startControl(options: {
  data_dir: string;
  handlers: ControlHandlers;
  log: Log;
}): Promise<ControlServer> {
  const { data_dir, handlers, log } = options;
  const path = socketPath(data_dir);
  if (path === null) {
    log.info("the path of the data folder is too long for a local socket, so commands do not notify the server");
    return { close: () => {} };
  }
  keepPrivate(dirname(path));
  rmSync(path, { force: true });
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket));
    serve(socket, handlers, log);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, resolve);
  });
  closeToOthers(path);
  return {
    close() {
      server.close();
      for (const socket of open) socket.destroy();
      rmSync(path, { force: true });
    },
  };
}

/** @throws UserError if the folder belongs to someone else, who could replace the socket */
function keepPrivate(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid } = statSync(folder);
  if (uid !== process.getuid?.()) throw new UserError(`${folder} belongs to another user.`);
  closeToOthers(folder);
}

function serve(socket: Socket, handlers: ControlHandlers, log: Log): void {
  const line = new LineReader();
  let answered = false;
  socket.setTimeout(QUIET_MS, () => void (answered || socket.destroy()));
  socket.on("error", () => socket.destroy());
  socket.on("data", (bytes: Buffer) => {
    if (answered) return;
    try {
      const text = line.push(bytes);
      if (text === null) return;
      answered = true;
      socket.setTimeout(0);
      void answer(text, handlers, log).then((reply) => socket.end(`${JSON.stringify(reply)}\n`));
    } catch {
      socket.destroy();
    }
  });
}

async function answer(text: string, handlers: ControlHandlers, log: Log): Promise<ControlReply> {
  let request: ControlRequest;
  try {
    request = JSON.parse(text) as ControlRequest;
  } catch {
    return { ok: false, message: "This is not a valid call." };
  }
  const { call, args } = request ?? {};
  const known = typeof call === "string" && Object.hasOwn(handlers, call);
  const handler = known ? (handlers as Record<string, (args: unknown) => unknown>)[call] : undefined;
  if (!handler) return { ok: false, message: `The running server does not know the call ${String(call)}.` };
  try {
    return { ok: true, value: (await handler(args)) ?? null };
  } catch (error) {
    if (error instanceof UserError || error instanceof ApiError) return { ok: false, message: error.message };
    log.error("a command's call failed", { call, ...errorFields(error) });
    return { ok: false, message: "The running server failed. Its log has the details." };
  }
}
