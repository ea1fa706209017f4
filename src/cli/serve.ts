import type { Command } from "commander";
import { STOP_LIMITS, within } from "../app/stop.ts";
import { SCOPES } from "../kernel/scopes.ts";
import { endEarlySemanticThread, startSemanticThreadEarly } from "../ml/semantic/early-worker.ts";
import { systemClock } from "../platform/clock.ts";
import { loadConfig } from "../platform/config/load.ts";
import type { Platform } from "../platform/platform.ts";
import { askPassphrase, type CommonOptions, command, explained, sourcesOf } from "./context.ts";

interface ServeOptions extends CommonOptions {
  port?: string;
  host?: string;
  quickstart?: boolean;
}

const QUICKSTART_KEY = "quickstart";

/** Defines `postroom serve`. */
export function serveCommand(): Command {
  return explained(
    command("serve", "Run the server: serve the API and keep mailboxes synced.")
      .option("--port <port>", "port to listen on (default: 8025; 0 picks a free port)")
      .option("--host <address>", "address to listen on (default: 127.0.0.1)")
      .option("--quickstart", "print a new test key and a first request to try"),
    {
      notes: `The first start creates the data folder, the owner (owner.email in the configuration) and a sandbox mailbox. It
prints the address of the settings page, where the owner completes the setup. Only one server can run on a
data folder. If the folder needs a passphrase that is not configured, a terminal asks for it. SIGTERM and
SIGINT stop the server within five seconds. docs/configuration.md lists all settings; each one can also be
set as an environment variable (POSTROOM_…).`,
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
  await askPassphrase(options);
  const asked = new Promise<"stop">((resolve) => {
    process.once("SIGTERM", () => resolve("stop"));
    process.once("SIGINT", () => resolve("stop"));
  });
  const sources = sourcesOf(options, flags);
  startSemanticThreadEarly(loadConfig(sources));
  // Loaded only now, because it takes longer than everything before it.
  const { startApp } = await import("../app/app.ts");
  const starting = startApp(sources, systemClock).finally(endEarlySemanticThread);
  const first = await Promise.race([starting, asked]);
  if (first !== "stop") {
    if (options.quickstart) {
      // A paused server creates no key.
      await Promise.race([first.platform.acting.begun(), asked]);
      if (!first.platform.acting.pause) printQuickstart(first.platform, first.browserUrl);
    }
    if (first.setupUrl) printSetup(first.setupUrl);
    await asked;
    first.platform.log.info("stopping");
  }
  // A signal may arrive during the start. The stop is then orderly as far as time permits.
  await within(
    systemClock,
    STOP_LIMITS.wholeMs,
    starting.then((app) => app.stop()),
  );
  process.exit(0);
}

function printSetup(url: string): void {
  console.log(`
Postroom is not set up yet. Open this address in a browser:

    ${url}

  (the code in the address proves that you control this machine; it works once, until the next start)
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

  Settings page   ${url}/app/
  API reference   ${url}/v1/docs
  Test key        ${secret}
                  (sees only the built-in sandbox mailbox; mail sent with it never leaves this machine)

  Try it:

    curl -H "Authorization: Bearer ${secret}" "${url}/v1/threads?limit=3"
`);
}
