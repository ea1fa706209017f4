import { lstatSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { UserError } from "../../kernel/errors.ts";
import {
  type ControlCalls,
  type ControlName,
  type ControlReply,
  type ControlStreams,
  LineReader,
  socketPath,
} from "./protocol.ts";

/** Error codes of a socket without a listener: no server runs, or one has died. */
const NO_LISTENER = new Set(["ENOENT", "ECONNREFUSED", "ENOTSOCK", "ECONNRESET", "EPIPE"]);

/** The reply of a running server; `running` is false if no server that can answer runs here. */
export type Answered<K extends ControlName> = { running: true; reply: ControlCalls[K]["reply"] } | { running: false };

/**
 * Calls the server that runs on a data folder, if there is one.
 * @throws UserError with the server's message if it refuses or fails
 */
export async function askServer<K extends ControlName>(
  data_dir: string,
  call: K,
  args: ControlCalls[K]["args"],
): Promise<Answered<K>> {
  const path = socketPath(data_dir);
  if (path === null || !isOurs(path, data_dir)) return { running: false };
  const text = await exchange(path, `${JSON.stringify({ call, args })}\n`);
  if (text === null) return { running: false };
  const reply = JSON.parse(text) as ControlReply;
  if (!reply.ok) throw new UserError(reply.message);
  return { running: true, reply: reply.value as ControlCalls[K]["reply"] };
}

/**
 * Opens a stream to the server that runs on a data folder. @returns the connection, on which the server now reads and
 * writes; null without a server. @throws UserError with the server's message if it refuses
 */
export async function openStream<K extends keyof ControlStreams>(
  data_dir: string,
  call: K,
  args: ControlStreams[K],
): Promise<Socket | null> {
  const path = socketPath(data_dir);
  if (path === null || !isOurs(path, data_dir)) return null;
  const socket = connect(path, () => socket.write(`${JSON.stringify({ call, args })}\n`));
  const text = await firstLine(socket);
  if (text === null) return null;
  const reply = JSON.parse(text) as ControlReply;
  if (reply.ok) return socket;
  socket.destroy();
  throw new UserError(reply.message);
}

/**
 * Returns whether the socket belongs to the owner of the data folder. Another user's socket could be an attempt to
 * eavesdrop.
 */
function isOurs(path: string, data_dir: string): boolean {
  const socket = lstatSync(path, { throwIfNoEntry: false });
  const ours = ["postroom.db", "standby.json"].map((name) =>
    lstatSync(join(data_dir, name), { throwIfNoEntry: false }),
  );
  return socket?.isSocket() === true && ours.some((file) => file?.uid === socket.uid);
}

/** Sends a request. @returns the reply line; null if no one listens, or if the server ended before it replied */
async function exchange(path: string, request: string): Promise<string | null> {
  const socket = connect(path, () => socket.write(request));
  const text = await firstLine(socket);
  socket.end();
  return text;
}

/** Reads one line, and nothing after it. */
function firstLine(socket: Socket): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const line = new LineReader();
    const read = (bytes: Buffer): void => {
      try {
        const text = line.push(bytes);
        if (text === null) return;
        socket.off("data", read);
        socket.pause();
        resolve(text);
      } catch (error) {
        reject(error as Error);
        socket.destroy();
      }
    };
    socket.on("data", read);
    socket.on("error", (error: NodeJS.ErrnoException) => {
      if (NO_LISTENER.has(error.code ?? "")) resolve(null);
      else reject(error);
    });
    socket.on("close", () => resolve(null));
  });
}
