import { type Static, Type } from "@sinclair/typebox";
import { Nullable, OneOf, Timestamp } from "../../http/schema.ts";

/** One audited change (docs/api.md, "Audit log"). */
export const AuditEntry = Type.Object(
  {
    id: Type.String({ examples: ["aud_01jz4t9h2m8q5r7v3w6x0y1z2a"] }),
    actor: Type.Object(
      {
        kind: OneOf(["key", "user", "assistant", "rule", "agent", "system"]),
        id: Nullable(Type.String()),
        tool: Type.Optional(Type.String({ description: "The assistant tool that made the change." })),
      },
      {
        description:
          "Who made the change: an API key, a person, an assistant, a rule, the agent, or the service itself.",
      },
    ),
    action: Type.String({ description: "For example `thread.update` or `key.create`." }),
    target: Nullable(Type.String({ description: "Id of the object that was changed." })),
    before: Type.Unknown({ description: "Values before the change; null if the object was created." }),
    after: Type.Unknown({ description: "Values after the change; null if the object was deleted." }),
    request_id: Nullable(Type.String()),
    at: Timestamp(),
  },
  { $id: "AuditEntry" },
);
export type AuditEntry = Static<typeof AuditEntry>;

/** An entry with names, for the settings page. */
export const NamedAuditEntry = Type.Composite(
  [
    AuditEntry,
    Type.Object({
      actor_name: Nullable(Type.String({ description: "Name of the key, the assistant or another person." })),
      target_name: Nullable(Type.String({ description: "Name of the object, if it still exists." })),
      target_page: Nullable(Type.String({ description: "Path of its page, such as `approvals/apv_…`." })),
    }),
  ],
  { $id: "NamedAuditEntry" },
);
export type NamedAuditEntry = Static<typeof NamedAuditEntry>;

export const auditQuery = {
  action: Type.Optional(Type.String({ description: "Only this action.", maxLength: 100 })),
  target: Type.Optional(Type.String({ description: "Only changes to the object with this id.", maxLength: 100 })),
};
