/**
 * Gives every message of a data folder a vector, as if it had been embedded: bun fill-vectors.ts DIR. A few hundred
 * messages are really embedded; the others get one of these vectors, slightly rotated, because embedding a hundred
 * thousand would take minutes.
 */
import { guessLanguage } from "../../src/mailbox/search/language.ts";
import { openTexts } from "../../src/mailbox/search/texts.ts";
import { passageOf } from "../../src/ml/embedding/passage.ts";
import { SemanticEngine } from "../../src/ml/semantic/engine.ts";
import { quantize } from "../../src/ml/vectors/quantize.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { openPlatform } from "../../src/platform/platform.ts";

const TRUE_VECTORS = 400;
const NOISE = 0.03;
const BATCH = 500;

const config = loadConfig({ data_dir: process.argv[2]!, env: {} });
const platform = openPlatform({ config, clock: systemClock, durability: "normal" });
const engine = new SemanticEngine(platform);
const { model, embedder } = await engine.current();
const rows = platform.db.sql
  .query<{ user_id: string; n: number }, []>("SELECT user_id, message_n AS n FROM embed_queue ORDER BY n")
  .all();
let state = 1;
const random = () => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32 - 0.5;
};
for (const [user_id, waiting] of Map.groupBy(rows, (row) => row.user_id)) {
  const numbers = waiting.map(({ n }) => n);
  const step = Math.max(1, Math.floor(numbers.length / TRUE_VECTORS));
  const texts = openTexts(
    platform,
    user_id,
    numbers.filter((_, i) => i % step === 0),
  )
    .filter(({ text }) => guessLanguage(text) === "en")
    .map(({ head: { subject }, new_text, text }) => passageOf({ subject, new_text, text }));
  const vectors = await embedder.embed(texts);
  for (let i = 0; i < numbers.length; i += BATCH) {
    const batch = numbers.slice(i, i + BATCH).map((message_n) => {
      const near = vectors[Math.floor((random() + 0.5) * vectors.length) % vectors.length]!;
      return { message_n, vector: quantize(near.map((value) => value + random() * NOISE)) };
    });
    engine.store.put(user_id, model.id, batch);
  }
}
platform.db.sql.run("DELETE FROM jobs WHERE kind = 'embed-mail'");
await engine.close();
platform.close();
