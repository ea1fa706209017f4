import { Argument, Command, type Option } from "commander";
import { explained } from "./context.ts";

/** A place on the command line: which words may follow there. */
interface Place {
  /** "postroom account add" */
  path: string;
  commands: { name: string; description: string }[];
  options: { long: string; description: string; value: Value | null }[];
  /** What may stand as an argument; empty: a thing that a shell cannot know, or a file. */
  choices: readonly string[];
}

/** What an option takes. */
type Value = { choices: readonly string[] } | "folder" | "file" | "text";

const SHELLS = { bash, zsh, fish } as const;
type Shell = keyof typeof SHELLS;

export function completionCommand(): Command {
  return explained(
    new Command("completion")
      .description("Print what makes a shell complete commands and options.")
      .addArgument(new Argument("<shell>", "which shell").choices(Object.keys(SHELLS))),
    {
      notes: `bash: put 'source <(postroom completion bash)' into ~/.bashrc. zsh: write it to a file _postroom in a folder of $fpath. fish: write it
to ~/.config/fish/completions/postroom.fish. Print it again after an upgrade.`,
      examples: [
        "source <(postroom completion bash)",
        "postroom completion zsh > ~/.zfunc/_postroom",
        "postroom completion fish > ~/.config/fish/completions/postroom.fish",
      ],
    },
  ).action((shell: Shell, _options: unknown, self: Command) => {
    process.stdout.write(completionScript(shell, self.parent!));
  });
}

/** The script for one shell, from the program's own commands: it knows what the program knows. */
export function completionScript(shell: Shell, program: Command): string {
  return SHELLS[shell](placesOf(program, program.name()));
}

function placesOf(subject: Command, path: string): Place[] {
  const visible = subject.createHelp().visibleCommands(subject);
  const place: Place = {
    path,
    commands: visible.map((child) => ({ name: child.name(), description: child.description() })),
    options: subject
      .createHelp()
      .visibleOptions(subject)
      .filter((option) => option.long)
      .map((option) => ({ long: option.long!, description: option.description, value: takenBy(option) })),
    choices: subject.registeredArguments[0]?.argChoices ?? [],
  };
  // The help command that commander adds by itself has no tree below it.
  const children = subject.commands.filter((child) => visible.includes(child));
  return [place, ...children.flatMap((child) => placesOf(child, `${path} ${child.name()}`))];
}

function takenBy(option: Option): Value | null {
  if (!option.required && !option.optional) return null;
  if (option.argChoices) return { choices: option.argChoices };
  const placeholder = /<(\w+)/.exec(option.flags)?.[1];
  return placeholder === "dir" ? "folder" : placeholder === "file" ? "file" : "text";
}

/** A text inside single quotes, for bash and zsh. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const paths = (places: readonly Place[]): string[] => places.slice(1).map(({ path }) => path);
/** Options of all places with what they take: "path --option". */
const values = (places: readonly Place[]): { key: string; value: Value }[] =>
  places.flatMap(({ path, options }) =>
    options.flatMap(({ long, value }) => (value ? [{ key: `${path} ${long}`, value }] : [])),
  );

function bash(places: Place[]): string {
  const reply = (value: Value) =>
    typeof value === "object"
      ? `COMPREPLY=($(compgen -W ${quoted(value.choices.join(" "))} -- "$cur"))`
      : { folder: `COMPREPLY=($(compgen -d -- "$cur"))`, file: `COMPREPLY=($(compgen -f -- "$cur"))`, text: ":" }[
          value
        ];
  const words = ({ commands, options, choices }: Place) =>
    quoted([...commands.map(({ name }) => name), ...choices, ...options.map(({ long }) => long)].join(" "));
  return `# bash completion for postroom; made by 'postroom completion bash'
_postroom() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" at=postroom i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
      ${paths(places).map(quoted).join("|")}) at="$at \${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at $prev" in
${values(places)
  .map(({ key, value }) => `    ${quoted(key)}) ${reply(value)}; return ;;`)
  .join("\n")}
  esac
  case "$at" in
${places.map((place) => `    ${quoted(place.path)}) COMPREPLY=($(compgen -W ${words(place)} -- "$cur")) ;;`).join("\n")}
  esac
}
complete -o default -F _postroom postroom
`;
}

function zsh(places: Place[]): string {
  const reply = (value: Value) =>
    typeof value === "object"
      ? `compadd -- ${value.choices.map(quoted).join(" ")}`
      : { folder: "_files -/", file: "_files", text: "_message value" }[value];
  const list = ({ commands, options, choices }: Place) =>
    [
      ...commands.map(({ name, description }) => `${name}:${description}`),
      ...choices,
      ...options.map(({ long, description }) => `${long}:${description}`),
    ]
      .map(quoted)
      .join(" ");
  return `#compdef postroom
# zsh completion for postroom; made by 'postroom completion zsh'
_postroom() {
  local at=postroom word
  local -a items
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at $word" in
      (${paths(places).map(quoted).join("|")}) at="$at $word" ;;
    esac
  done
  case "$at \${words[CURRENT-1]}" in
${values(places)
  .map(({ key, value }) => `    (${quoted(key)}) ${reply(value)}; return ;;`)
  .join("\n")}
  esac
  case "$at" in
${places.map((place) => `    (${quoted(place.path)}) items=(${list(place)}) ;;`).join("\n")}
  esac
  _describe postroom items || _files
}
if [ "$funcstack[1]" = "_postroom" ]; then _postroom "$@"; else compdef _postroom postroom; fi
`;
}

function fish(places: Place[]): string {
  const text = (words: string) => `'${words.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  const at = (path: string) => `-n ${text(`__postroom_at "${path}"`)}`;
  const lines = places.flatMap(({ path, commands, options, choices }) => [
    // Where the program knows what follows, no file does.
    ...(commands.length + choices.length > 0 ? [`complete -c postroom ${at(path)} -f`] : []),
    ...commands.map(({ name, description }) => `complete -c postroom ${at(path)} -a ${name} -d ${text(description)}`),
    ...choices.map((choice) => `complete -c postroom ${at(path)} -a ${text(choice)}`),
    ...options.map(({ long, description, value }) => {
      const takes =
        value === null ? "" : typeof value === "object" ? ` -x -a ${text(value.choices.join(" "))}` : TAKES[value];
      return `complete -c postroom ${at(path)} -l ${long.slice(2)}${takes} -d ${text(description)}`;
    }),
  ]);
  return `# fish completion for postroom; made by 'postroom completion fish'
function __postroom_at
  set -l at postroom
  for word in (commandline -opc)[2..-1]
    if contains -- "$at $word" ${paths(places).map(text).join(" ")}
      set at "$at $word"
    end
  end
  test "$at" = "$argv[1]"
end
${lines.join("\n")}
`;
}

/** What fish is told of an option's value; \`-r\` alone offers files. */
const TAKES: Record<"folder" | "file" | "text", string> = {
  folder: " -x -a '(__fish_complete_directories)'",
  file: " -r",
  text: " -x",
};
