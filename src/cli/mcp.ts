import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { UserError } from "../kernel/errors.ts";
import { loadConfig } from "../platform/config/load.ts";
import { openStream } from "../platform/control/client.ts";
import { type CommonOptions, command, explained, requireData, sourcesOf } from "./context.ts";

interface McpOptions extends CommonOptions {
  keyFile?: string;
}

/** Defines `postroom mcp`. */
export function mcpCommand(): Command {
  return explained(
    command("mcp", "Connect a local assistant to the running server over standard input and output.").option(
      "--key-file <file>",
      "file that contains the API key (default: the environment variable POSTROOM_API_KEY)",
    ),
    {
      notes: `Assistants start this command: see docs/assistants.md for the settings of each assistant. The command speaks the
Model Context Protocol and forwards it to the server that runs on the data folder. The tool server must be on.`,
      examples: [
        "POSTROOM_API_KEY=service_live_… postroom mcp",
        "postroom mcp --data /srv/postroom --key-file /etc/postroom/assistant.key",
      ],
    },
  ).action(mcp);
}

async function mcp(options: McpOptions): Promise<void> {
  requireData(options);
  const { data_dir } = loadConfig(sourcesOf(options));
  const socket = await openStream(data_dir, "mcp", { credential: credentialOf(options) });
  if (!socket) {
    throw new UserError(`No server is running on ${data_dir}. Start it: postroom serve --data ${data_dir}`);
  }
  const hasEnded = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  let isOver = false;
  process.stdin.once("end", () => {
    isOver = true;
  });
  process.stdout.once("error", () => socket.destroy());
  process.stdin.pipe(socket);
  socket.pipe(process.stdout);
  socket.resume();
  await hasEnded;
  process.stdin.destroy();
  if (!isOver)
    throw new UserError(
      "The connection has ended: the server has stopped, the tool server was turned off, or the key was revoked.",
    );
}

function credentialOf({ keyFile }: McpOptions): string {
  const key = (keyFile === undefined ? process.env.POSTROOM_API_KEY : readKey(keyFile))?.trim() ?? "";
  if (key === "") {
    throw new UserError("No API key was given. Set POSTROOM_API_KEY, or name a file with --key-file.");
  }
  return key;
}

function readKey(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new UserError(`The key file ${path} cannot be read: ${(error as Error).message}`);
  }
}
