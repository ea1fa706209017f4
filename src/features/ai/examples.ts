import type { EngineName } from "./engines.ts";

const thread_id = "thr_01jz4t9h2m8q5r7v3w6x0y1z2a";
const message_id = "msg_01jz4t9h2m8q5r7v3w6x0y1z2b";
const QUOTE = "The contract ends on 30 June 2026.";
const citation = { message_id, thread_id, quote: QUOTE, start: 41, end: 41 + QUOTE.length };
const engine: EngineName = "extractive";

export const EXAMPLE_ANSWER = {
  answered: true,
  confidence: 0.91,
  answer: `30 June 2026.\nMaria Silva on 2 March 2026: “${QUOTE}”`,
  citations: [citation],
  possible: [],
  replaced: [],
  fallback: null,
  credits_spent: 1,
  engine,
};

export const EXAMPLE_SUMMARY = {
  thread_id,
  summary: `Maria Silva: ${QUOTE}`,
  points: [{ text: `Maria Silva: ${QUOTE}`, citation }],
  fallback: null,
  credits_spent: 1,
  engine,
};

const at = (quote: string, start: number) => ({ message_id, thread_id, quote, start, end: start + quote.length });

export const EXAMPLE_EXTRACTION = {
  thread_id,
  commitments: [
    {
      ...at("I'll send it by Friday.", 80),
      by: "them" as const,
      due: "2026-03-06",
      kept: false,
      said_at: "2026-03-02T09:00:00.000Z",
    },
  ],
  dates: [{ ...at("30 June 2026", 62), date: "2026-06-30" }],
  asks: [
    {
      ...at("Could you sign it?", 110),
      kind: "question" as const,
      from: { name: "Maria Silva", email: "maria@acme.example" },
      due: null,
    },
  ],
  decisions: [at("We agreed on two years.", 140)],
  amounts: [{ ...at("€1,200", 180), currency: "EUR", value: 1200 }],
  credits_spent: 1,
  engine: "extractive" as const,
};

export const EXAMPLE_STATUS = {
  engine: "local" as EngineName,
  model: "qwen2.5:7b",
  host: "127.0.0.1:11434",
  problem: null,
  found: [{ kind: "ollama" as const, base_url: "http://127.0.0.1:11434/v1", models: ["qwen2.5:7b"] }],
};

export const EXAMPLE_CALL = {
  at: "2026-03-02T09:00:00.000Z",
  purpose: "draft",
  host: "127.0.0.1:11434",
  model: "qwen2.5:7b",
  bytes_out: 4312,
  bytes_in: 988,
  message_ids: [message_id],
  result: "ok",
};
