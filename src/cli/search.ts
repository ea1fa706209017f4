import type { Command } from "commander";
import { searchOnce } from "../app/search.ts";
import { UserError } from "../kernel/errors.ts";
import { type CommonOptions, command, explained, sourcesOf, withPlatform } from "./context.ts";
import { printRows } from "./table.ts";
import { personByEmail } from "./user.ts";

const MODES = ["keyword", "semantic", "hybrid"] as const;
const MAX_RESULTS = 100;

interface SearchOptions extends CommonOptions {
  user: string;
  mode: string;
  limit: string;
  test?: boolean;
}

/** Defines `postroom search`. */
export function searchCommand(): Command {
  return explained(
    command("search", "Search the mail of a person.")
      .argument("<query>", "search words and operators")
      .requiredOption("--user <email>", "person whose mail to search")
      .option("--mode <mode>", `search mode: ${MODES.join(", ")}`, "hybrid")
      .option("--limit <n>", `maximum number of results, up to ${MAX_RESULTS}`, "10")
      .option("--test", "search the sandbox mailbox")
      .option("--json", "print JSON"),
    {
      notes: "Runs the same search as POST /v1/search and prints one line per thread. The search uses no AI credits.",
      examples: [
        'postroom search "invoice from:ada newer_than:1y" --user you@example.org',
        'postroom search "when does my flight leave" --user you@example.org --mode semantic --limit 3',
        'postroom search "invoice" --user you@example.org --test',
      ],
    },
  ).action(search);
}

async function search(query: string, options: SearchOptions): Promise<void> {
  const mode = MODES.find((name) => name === options.mode);
  if (!mode) throw new UserError(`--mode must be one of ${MODES.join(", ")}.`);
  const limit = Number(options.limit);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_RESULTS) {
    throw new UserError(`--limit must be a number from 1 to ${MAX_RESULTS}.`);
  }
  await withPlatform(options, async (platform, mailbox) => {
    const person = personByEmail(platform, options.user);
    const user_id = options.test ? platform.users.sandboxOf(person.id).id : person.id;
    const wanted = { user_id, query, mode, limit };
    const { results, partial, waiting_full_text } = await searchOnce(platform, mailbox, sourcesOf(options), wanted);
    const rows = results.map(({ date, from, subject, score, snippet, message_id }) => ({
      date: date.slice(0, 10),
      from: from.name || from.email,
      subject,
      score: score.toFixed(2),
      ...(options.json ? { message_id, snippet } : {}),
    }));
    printRows(rows, options.json, "No results.");
    if (waiting_full_text > 0)
      console.error(`${waiting_full_text} messages are not in the full-text index yet, so results may be missing.`);
    else if (partial) console.error("Some of this mail is not in the semantic index yet, so results may be missing.");
  });
}
