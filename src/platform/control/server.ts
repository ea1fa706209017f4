import { mkdirSync, rmSync, statSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { dirname } from "node:path";
import { ApiError, UserError } from "../../kernel/errors.ts";
import { errorFields, type Log } from "../log.ts";
import { removeOthersAccess } from "../private-folder.ts";
import {
  type ControlHandlers,
  type ControlReply,
  type ControlRequest,
  type ControlStreamHandlers,
  type ControlStreams,
  LineReader,
  socketPath,
} from "./protocol.ts";

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
  streams?: ControlStreamHandlers;
  log: Log;
}): Promise<ControlServer> {
  const { data_dir, handlers, streams = {}, log } = options;
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
    serve(socket, { handlers, streams, log });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, resolve);
  });
  removeOthersAccess(path);
  return {
    close() {
      server.close();
      for (const socket of open) socket.destroy();
      rmSync(path, { force: true });
    },
  };
}

/** Makes the folder private. @throws UserError if it belongs to someone else, who could replace the socket */
function keepPrivate(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid } = statSync(folder);
  if (uid !== process.getuid?.()) throw new UserError(`${folder} belongs to another user.`);
  removeOthersAccess(folder);
}

interface Answering {
  handlers: ControlHandlers;
  streams: ControlStreamHandlers;
  log: Log;
}

function serve(socket: Socket, answering: Answering): void {
  const line = new LineReader();
  socket.setTimeout(QUIET_MS, () => socket.destroy());
  socket.on("error", () => socket.destroy());
  const read = (bytes: Buffer): void => {
    try {
      const text = line.push(bytes);
      if (text === null) return;
      socket.off("data", read);
      socket.setTimeout(0);
      void answer(text, answering).then(({ reply, serveStream }) => {
        const end = `${JSON.stringify(reply)}\n`;
        if (!serveStream) return socket.end(end);
        serveStream(socket);
        socket.write(end);
      });
    } catch {
      socket.destroy();
    }
  };
  socket.on("data", read);
}

interface Answer {
  reply: ControlReply;
  /** Set if the connection stays open. */
  serveStream?: (socket: Socket) => void;
}

async function answer(text: string, { handlers, streams, log }: Answering): Promise<Answer> {
  let request: ControlRequest;
  try {
    request = JSON.parse(text) as ControlRequest;
  } catch {
    return refused("This is not a valid call.");
  }
  const { call, args } = request ?? {};
  const isStream = typeof call === "string" && Object.hasOwn(streams, call);
  const known = typeof call === "string" && Object.hasOwn(handlers, call);
  const handler = known ? (handlers as Record<string, (args: unknown) => unknown>)[call] : undefined;
  if (!handler && !isStream) return refused(`The running server does not support the call ${String(call)}.`);
  try {
    if (handler) return { reply: { ok: true, value: (await handler(args)) ?? null } };
    const serveStream = await streams[call as keyof ControlStreams]!(args as ControlStreams[keyof ControlStreams]);
    return { reply: { ok: true, value: null }, serveStream };
  } catch (error) {
    if (error instanceof UserError || error instanceof ApiError) return refused(error.message);
    log.error("a command's call failed", { call, ...errorFields(error) });
    return refused("The running server failed. Its log has the details.");
  }
}

const refused = (message: string): Answer => ({ reply: { ok: false, message } });
