import { type Static, Type } from "@sinclair/typebox";
import { OneOf } from "../../http/schema.ts";

const FindingView = Type.Object(
  { check: Type.String(), result: OneOf(["ok", "advice", "FAULT"]), detail: Type.String() },
  { $id: "Finding" },
);

export const SystemQuery = Type.Object({
  /** Log in to the mail servers too, which takes seconds. */
  servers: Type.Boolean({ default: false }),
});

export const System = Type.Object(
  {
    version: Type.String(),
    uptime_s: Type.Integer(),
    disk: Type.Object({ free_bytes: Type.Integer(), total_bytes: Type.Integer() }),
    database: Type.Object({ size_bytes: Type.Integer(), wal_bytes: Type.Integer() }),
    custody: OneOf(["key_file", "passphrase", "elsewhere"]),
    findings: Type.Array(FindingView),
  },
  { $id: "System" },
);
export type System = Static<typeof System>;
