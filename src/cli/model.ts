import { Command } from "commander";
import { pullModel } from "../ml/embedding/pull.ts";
import { systemClock } from "../platform/clock.ts";
import { type CommonOptions, command, explained, settingsOf } from "./context.ts";

const REPORT_EVERY = 0.1;

/** Defines the commands that manage models. */
export function modelCommands(): Command {
  return new Command("model").description("Manage models for semantic search.").addCommand(
    explained(
      command("pull", "Download a model for semantic search, pinned to a revision and verified by hash.")
        .argument("<id>", "model on the hub, as OWNER/NAME")
        .option("--revision <revision>", "branch, tag or commit", "main")
        .option("--json", "print JSON"),
      {
        notes: `Only this command downloads models; the built-in model is part of the program. The model must include an ONNX
file. To use the model, set embedding.model. Postroom then indexes all mail again in the background, and
search uses the previous index until that is done.`,
        examples: [
          "postroom model pull Xenova/all-MiniLM-L6-v2",
          "POSTROOM_EMBEDDING_MODEL=Xenova/all-MiniLM-L6-v2 postroom serve",
        ],
      },
    ).action(pull),
  );
}

async function pull(model: string, options: CommonOptions & { revision: string }): Promise<void> {
  const config = await settingsOf(options);
  let reported = 0;
  const pulled = await pullModel({
    data_dir: config.data_dir,
    model,
    revision: options.revision,
    hub: config.get("embedding.hub"),
    nowMs: systemClock.now(),
    progress(file, done, total) {
      const share = total === 0 ? 1 : done / total;
      if (done < total && share - reported < REPORT_EVERY) return;
      reported = done < total ? share : 0;
      if (!options.json && process.stderr.isTTY) console.error(`${file}: ${Math.round(share * 100)}%`);
    },
  });
  if (options.json) console.log(JSON.stringify(pulled));
  else console.log(`Downloaded ${model} at revision ${pulled.revision}. To use it, set embedding.model = "${model}".`);
}
