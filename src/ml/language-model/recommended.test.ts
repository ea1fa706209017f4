import { describe, expect, test } from "bun:test";
import type { FoundServer, InstalledModel, ServerKind } from "./detect.ts";
import { chooseModel, commandFor, LANGUAGE_MODELS, recommendationInWords, recommendedFor } from "./recommended.ts";

const GB = 1_000_000_000;
const installed = (name: string, gigabytes: number | null, more: Partial<InstalledModel> = {}): InstalledModel => ({
  name,
  bytes: gigabytes === null ? null : gigabytes * GB,
  elsewhere: false,
  loaded: false,
  ...more,
});
const server = (kind: ServerKind, ...models: InstalledModel[]): FoundServer => ({
  kind,
  base_url: `http://127.0.0.1:${kind === "ollama" ? 11_434 : 8_080}/v1`,
  models,
  context_tokens: null,
});

describe("the recommendation", () => {
  test.each([
    [32, "gemma3:27b"],
    [16, "gemma3:12b"],
    [8, "qwen2.5:7b"],
    [6, "gemma3:4b"],
    [4, "llama3.2:3b"],
    [2.5, "qwen2.5:1.5b"],
    [2, null],
  ])("for %d GB is %p", (gigabytes, name) => {
    expect(recommendedFor(gigabytes * GB)?.name ?? null).toBe(name);
  });

  test("is explained in words", () => {
    expect(recommendationInWords({ bytes: 8 * GB, limited: false })).toBe(
      "8 GB are free: Qwen 2.5 7B, 4.7 GB to download and about 6 GB in memory, 29 languages. Without a graphics card, it can be too slow: then use gemma3:4b.",
    );
    expect(recommendationInWords({ bytes: 2 * GB, limited: true })).toBe(
      "2 GB are free within the memory limit of this container or service: too little for a language model, which needs at least 2.5 GB. The built-in engine needs none.",
    );
  });

  test("has a command for each kind of server", () => {
    const model = recommendedFor(8 * GB)!;
    expect(commandFor(model, "ollama")).toBe("ollama pull qwen2.5:7b");
    expect(commandFor(model, "llama.cpp")).toContain("-hf bartowski/Qwen2.5-7B-Instruct-GGUF:Q4_K_M");
    expect(commandFor(model, "lm_studio")).toStartWith("lms get ");
  });

  test("lists the models from the largest to the smallest", () => {
    const needs = LANGUAGE_MODELS.map(({ memoryBytes }) => memoryBytes);
    expect(needs).toEqual(needs.toSorted((a, b) => b - a));
    for (const { diskBytes, memoryBytes } of LANGUAGE_MODELS) expect(memoryBytes).toBeGreaterThan(diskBytes);
  });
});

describe("of the installed models", () => {
  const chosen = (gigabytes: number, ...servers: FoundServer[]) => chooseModel(servers, gigabytes * GB)?.model ?? null;

  test("the recommended one that fits is used, not a larger one", () => {
    const ollama = server("ollama", installed("mistral:7b", 4.4), installed("gemma3:4b", 3.3), installed("big", 40));
    expect(chosen(8, ollama)).toBe("gemma3:4b");
    expect(chosen(8, server("ollama", installed("tiny", 0.5), installed("mistral:7b", 4.4)))).toBe("mistral:7b");
    expect(chosen(3, server("ollama", installed("mistral:7b", 4.4)))).toBeNull();
  });

  test("one that is in memory needs no more of it", () => {
    expect(chosen(1, server("ollama", installed("qwen2.5:7b", 4.7, { loaded: true })))).toBe("qwen2.5:7b");
    const cpp = server("llama.cpp", installed("gemma.gguf", null, { loaded: true }));
    expect(chosen(1, server("ollama", installed("gemma3:4b", 3.3)), cpp)).toBe("gemma.gguf");
  });

  test("none that runs on another machine is chosen", () => {
    expect(chosen(64, server("ollama", installed("gpt-oss:120b-cloud", null, { elsewhere: true })))).toBeNull();
  });

  test("one of unknown size is the last choice", () => {
    const studio = server("lm_studio", installed("qwen2.5-7b-instruct", null));
    expect(chosen(8, studio)).toBe("qwen2.5-7b-instruct");
    expect(chosen(8, studio, server("ollama", installed("mistral:7b", 4.4)))).toBe("mistral:7b");
  });
});
