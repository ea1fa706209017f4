import { Command } from "commander";
import { pullModel } from "../ml/embedding/pull.ts";
import { systemClock } from "../platform/clock.ts";
import { loadConfig } from "../platform/config/load.ts";
import { type CommonOptions, command, explained, sourcesOf } from "./context.ts";

const TOLD_EVERY = 0.1;

export function modelCommands(): Command {
  return new Command("model").description("Models of semantic search.").addCommand(
    explained(
      command("pull", "Download a model for semantic search, pinned to its revision and checked by hash.")
        .argument("<id>", "owner/name on the hub")
        .option("--revision <revision>", "branch, tag or commit", "main")
        .option("--json", "print JSON"),
      {
        notes: `Nothing is downloaded otherwise: the built-in model is part of the program. The model needs an ONNX file. It is put to use by
the setting embedding.model; all mail is then read anew in the background, and the index before serves until that is done.`,
        examples: [
          "postroom model pull Xenova/all-MiniLM-L6-v2",
          "POSTROOM_EMBEDDING_MODEL=Xenova/all-MiniLM-L6-v2 postroom serve",
        ],
      },
    ).action(pull),
  );
}

async function pull(model: string, options: CommonOptions & { revision: string }): Promise<void> {
  const config = loadConfig(sourcesOf(options));
  let told = 0;
  const pulled = await pullModel({
    data_dir: config.data_dir,
    model,
    revision: options.revision,
    hub: config.get("embedding.hub"),
    now_ms: systemClock.now(),
    progress(file, done, total) {
      const share = total === 0 ? 1 : done / total;
      if (done < total && share - told < TOLD_EVERY) return;
      told = done < total ? share : 0;
      if (!options.json && process.stderr.isTTY) console.error(`${file}: ${Math.round(share * 100)} %`);
    },
  });
  if (options.json) console.log(JSON.stringify(pulled));
  else console.log(`${model} is here, at revision ${pulled.revision}. Set embedding.model = "${model}" to use it.`);
}
