import { existsSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { pullModel } from "../ml/embedding/pull.ts";
import { RECOMMENDED } from "../ml/embedding/recommended.ts";
import { systemClock } from "../platform/clock.ts";
import type { Config } from "../platform/config/load.ts";
import type { Platform } from "../platform/platform.ts";
import { type CommonOptions, command, explained, settingsOf, withPlatform } from "./context.ts";
import { modelListCommand, modelUseCommand } from "./model-list.ts";
import { progressLine } from "./progress.ts";

/** Defines the commands that manage models. */
export function modelCommands(): Command {
  const pullCommand = explained(
    command("pull", "Download a model for semantic search, pinned to a revision and verified by hash.")
      .argument("<id>", "'multilingual', or a model on the hub as OWNER/NAME")
      .option("--revision <revision>", "branch, tag or commit", "main")
      .option("--json", "print JSON"),
    {
      notes: `'multilingual' is a model for fifty languages, of 135 MB, whose files are pinned in the program. Only this
command downloads models; the built-in model is part of the program. The model must include an ONNX file.
If the download is interrupted, run the command again: it continues. Every request is listed in
GET /v1/ai/calls; no mail text is sent. To use the model, set embedding.model and restart the server.
Postroom then indexes all mail again in the background, and search uses the previous index until that is
done.`,
      examples: [
        "postroom model pull multilingual",
        "postroom model pull Xenova/all-MiniLM-L6-v2",
        "POSTROOM_EMBEDDING_MODEL=Xenova/all-MiniLM-L6-v2 postroom serve",
      ],
    },
  ).action(pull);
  return new Command("model")
    .description("Manage models for semantic search, and choose a language model.")
    .addCommand(modelListCommand())
    .addCommand(modelUseCommand())
    .addCommand(pullCommand);
}

async function pull(id: string, options: CommonOptions & { revision: string }): Promise<void> {
  // A model can be downloaded before there is any data. There is no ledger then.
  if (!existsSync(join(options.data, "postroom.db"))) return pullWith(await settingsOf(options), id, options);
  await withPlatform(options, (platform) => pullWith(platform.config, id, options, platform));
}

async function pullWith(
  config: Config,
  id: string,
  options: CommonOptions & { revision: string },
  platform?: Platform,
): Promise<void> {
  const known = Object.hasOwn(RECOMMENDED, id) ? RECOMMENDED[id] : undefined;
  const model = known?.model ?? id;
  const line = progressLine(model);
  const owner = platform?.users.list().find(({ role }) => role === "owner");
  const call = { user_id: owner?.id ?? "", purpose: "download" as const, model, bytes_out: 0, message_ids: [] };
  const pulled = await pullModel({
    data_dir: config.data_dir,
    model,
    revision: known?.revision ?? options.revision,
    ...(known ? { pinned: known.files } : {}),
    ...(platform && owner ? { note: (host: string) => platform.modelCalls.begin({ ...call, host }) } : {}),
    hub: config.get("embedding.hub"),
    nowMs: systemClock.now(),
    progress: (_file, done, total) => line.show(done, total),
  }).finally(() => line.end());
  if (options.json) console.log(JSON.stringify(pulled));
  else {
    console.log(`Downloaded ${model} at revision ${pulled.revision}. To use it, set embedding.model = "${model}".`);
  }
}
