import type { Command } from "commander";
import { UserError } from "../kernel/errors.ts";
import { loadConfig } from "../platform/config/load.ts";
import { directly } from "../platform/egress/directly.ts";
import { hostPort } from "../platform/networks.ts";
import { type CommonOptions, command, explained, sourcesOf } from "./context.ts";

const TIMEOUT_MS = 4_000;

interface HealthOptions extends CommonOptions {
  port?: string;
  host?: string;
}

/** Defines `postroom health`. */
export function healthCommand(): Command {
  return explained(
    command("health", "Check whether the server is ready, for container health checks and service monitors.")
      .option("--port <port>", "port the server listens on (default: http.port, 8025)")
      .option("--host <address>", "address the server listens on (default: http.host, 127.0.0.1)"),
    {
      notes: "Exit code 0 when the server is ready, otherwise 1.",
      examples: ["postroom health", "postroom health --port 9000"],
    },
  ).action(health);
}

async function health(options: HealthOptions): Promise<void> {
  const flags = {
    ...(options.port === undefined ? {} : { "http.port": options.port }),
    ...(options.host === undefined ? {} : { "http.host": options.host }),
  };
  const config = loadConfig(sourcesOf(options, flags));
  const address = hostPort({ host: reachable(config.get("http.host")), port: config.get("http.port") });
  const url = new URL(`http://${address}/readyz`);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const answer = await fetch(url, { signal, ...directly(url) }).catch(() => null);
  if (!answer?.ok)
    throw new UserError(`No server is ready at ${address}${answer ? ` (status ${answer.status})` : ""}.`);
  console.log("ready");
}

/** Returns the address at which the same machine reaches a server that listens on `host`. */
export function reachable(host: string): string {
  if (host === "0.0.0.0" || host === "") return "127.0.0.1";
  if (host === "::") return "::1";
  return host;
}
