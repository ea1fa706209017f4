import type { Command } from "commander";
import { startApp } from "../app/app.ts";
import { STOP, within } from "../app/stop.ts";
import { SCOPES } from "../kernel/scopes.ts";
import { systemClock } from "../platform/clock.ts";
import type { Platform } from "../platform/platform.ts";
import { type CommonOptions, command, explained, sourcesOf } from "./context.ts";

interface ServeOptions extends CommonOptions {
  port?: string;
  host?: string;
  quickstart?: boolean;
}

const QUICKSTART_KEY = "quickstart";

export function serveCommand(): Command {
  return explained(
    command("serve", "Serve the API and keep the mailboxes synchronised.")
      .option("--port <port>", "port to listen on (default: 8025; 0 picks a free one)")
      .option("--host <address>", "address to listen on (default: 127.0.0.1)")
      .option("--quickstart", "print a fresh test key and a first request to try"),
    {
      notes: `A first start makes the data folder, its owner (owner.email of the configuration) and a sandbox mailbox, and prints
the address of the settings page where the owner sets it up. One server at most runs on a data folder. SIGTERM and SIGINT stop it within five seconds. Settings:
docs/configuration.md; every one of them can be given as POSTROOM_… too.`,
      examples: [
        "postroom serve --quickstart",
        "postroom serve --data /srv/postroom --port 8025",
        "POSTROOM_MASTER_PASSPHRASE_FILE=/run/secrets/postroom postroom serve",
      ],
    },
  ).action(serve);
}

async function serve(options: ServeOptions): Promise<void> {
  const flags = {
    ...(options.port === undefined ? {} : { "http.port": options.port }),
    ...(options.host === undefined ? {} : { "http.host": options.host }),
  };
  const asked = new Promise<"stop">((resolve) => {
    process.once("SIGTERM", () => resolve("stop"));
    process.once("SIGINT", () => resolve("stop"));
  });
  const starting = startApp(sourcesOf(options, flags), systemClock);
  const first = await Promise.race([starting, asked]);
  if (first !== "stop") {
    if (options.quickstart) printQuickstart(first.platform, first.server.url);
    if (first.setup_url) printSetup(first.setup_url);
    await asked;
    first.platform.log.info("stopping");
  }
  // Asked while it still starts, it ends in order as far as there is time; a start may end anywhere.
  await within(
    systemClock,
    STOP.whole_ms,
    starting.then((app) => app.stop()),
  );
  process.exit(0);
}

function printSetup(url: string): void {
  console.log(`
Nobody has set this Postroom up yet. Open this address in a browser:

    ${url}

  (the code in it shows that this machine is yours; it works once, and only until the next start)
`);
}

function printQuickstart(platform: Platform, url: string): void {
  const owner = platform.users.list()[0]!;
  const sandbox = platform.users.sandboxOf(owner.id);
  for (const old of platform.keys.list([sandbox.id])) {
    if (old.name === QUICKSTART_KEY && old.revoked_at === null) platform.keys.revoke(old.id);
  }
  const { secret } = platform.keys.create({
    user_id: sandbox.id,
    name: QUICKSTART_KEY,
    scopes: [...SCOPES],
    test: true,
  });
  console.log(`
Postroom is running.

  API description   ${url}/v1/docs
  Test key          ${secret}
                    (it sees the built-in sandbox mailbox only; nothing it sends leaves this machine)

  Try it:

    curl -H "Authorization: Bearer ${secret}" "${url}/v1/threads?limit=3"
`);
}
