import { createServer, type Socket } from "node:net";
import { pick } from "../faults/campaign.ts";
import { mutate } from "./mutate.ts";
import { IMAP_SEEDS, IMAP_WORDS } from "./seeds.ts";

/** How an answer ends: mostly correctly; "" never. */
const ENDS = [...Array.from({ length: 16 }, () => "OK"), "NO", "BAD", "", "cut"];
/** Which commands each seed answers. */
const FITTING = [["LIST", "LSUB"], ["SELECT", "EXAMINE"], ["FETCH"], ["STATUS"], ["SEARCH"], []];
/**
 * In one conversation, either every answer may be spoiled, or those to one command only; otherwise few would reach the
 * mail.
 */
const SPOILED = ["LIST", "SELECT", "FETCH", "FETCH", "STATUS", "SEARCH", "any", "any"];
const GREETING = "* OK [CAPABILITY IMAP4rev1 LITERAL+ ENABLE CONDSTORE QRESYNC ESEARCH] hello\r\n";
const SEEDS = IMAP_SEEDS.map((seed) => new Uint8Array(Buffer.from(seed, "latin1")));

/**
 * A server for one conversation at a time. It greets and accepts every login; other commands get nonsense, and mostly
 * an end.
 */
export interface NonsenseServer {
  port: number;
  /** Begins a conversation whose answers this random source decides. */
  begin(random: () => number): void;
  /** How often the client, with nothing to read, waited for `silence_ms` before it sent or did something. */
  silences(): number;
  close(): Promise<void>;
}

/** @param onSent called with each byte that is sent */
export async function startNonsense(
  silenceMs: number,
  onSent: (bytes: string | Uint8Array) => void,
): Promise<NonsenseServer> {
  const sockets = new Set<Socket>();
  let random: () => number = () => 0;
  let silences = 0;
  let last_at = 0;
  // Timers may fire a moment early.
  const isSilent = () => performance.now() - last_at >= silenceMs * 0.9;
  const heard = () => {
    if (isSilent()) silences++;
    last_at = performance.now();
  };
  const server = createServer((socket) => {
    const say = (bytes: string | Uint8Array) => {
      onSent(bytes);
      socket.write(bytes);
      last_at = performance.now();
    };
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => {
      heard();
      sockets.delete(socket);
    });
    const spoiled = pick(random, SPOILED);
    say(random() < 0.95 ? GREETING : nonsense(random, "", false));
    let text = "";
    socket.on("data", (chunk) => {
      heard();
      text += chunk.toString("latin1");
      for (let end = text.indexOf("\r\n"); end >= 0; end = text.indexOf("\r\n")) {
        answer(socket, say, text.slice(0, end), spoiled);
        text = text.slice(end + 2);
      }
    });
  });
  const answer = (socket: Socket, say: (bytes: string | Uint8Array) => void, line: string, spoiled: string) => {
    const [tag = "*", first = "", second = ""] = line.split(" ");
    const command = (first.toUpperCase() === "UID" ? second : first).toUpperCase();
    if (/^(LOGIN|AUTHENTICATE|CAPABILITY|NAMESPACE|ID|ENABLE)$/i.test(command) && random() < 0.95) {
      say(`${tag} OK done\r\n`);
      return;
    }
    const named = command === "EXAMINE" ? "SELECT" : command;
    const honest = spoiled !== "any" && spoiled !== named;
    say(nonsense(random, command, honest));
    const last = honest ? "OK" : pick(random, ENDS);
    if (last === "cut") socket.destroy();
    else if (last !== "") say(`${honest ? "" : "\r\n"}${tag} ${last} done\r\n`);
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as { port: number }).port,
    begin(dice) {
      random = dice;
      silences = 0;
      last_at = performance.now();
    },
    silences: () => silences + (isSilent() ? 1 : 0),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Returns an answer that fits the command, mostly, and mostly changed; otherwise anything at all. */
function nonsense(random: () => number, command: string, honest: boolean): Uint8Array {
  const fitting = FITTING.findIndex((commands) => commands.includes(command));
  if (honest) return SEEDS[fitting] ?? new Uint8Array();
  const seed = fitting >= 0 && random() < 0.85 ? SEEDS[fitting]! : pick(random, SEEDS);
  return random() < (command === "FETCH" ? 0.2 : 0.7) ? seed : mutate(random, [seed, pick(random, SEEDS)], IMAP_WORDS);
}
