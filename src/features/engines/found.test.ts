import { expect, test } from "bun:test";
import { describeFound } from "./found.ts";

const GB = 1_000_000_000;
const SERVER = {
  kind: "ollama" as const,
  base_url: "http://127.0.0.1:11434/v1",
  models: [
    { name: "qwen2.5:7b", bytes: 4_683_087_332, elsewhere: false, loaded: false },
    { name: "gpt-oss:120b-cloud", bytes: null, elsewhere: true, loaded: false },
  ],
  context_tokens: null,
};
const memory = { bytes: 8 * GB, limited: false };

test("the models of this machine are shown with sizes, and one is chosen", () => {
  const found = describeFound({ servers: [SERVER], memory }, 8_192);
  expect(found.choice).toEqual({ base_url: SERVER.base_url, model: "qwen2.5:7b" });
  expect(found.data[0]!.models).toEqual([
    { name: "qwen2.5:7b", size: "4.7 GB", elsewhere: false },
    { name: "gpt-oss:120b-cloud", size: null, elsewhere: true },
  ]);
});

test("a context that is smaller than the prompts of Postroom is a problem", () => {
  const problemOf = (context_tokens: number | null) =>
    describeFound({ servers: [{ ...SERVER, context_tokens }], memory }, 8_192).data[0]!.problem;
  expect([problemOf(null), problemOf(8_192)]).toEqual([null, null]);
  expect(problemOf(4_096)).toContain("Its context is 4096 tokens");
});

test("without a server, the commands to get a model are listed", () => {
  const { choice, recommendation } = describeFound({ servers: [], memory }, 8_192);
  expect(choice).toBeNull();
  expect(recommendation.commands.map(({ kind }) => kind)).toEqual(["ollama", "llama.cpp", "lm_studio"]);
  expect(describeFound({ servers: [], memory: { bytes: GB, limited: true } }, 8_192).recommendation.commands).toEqual(
    [],
  );
});
