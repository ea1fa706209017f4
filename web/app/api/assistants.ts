import type { Static } from "@sinclair/typebox";
import type {
  ApprovalCount,
  ApprovalView,
  Approved as ApprovedModel,
  PolicyView,
} from "../../../src/features/assistants/model.ts";
import type { AssistantSettings as SettingsModel } from "../../../src/features/oauth-server/model.ts";

/** Types of `app/api/assistants` and `app/api/approvals`. */

export type {
  ApprovalItem,
  AssistantList,
  AssistantView as Assistant,
} from "../../../src/features/assistants/model.ts";
export type { ConsentBody, ConsentView as ConsentRequest } from "../../../src/features/oauth-server/model.ts";
export type Approval = ApprovalView;
export type ApprovalCounted = Static<typeof ApprovalCount>;
export type Approved = Static<typeof ApprovedModel>;
export type SendingPolicy = Static<typeof PolicyView>;
export type AssistantSettings = Static<typeof SettingsModel>;
