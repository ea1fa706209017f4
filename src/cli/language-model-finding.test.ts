import { expect, test } from "bun:test";
import type { LanguageModelChoice } from "../app/language-model.ts";
import type { Surroundings } from "../ml/language-model/surroundings.ts";
import { findingOf } from "./language-model-finding.ts";

type EngineStatus = ReturnType<LanguageModelChoice["status"]>;

const GB = 1_000_000_000;
const BASE = "http://127.0.0.1:11434/v1";
const NONE: EngineStatus = { engine: "extractive", model: null, host: null, problem: null };
const LOCAL: EngineStatus = { engine: "local", model: "qwen2.5:7b", host: "127.0.0.1:11434", problem: null };

function around(gigabytes: number, ...models: string[]): Surroundings {
  const installed = models.map((name) => ({ name, bytes: 4 * GB, elsewhere: false, loaded: false }));
  const server = { kind: "ollama" as const, base_url: BASE, models: installed, context_tokens: null };
  return { servers: models.length > 0 ? [server] : [], memory: { bytes: gigabytes * GB, limited: false } };
}

test("without a model, doctor says which one fits, and how to get it", () => {
  expect(findingOf(NONE, { base_url: null }, around(8))).toEqual({
    check: "language model",
    result: "ok",
    detail:
      "None, so the built-in engine answers. 8 GB are free: Qwen 2.5 7B, 4.7 GB to download and about 6 GB in memory, " +
      "29 languages. Without a graphics card, it can be too slow: then use gemma3:4b. To get it: ollama pull qwen2.5:7b",
  });
});

test("an installed model that is not used is advice with the command to use it", () => {
  expect(findingOf(NONE, { base_url: null }, around(8, "qwen2.5:7b"))).toMatchObject({
    result: "advice",
    detail: expect.stringContaining("qwen2.5:7b is installed on this machine. To use it: postroom model use"),
  });
});

test("a model in use is passed if its server has it, also by its other name", () => {
  expect(findingOf(LOCAL, { base_url: BASE }, around(8, "qwen2.5:7b")).result).toBe("ok");
  const latest = { ...LOCAL, model: "mistral" };
  expect(findingOf(latest, { base_url: "http://localhost:11434/v1/" }, around(8, "mistral:latest")).result).toBe("ok");
});

test("a server that does not answer or lacks the model is advice", () => {
  expect(findingOf(LOCAL, { base_url: BASE }, around(8)).detail).toContain(`no server answers at ${BASE}`);
  const lacking = findingOf(LOCAL, { base_url: BASE }, around(8, "gemma3:4b"));
  expect([lacking.result, lacking.detail]).toEqual(["advice", expect.stringContaining("ollama pull qwen2.5:7b")]);
  expect(findingOf(LOCAL, { base_url: "http://127.0.0.1:9999/v1" }, around(8)).result).toBe("ok");
});

test("a model on another machine is named with its host", () => {
  const hosted: EngineStatus = { engine: "hosted", model: "big", host: "api.example.com", problem: null };
  expect(findingOf(hosted, { base_url: "https://api.example.com/v1" }, around(8)).detail).toContain(
    "leaves this machine",
  );
  const refused: EngineStatus = { ...NONE, problem: "api.example.com is not listed in ai.allow_hosts." };
  expect(findingOf(refused, { base_url: "https://api.example.com/v1" }, around(8)).result).toBe("advice");
});
