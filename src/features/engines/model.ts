import { type Static, Type } from "@sinclair/typebox";
import { Nullable, OneOf, Timestamp } from "../../http/schema.ts";

export const EngineView = Type.Object(
  {
    engine: OneOf(["extractive", "local", "hosted"]),
    from: Nullable(OneOf(["configuration", "settings"])),
    base_url: Nullable(Type.String()),
    model: Nullable(Type.String()),
    host: Nullable(Type.String()),
    has_key: Type.Boolean(),
    problem: Nullable(Type.String({ description: "Why the configured model is not in use." })),
    where_text_goes: Type.String({
      description: "Where mail text goes and how long it is kept there, in plain words.",
    }),
  },
  { $id: "AiSettings" },
);
export type EngineView = Static<typeof EngineView>;

export const EngineChoice = Type.Object(
  {
    base_url: Type.String({ minLength: 1, maxLength: 500, format: "uri" }),
    model: Type.String({ minLength: 1, maxLength: 200, pattern: "\\S" }),
    api_key: Type.Optional(
      Nullable(Type.String({ maxLength: 1_000, description: "Absent: keeps the stored key. Null: no key." })),
    ),
    allow_host: Type.Boolean({
      default: false,
      description: "The owner agrees that mail text is sent to this host. Not needed for a model on this machine.",
    }),
  },
  { $id: "AiChoice" },
);
export type EngineChoice = Static<typeof EngineChoice>;

const ServerKind = OneOf(["ollama", "llama.cpp", "lm_studio", "other"]);
export const FoundModels = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        kind: ServerKind,
        base_url: Type.String(),
        models: Type.Array(
          Type.Object({
            name: Type.String(),
            size: Nullable(Type.String({ description: "Size of its files: 4.7 GB." })),
            elsewhere: Type.Boolean({ description: "The server passes requests on to a provider on the internet." }),
          }),
        ),
        problem: Nullable(Type.String({ description: "What to change before the server is used." })),
      }),
    ),
    choice: Nullable(
      Type.Object(
        { base_url: Type.String(), model: Type.String() },
        { description: "The model that Postroom would use: the best one that fits into the available memory." },
      ),
    ),
    recommendation: Type.Object({
      text: Type.String({ description: "Which model fits into the available memory, in a sentence." }),
      commands: Type.Array(Type.Object({ kind: ServerKind, command: Type.String() }), {
        description: "How to get it, for each kind of server.",
      }),
    }),
  },
  { $id: "FoundModels" },
);
export type FoundModels = Static<typeof FoundModels>;

export const EngineTrial = Type.Partial(EngineChoice, { $id: "AiTrial", minProperties: 0 });
export type EngineTrial = Static<typeof EngineTrial>;
export const TrialResult = Type.Object(
  {
    ok: Type.Boolean(),
    milliseconds: Type.Integer(),
    problem: Nullable(Type.String()),
  },
  { $id: "AiTrialResult" },
);
export type TrialResult = Static<typeof TrialResult>;

const counts = {
  host: Type.String(),
  bytes_out: Type.Integer(),
};
export const Ledger = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        ...counts,
        at: Timestamp(),
        purpose: Type.String(),
        model: Type.String(),
        bytes_in: Nullable(Type.Integer()),
        message_ids: Type.Array(Type.String()),
        result: Nullable(
          Type.String({ description: "`ok`, the kind of failure, or null if the call was interrupted." }),
        ),
      }),
    ),
    has_more: Type.Boolean(),
    next_cursor: Type.Optional(Type.String()),
    totals: Type.Array(
      Type.Object({
        ...counts,
        calls: Type.Integer(),
        failed: Type.Integer(),
        bytes_in: Type.Integer(),
        last_at: Timestamp(),
      }),
    ),
  },
  { $id: "AiLedger" },
);
