import { describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import fc from "fast-check";
import { answerJson } from "./answer-json.ts";
import { completionsUrl, isLocal, runsElsewhere } from "./endpoint.ts";
import { serverEvents } from "./server-events.ts";
import { fitting, tokensOf } from "./tokens.ts";

describe("where mail text may go", () => {
  test.each(["http://127.0.0.1:11434/v1", "http://localhost:8080/v1/", "http://[::1]:8080/v1", "http://127.9.9.9/v1"])(
    "this machine, always: %s",
    (base_url) => {
      expect(completionsUrl({ base_url, model: "tiny" }, []).pathname).toBe("/v1/chat/completions");
    },
  );

  test.each([
    ["https://api.example.com/v1", ["api.example.com"]],
    ["https://API.example.com:8443/v1", ["api.example.com"]],
    ["http://nas.lan:11434/v1", ["nas.lan:11434"]],
  ])("a host that the owner listed: %s", (base_url, allow) => {
    expect(completionsUrl({ base_url, model: "tiny" }, allow).host).toBe(new URL(base_url).host);
  });

  test.each([
    ["a host that is not listed", "https://api.example.com/v1", []],
    ["a part of a listed one", "https://evil-api.example.com/v1", ["api.example.com"]],
    ["a listed one as a subdomain", "https://api.example.com.evil.example/v1", ["api.example.com"]],
    ["a name that only looks local", "http://127.0.0.1.evil.example/v1", []],
    ["a name below localhost", "http://model.localhost/v1", []],
    ["localhost as a part", "http://localhost.evil.example/v1", []],
    ["a listed name without encryption", "http://api.example.com/v1", ["api.example.com"]],
    ["another scheme", "file:///etc/passwd", []],
    ["no URL", "nonsense", []],
    ["a password in it", "http://u:p@127.0.0.1/v1", []],
  ])("never %s", (_what, base_url, allow) => {
    expect(() => completionsUrl({ base_url, model: "tiny" }, allow)).toThrow();
  });

  test("a model that Ollama passes on to its maker only with consent to that", () => {
    const passedOn = { base_url: "http://127.0.0.1:11434/v1", model: "gpt-oss:120b-cloud" };
    expect(() => completionsUrl(passedOn, [])).toThrow("ollama.com is not listed");
    expect(completionsUrl(passedOn, ["ollama.com"]).hostname).toBe("127.0.0.1");
    expect(["glm-4.6:cloud", "qwen2.5:7b", "cloudy:7b"].map(runsElsewhere)).toEqual([true, false, false]);
  });

  test("the unspecified address is not this machine", () => {
    expect([isLocal("0.0.0.0"), isLocal("10.0.0.1"), isLocal("128.0.0.1")]).toEqual([false, false, false]);
  });
});

test("a stream yields the same events however it is split", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.string().filter((s) => !/[\r\n]/.test(s) && s.trim() !== ""),
        { maxLength: 5 },
      ),
      fc.integer({ min: 1, max: 9 }),
      fc.constantFrom("\n", "\r\n"),
      async (texts, size, eol) => {
        const bytes = new TextEncoder().encode(texts.map((text) => `: note${eol}data: ${text}${eol}${eol}`).join(""));
        async function* cut() {
          for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
        }
        const found: string[] = [];
        for await (const data of serverEvents(cut())) found.push(data);
        expect(found).toEqual(texts);
      },
    ),
  );
});

test("every text either contains the requested JSON or is refused", () => {
  const Shape = Type.Object({ a: Type.String() });
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      try {
        expect(typeof answerJson(text, Shape).a).toBe("string");
      } catch (error) {
        expect((error as Error).name).toBe("ModelFault");
      }
    }),
  );
});

test("a text is cut to fit, never in the middle of a character", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 400 }), fc.integer({ min: 0, max: 100 }), (text, tokens) => {
      const cut = fitting(text, tokens);
      expect(tokensOf(cut)).toBeLessThanOrEqual(Math.max(tokens, 0) + 1);
      expect(text.startsWith(cut)).toBe(true);
    }),
  );
});
