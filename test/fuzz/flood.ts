import { eventually } from "../support/eventually.ts";
import { FLOODS, startFlood } from "./floods.ts";

/** Most memory that the client's process may grow by at its peak, MB. */
const MAX_MB = 150;
/** A flood is over for the client after this long. */
const LONGEST_MS = 60_000;
/** Measured in the short form, too: those that an audit found, and the most demanding one. */
const ALWAYS = ["search_line", "keywords", "fewer_keywords"];

interface FloodOutcome {
  /** Why the client ended the conversation; empty when it ran to its end. */
  ended: string;
  memory_peak_mb?: number;
}

/** Sends each flood to a client in a separate process, and measures the memory that it takes. */
export async function runFloods(short: boolean): Promise<{ figures: Record<string, number>; misses: string[] }> {
  const figures: Record<string, number> = { floods: 0, flood_peak_mb: 0 };
  const misses: string[] = [];
  for (const [name, flood] of Object.entries(FLOODS)) {
    if (short && !ALWAYS.includes(name)) continue;
    const server = await startFlood(flood);
    const program = `${import.meta.dir}/flood-child.ts`;
    const child = Bun.spawn([process.execPath, program, String(server.port)], { stdout: "pipe", stderr: "inherit" });
    try {
      await eventually(() => child.exitCode !== null, LONGEST_MS);
      const outcome = JSON.parse(await new Response(child.stdout).text()) as FloodOutcome;
      const peak = outcome.memory_peak_mb ?? 0;
      figures.floods!++;
      figures.flood_peak_mb = Math.max(figures.flood_peak_mb!, peak);
      if (ALWAYS.includes(name)) figures[`flood_${name}_mb`] = peak;
      if (peak > MAX_MB) misses.push(`the flood ${name} took ${peak} MB`);
      if (ALWAYS.includes(name) && !outcome.ended.startsWith("The mail server sent")) {
        misses.push(`the flood ${name} ended with: ${outcome.ended || "an answer that was taken for one"}`);
      }
    } catch (error) {
      misses.push(`the flood ${name}: ${(error as Error).message}`);
    } finally {
      child.kill("SIGKILL");
      await server.close();
    }
  }
  return { figures, misses };
}
