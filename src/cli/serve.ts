import type { Command } from "commander";
import { startApp } from "../app.ts";
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
      notes: `A first start makes the data folder, its owner (owner.email of the configuration) and a sandbox mailbox. One
server at most runs on a data folder. SIGTERM and SIGINT stop it when running requests have ended. Settings:
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
  // Asked to stop while it still starts, it stops in order, too.
  const asked = new Promise<void>((resolve) => {
    process.once("SIGTERM", resolve);
    process.once("SIGINT", resolve);
  });
  const app = await startApp(sourcesOf(options, flags), systemClock);
  if (options.quickstart) printQuickstart(app.platform, app.server.url);
  await asked;
  app.platform.log.info("stopping");
  await app.stop();
  process.exit(0);
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
