import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { FoundModels } from "../../src/features/engines/model.ts";
import { noBrowser } from "../support/browser.ts";
import { type ReadPage, readPage } from "../support/read-page.ts";
import { type SettingsFixture, startSettings } from "../support/settings-fixture.ts";

/** Choosing a language model of this machine on the settings page, and an answer after it failed. */

const SLOW_MS = 240_000;
const skipped = noBrowser("the choice of a language model");
/** Nothing listens on this port. */
const BASE_URL = "http://127.0.0.1:1/v1";
const FOUND: FoundModels = {
  data: [
    {
      kind: "ollama",
      base_url: BASE_URL,
      models: [
        { name: "qwen2.5:7b", size: "4.7 GB", elsewhere: false },
        { name: "gpt-oss:120b-cloud", size: null, elsewhere: true },
      ],
      problem: null,
    },
  ],
  choice: { base_url: BASE_URL, model: "qwen2.5:7b" },
  recommendation: {
    text: "8 GB are free: Qwen 2.5 7B.",
    commands: [{ kind: "ollama", command: "ollama pull qwen2.5:7b" }],
  },
};

describe.skipIf(skipped)("a language model of this machine", () => {
  let fixture: SettingsFixture;
  let page: Page;
  let r: ReadPage;

  beforeAll(async () => {
    fixture = await startSettings();
    page = (await fixture.profile()).page;
    await fixture.setUp(page);
    r = readPage(fixture, page, fixture.live.newKey({ test: true }));
    await page.getByRole("switch", { name: "Sandbox" }).check();
  }, SLOW_MS);
  afterAll(() => fixture?.close(), SLOW_MS);

  /** The page does not ask the ports of the machine that runs the test. */
  const finding = async (found: FoundModels) => {
    await page.unroute("**/app/api/ai/found");
    await page.route("**/app/api/ai/found", (route) => route.fulfill({ json: found }));
  };

  test(
    "without one, the page says which fits, with the command to get it",
    async () => {
      await finding({ ...FOUND, data: [], choice: null });
      await r.fresh("#/ai");
      await page.getByText("8 GB are free: Qwen 2.5 7B.").waitFor();
      await page.getByText("ollama pull qwen2.5:7b").waitFor();
      await r.expectGoodPage();
    },
    SLOW_MS,
  );

  test(
    "one button uses it, and none is offered for a model that runs elsewhere",
    async () => {
      await finding(FOUND);
      await r.fresh("#/ai");
      await page.getByText("Recommended").waitFor();
      expect(await page.getByRole("button", { name: /^Use / }).allTextContents()).toEqual(["Use"]);
      await r.expectGoodPage();
      await r.button("Use qwen2.5:7b").click();
      await page.getByText("In use", { exact: true }).waitFor();
      await page.getByText("Model on this machine").waitFor();
      await r.expectGoodPage();
    },
    SLOW_MS,
  );

  test(
    "the Ask page says that it did not answer, and why",
    async () => {
      await r.fresh("#/ask");
      await page.getByLabel("Question").fill("When does the hazard log close?");
      await r.button("Ask").click();
      await page.getByRole("heading", { name: "Answer" }).waitFor();
      const reason =
        "The language model that you set up did not answer: The model's server at 127.0.0.1:1 could not be reached.";
      await page.getByText(reason).waitFor();
      await page.getByText("Answered by the built-in engine").waitFor();
    },
    SLOW_MS,
  );
});
