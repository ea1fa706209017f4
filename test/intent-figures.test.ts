import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { MAY_ASK } from "../src/ml/extract/hints.ts";
import { askOf } from "../src/ml/extract/intent.ts";
import { crossValidate, type Figures, figures, type Labeled } from "../tools/intent/fit.ts";
import { FIXTURES } from "./support/fixtures-path.ts";

const SET = join(FIXTURES, "intent/email-intent-train.json");
if (!existsSync(SET)) console.info("skipped: the labeled sentences of fixtures/intent are not available");

const words = ({ precision, recall, f1 }: Figures) =>
  `precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}, F1 ${f1.toFixed(3)}`;

test.skipIf(!existsSync(SET))(
  "sentences of real mail that want something are distinguished from those that do not",
  async () => {
    const data = (await Bun.file(SET).json()) as Labeled[];
    const fitted = figures(
      data.map(({ text, label }) => [MAY_ASK.test(text) && askOf(text).kind !== null, label === "Yes"] as const),
    );
    const unseen = crossValidate(data);
    console.info(`intent, ${data.length} labeled sentences: ${words(fitted)} (the weights were fitted to them)`);
    console.info(`intent, five-fold cross-validation: ${words(unseen)}`);
    expect(unseen.f1).toBeGreaterThan(0.8);
    expect(unseen.precision).toBeGreaterThan(0.8);
    expect(unseen.recall).toBeGreaterThan(0.78);
    expect(fitted.f1).toBeGreaterThan(0.83);
  },
  60_000,
);
