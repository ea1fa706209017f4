import { envName, OPTIONS, type Option } from "../../src/platform/config/table.ts";

/** Headings of the sections, and what is worth knowing about each. */
const SECTIONS: Record<string, { title: string; about: string }> = {
  http: {
    title: "Listening",
    about: "Behind a reverse proxy, `http.trusted_proxies` must name it; see operations.md.",
  },
  log: {
    title: "Log",
    about: "The log goes to standard error. It holds ids, counts and codes, never mail or addresses.",
  },
  owner: {
    title: "People",
    about: "Used when the first start creates the owner, and as defaults of `postroom user add`.",
  },
  master: {
    title: "Master key",
    about: "Without either, the key is a file in the data folder; security.md says what each choice protects.",
  },
  limits: {
    title: "Limits",
    about: "The defaults are those of the API's contract. The owner of the machine may raise them.",
  },
  ai: { title: "AI", about: "" },
  webhooks: { title: "Webhooks", about: "Webhooks reach public HTTPS addresses only, unless a host is listed here." },
  mail: { title: "Mail servers", about: "" },
  store: { title: "Attachments on disk", about: "" },
  retention: { title: "Retention", about: "Ledgers that grow by themselves are cut back every hour." },
};

type Entry = [key: string, option: Option];

/** Options by section, in the order of the table. */
function sections(): { name: string; title: string; about: string; entries: Entry[] }[] {
  const groups = Map.groupBy(Object.entries<Option>(OPTIONS), ([key]) => key.split(".")[0]!);
  return [...groups].map(([name, entries]) => {
    const section = SECTIONS[name] ?? { title: name[0]!.toUpperCase() + name.slice(1), about: "" };
    return { name, ...section, entries };
  });
}

/** docs/configuration.md */
export function configurationPage(): string {
  const tables = sections().map(({ title, about, entries }) => {
    const rows = entries.map(
      ([key, option]) =>
        `| \`${key}\`<br>\`${envName(key)}\`${option.secret ? `<br>\`${envName(key)}_FILE\`` : ""} | ${kindOf(option)} | ${defaultOf(option)} | ${inCell(option.help)} |`,
    );
    const intro = about ? `${about}\n\n` : "";
    return `## ${title}\n\n${intro}| key, variable | value | default | what it does |\n|---|---|---|---|\n${rows.join("\n")}\n`;
  });
  return `# Configuration

<!-- Made by: bun tools/docs/generate.ts. A test compares it with the program. -->

Postroom runs without any configuration. What is set is looked for in this order, the first wins:

1. command-line flags (\`postroom serve --port\`, \`--host\`),
2. environment variables; lists are separated by commas, an empty variable counts as not set,
3. the file named by \`--config\`, otherwise \`postroom.toml\` in the data folder. [config/postroom.example.toml](../config/postroom.example.toml)
   holds every key with its default.

Secrets can be given as a file too: \`POSTROOM_…_FILE\` names it, the variable of the same name without \`_FILE\` is then not looked at. An
unknown key in the file, or a value of the wrong kind, ends the start with a message that names the key. \`postroom doctor\` also finds misspelt
variables. Changes take effect at the next start.

Where the master key is kept outside the data folder (a passphrase or a key file), settings that grant access are ignored in a
\`postroom.toml\` in the data folder that changed, until \`postroom trust --accept\` accepts it: anyone who can write the folder
could have changed it. These are settings of proxies, sign-in, OAuth, models, webhooks, mail servers, session times and the backup
folder. A file outside the data folder (\`--config\`) and environment variables always count.

\`POSTROOM_DATA\` is the data folder (\`--data\`, default \`./data\`).

${tables.join("\n")}`;
}

/** config/postroom.example.toml: every key, commented out, with its default. */
export function exampleFile(): string {
  const parts = sections().map(({ name, title, about, entries }) => {
    const keys = entries.map(([key, option]) => {
      const notes = [option.help, ...(option.choices ? [`One of ${option.choices.join(", ")}.`] : [])].flatMap((text) =>
        wrap(text),
      );
      return `${notes.map((line) => `# ${line}`).join("\n")}\n#${key.slice(name.length + 1)} = ${tomlOf(option)}\n`;
    });
    const intro = about
      ? `${wrap(about.replaceAll("`", ""))
          .map((line) => `# ${line}`)
          .join("\n")}\n`
      : "";
    return `# --- ${title} ---\n${intro}[${name}]\n\n${keys.join("\n")}`;
  });
  return `# Configuration of Postroom: copy it to postroom.toml in the data folder and take the # away where you change something.
# Each key also has an environment variable: POSTROOM_, the section, the key, in capitals (POSTROOM_HTTP_PORT).
# Made by: bun tools/docs/generate.ts. A test compares it with the program.

${parts.join("\n\n")}`;
}

function kindOf({ type, min, max, choices }: Option): string {
  if (choices) return choices.map((choice) => `\`${choice}\``).join(", ");
  if (type === "boolean") return "`true`, `false`";
  if (type === "list") return "list";
  if (type === "string") return "text";
  const bounded = max !== undefined && max !== Number.MAX_SAFE_INTEGER;
  return bounded ? `${min ?? 0} to ${max}` : `whole number from ${min ?? 0}`;
}

function defaultOf(option: Option): string {
  const value = option.default;
  return value === "" || (Array.isArray(value) && value.length === 0) ? "" : `\`${String(value)}\``;
}

/** The default as TOML. JSON's texts, numbers, booleans and lists of texts are TOML's too. */
const tomlOf = (option: Option): string => JSON.stringify(option.default);

const inCell = (text: string): string => text.replaceAll("|", "\\|");

/** Lines of at most 110 characters. */
function wrap(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < 110) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
