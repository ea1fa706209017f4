import { Type } from "@sinclair/typebox";
import { tool } from "../tool.ts";
import { exact } from "./fields.ts";

interface Account {
  id: string;
  email: string;
  provider: string;
  status: string;
  last_sync_at: string | null;
}

export const getOverview = tool({
  name: "get_overview",
  title: "Overview",
  description: "List the mailboxes and how up to date they are, today's usage, and what this connection may do.",
  scope: "mail:read",
  kind: "read",
  input: exact({}),
  output: Type.Object({ mailboxes: Type.Array(Type.Unknown()), scopes: Type.Array(Type.String()) }),
  run: async (_, { call, scopes }) => {
    const accounts = (await call("listAccounts")) as { data: Account[] };
    return {
      mailboxes: accounts.data.map(({ id, email, provider, status, last_sync_at }) => ({
        id,
        email,
        provider,
        status,
        last_sync_at,
      })),
      usage: scopes.includes("usage:read") ? await call("getUsage") : undefined,
      scopes: [...scopes] as string[],
    };
  },
});
