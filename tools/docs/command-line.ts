import type { Command, Option } from "commander";
import { manualOf } from "../../src/cli/context.ts";
import { buildProgram, pathOf } from "../../src/cli/program.ts";

/** docs/cli.md, from the same commands that the program runs. */
export function commandLinePage(): string {
  const program = buildProgram();
  const leaves = leavesOf(program);
  const index = leaves.map((leaf) => `| [\`${pathOf(leaf)}\`](#${anchor(pathOf(leaf))}) | ${leaf.description()} |`);
  return `# Command line

<!-- Made by: bun tools/docs/generate.ts. A test compares it with the program. -->

${manualOf(program)?.notes ?? ""}

Every command takes \`--data DIR\` (or \`POSTROOM_DATA\`; default \`./data\`), \`--config FILE\` and \`--help\`, and \`--json\` where it prints a table.
Answers go to standard output; everything else, complaints and the log, to standard error.

| command | what it does |
|---|---|
${index.join("\n")}

${leaves.map(section).join("\n")}`;
}

function leavesOf(subject: Command): Command[] {
  return subject.commands.length === 0 ? [subject] : subject.commands.flatMap(leavesOf);
}

/** What every command takes is said once. */
const COMMON = new Set(["--data", "--config"]);

function section(leaf: Command): string {
  const manual = manualOf(leaf);
  const words = leaf.registeredArguments.map((word) => word.name().toUpperCase());
  const synopsis = [pathOf(leaf), ...words].join(" ");
  const options = leaf.options.filter((option) => !COMMON.has(option.long ?? ""));
  const parts = [
    `## ${pathOf(leaf)}`,
    leaf.description(),
    `\`${synopsis}${options.length > 0 ? " [options]" : ""}\``,
    ...(options.length > 0 ? [`| option | |\n|---|---|\n${options.map(optionRow).join("\n")}`] : []),
    ...(manual?.notes ? [manual.notes] : []),
    ...(manual ? [`\`\`\`sh\n${manual.examples.join("\n")}\n\`\`\``] : []),
  ];
  return `${parts.join("\n\n")}\n`;
}

function optionRow(option: Option): string {
  const facts = [
    ...(option.mandatory ? ["required"] : []),
    ...(option.argChoices ? [`one of ${option.argChoices.join(", ")}`] : []),
    ...(option.defaultValue === undefined ? [] : [`default: ${String(option.defaultValue)}`]),
  ];
  const text = option.description + (facts.length > 0 ? ` (${facts.join("; ")})` : "");
  return `| \`${option.flags.replaceAll("|", "\\|")}\` | ${text.replaceAll("|", "\\|")} |`;
}

const anchor = (title: string): string => title.replaceAll(" ", "-");
