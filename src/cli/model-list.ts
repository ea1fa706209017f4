import { existsSync } from "node:fs";
import { join } from "node:path";
import { type LanguageModelChoice, openLanguageModelChoice } from "../app/language-model.ts";
import { ownerWriter } from "../app/members.ts";
import { UserError } from "../kernel/errors.ts";
import { BUILT_IN_SETTING } from "../ml/embedding/model.ts";
import { pulledModels } from "../ml/embedding/pull.ts";
import { ModelFault } from "../ml/language-model/faults.ts";
import { amountInWords, chooseModel, recommendationInWords } from "../ml/language-model/recommended.ts";
import { commandsFor, contextProblem, lookAround, type Surroundings } from "../ml/language-model/surroundings.ts";
import { loadConfig } from "../platform/config/load.ts";
import { type CommonOptions, command, explained, sourcesOf, withPlatform } from "./context.ts";
import { printRows, type Row, terminalSafe } from "./table.ts";

const SERVER_NAMES = { ollama: "Ollama", "llama.cpp": "llama.cpp", lm_studio: "LM Studio", other: "model server" };

/** Defines `postroom model list`. */
export const modelListCommand = () =>
  explained(
    command("list", "List models of this machine, and recommend one for the available memory.").option(
      "--json",
      "print JSON",
    ),
    {
      notes: `Models for search are the built-in one and those that 'postroom model pull' has downloaded. Models for
answers are those of Ollama, llama.cpp and LM Studio. Postroom asks their usual ports on this machine
(11434, 8080, 1234, 8000), and no other machine. It downloads no language model.`,
      examples: ["postroom model list", "postroom model list --json"],
    },
  ).action(list);

/** Defines `postroom model use`. */
export const modelUseCommand = () =>
  explained(
    command("use", "Use a language model of this machine for drafts, answers and summaries.")
      .argument("[model]", "name of the model, or 'built-in' for none (default: the one that 'model list' recommends)")
      .option("--server <url>", "address of its server, if several have it, such as http://127.0.0.1:11434/v1"),
    {
      notes: `The model is stored as on the settings page, and a running server uses it at once. A model on another machine
needs your consent on the settings page, or ai.allow_hosts in the configuration file.`,
      examples: ["postroom model use", "postroom model use qwen2.5:7b", "postroom model use built-in"],
    },
  ).action(use);

type EngineSettings = ReturnType<LanguageModelChoice["settings"]>;

const NOT_CONFIGURED: EngineSettings = { from: null, base_url: null, model: null, has_key: false };

async function list(options: CommonOptions): Promise<void> {
  const around = await lookAround();
  const config = loadConfig(sourcesOf(options));
  const current = existsSync(join(options.data, "postroom.db"))
    ? await withPlatform(options, (platform) => openLanguageModelChoice(platform).settings())
    : { ...NOT_CONFIGURED, base_url: config.get("ai.base_url") || null, model: config.get("ai.model") || null };
  const { servers, memory } = around;
  const best = chooseModel(servers, memory.bytes);
  const choice = best && { base_url: best.base_url, model: best.model };
  const recommendation = { text: recommendationInWords(memory), commands: commandsFor(memory) };
  const rows = [
    ...searchModels(options.data, config.get("embedding.model")),
    ...languageModels(around, current, choice),
  ];
  if (options.json) {
    console.log(JSON.stringify({ models: rows, choice, recommendation }, null, 2));
    return;
  }
  printRows(rows, false, "");
  const sentences = [
    ...servers.flatMap((server) => {
      const problem = contextProblem(server, config.get("ai.context_tokens"));
      return problem === null ? [] : [`${server.base_url}: ${problem}`];
    }),
    ...(choice && current.base_url === null
      ? [`To use ${terminalSafe(choice.model)} for answers: postroom model use`]
      : []),
    recommendation.text,
    ...recommendation.commands.map(({ kind, command: line }) => `  ${SERVER_NAMES[kind]}: ${line}`),
  ];
  console.error(`\n${sentences.join("\n")}`);
}

function searchModels(data_dir: string, setting: string): Row[] {
  const note = (model: string) => (model === setting ? "in use" : "");
  const pulled = pulledModels(data_dir).map(({ model, files }) => ({
    for: "search",
    server: "Postroom",
    model,
    size: amountInWords(files.reduce((sum, { bytes }) => sum + bytes, 0)),
    note: note(model),
  }));
  const builtIn = { for: "search", server: "Postroom", model: BUILT_IN_SETTING, size: null };
  return [{ ...builtIn, note: note(BUILT_IN_SETTING) }, ...pulled];
}

function languageModels(
  { servers }: Surroundings,
  current: EngineSettings,
  choice: { base_url: string; model: string } | null,
): Row[] {
  const isOne = (one: { base_url: string | null; model: string | null } | null, base_url: string, model: string) =>
    one !== null && one.base_url?.replace(/\/+$/, "") === base_url && one.model === model;
  const builtIn = { for: "answers", server: "Postroom", model: BUILT_IN_SETTING, size: null };
  const found = servers.flatMap(({ kind, base_url, models }) =>
    models.map(({ name, bytes, elsewhere }) => ({
      for: "answers",
      server: `${SERVER_NAMES[kind]}, ${base_url}`,
      model: name,
      size: bytes === null ? null : amountInWords(bytes),
      note: isOne(current, base_url, name)
        ? "in use"
        : elsewhere
          ? "runs on another machine"
          : isOne(choice, base_url, name)
            ? "recommended"
            : "",
    })),
  );
  const listed = found.some(({ note }) => note === "in use");
  const other =
    current.base_url === null || listed
      ? []
      : [
          {
            for: "answers",
            server: current.base_url,
            model: current.model ?? "",
            size: null,
            note: "in use, not found",
          },
        ];
  return [{ ...builtIn, note: current.base_url === null ? "in use" : "" }, ...found, ...other];
}

async function use(name: string | undefined, options: CommonOptions & { server?: string }): Promise<void> {
  await withPlatform(options, async (platform) => {
    const engines = openLanguageModelChoice(platform);
    if (engines.settings().from === "configuration")
      throw new UserError("The model is set in the configuration file (ai.base_url). Change it there.");
    const writer = ownerWriter(platform);
    if (name === BUILT_IN_SETTING) {
      engines.save(null, writer);
      console.log("Postroom now uses the built-in engine.");
      return;
    }
    const { base_url, model } = chosen(await lookAround(), name, options.server);
    try {
      engines.save({ base_url, model, api_key: null, approved_host: null }, writer);
    } catch (error) {
      if (error instanceof ModelFault)
        throw new UserError(`${error.message} You can agree on the settings page, under Brief and AI.`);
      throw error;
    }
    console.log(`Postroom now uses ${terminalSafe(model)} at ${base_url}.`);
  });
}

/** Returns the server and the model that a person means. @throws UserError */
function chosen({ servers, memory }: Surroundings, name: string | undefined, server: string | undefined) {
  if (name === undefined) {
    const choice = chooseModel(servers, memory.bytes);
    if (choice) return choice;
    throw new UserError("No model that fits was found on this machine. 'postroom model list' says how to get one.");
  }
  const base_url = server?.replace(/\/+$/, "");
  if (base_url !== undefined && !servers.some((one) => one.base_url === base_url)) return { base_url, model: name };
  const having = servers.filter(
    (one) => (base_url === undefined || one.base_url === base_url) && one.models.some((model) => model.name === name),
  );
  if (having.length > 1)
    throw new UserError(
      `Several servers have ${name}. Add --server with one of: ${having.map((one) => one.base_url).join(", ")}`,
    );
  if (having[0]) return { base_url: having[0].base_url, model: name };
  const names = servers.flatMap(({ models }) => models.map((model) => model.name));
  throw new UserError(
    `No server on this machine has ${name}. ${names.length === 0 ? "None was found." : `Found: ${names.join(", ")}.`} 'postroom model list' says more.`,
  );
}
