import { Type } from "@sinclair/typebox";
import { contentDisposition } from "../../http/disposition.ts";
import { type Route, read } from "../../http/route.ts";
import { OneOf } from "../../http/schema.ts";
import { utcDay } from "../../kernel/clock.ts";
import type { Mailbox } from "../../mailbox/mailbox.ts";
import type { ContentSource } from "../../mailbox/store/content-source.ts";
import type { Platform } from "../../platform/platform.ts";
import { MailExport } from "./mail-export.ts";

export interface ExportRouteParts {
  platform: Platform;
  mailbox: Mailbox;
  content: ContentSource;
}

const TYPES = { mbox: "application/mbox", eml: "application/x-tar" } as const;

/** Defines the route that downloads a mailbox as a file, for the owner of the mailbox. */
export function exportAppRoutes(parts: ExportRouteParts): Route[] {
  return [
    read({
      method: "POST",
      path: "/exports",
      audience: "session",
      recentAuth: true,
      body: Type.Object({ account_id: Type.String(), format: OneOf(["mbox", "eml"]) }, { $id: "NewExport" }),
      produces: "application/octet-stream",
      handle: ({ body, caller, openStream }) => {
        const { platform, mailbox } = parts;
        const { user_id, actor, request_id } = caller;
        const account = mailbox.accounts.owned(user_id, body.account_id, "account_id");
        const after = { format: body.format };
        platform.audit.record({ user_id, actor, action: "account.export", target: account.id, after, request_id });
        openStream();
        const made = new MailExport(parts, account);
        // The counts are final only at the end of the stream, when the response can no longer report them.
        const written = () => {
          const whole = { user_id, actor, action: "account.exported", target: account.id, request_id };
          platform.audit.record({ ...whole, after: { ...after, ...made.counts } });
        };
        const name = `${account.email}-${utcDay(platform.clock.now())}.${body.format === "mbox" ? "mbox" : "tar"}`;
        return new Response(made.stream(body.format, written), {
          headers: {
            "Content-Type": TYPES[body.format],
            "Content-Disposition": contentDisposition(name),
            "Cache-Control": "no-store",
            "X-Content-Type-Options": "nosniff",
          },
        });
      },
    }),
  ];
}
