import type { CopyService } from "../backup/copies/service.ts";
import type { BackupService } from "../backup/service.ts";
import type { TargetService } from "../backup/target-service.ts";
import { type ApprovalRouteParts, approvalAppRoutes } from "../features/assistants/routes.ts";
import type { Auth } from "../features/auth/auth.ts";
import { authAppRoutes } from "../features/auth/routes.ts";
import { backupAppRoutes } from "../features/backup/app-routes.ts";
import { connectAppRoutes } from "../features/connect/app-routes.ts";
import type { ConnectParts } from "../features/connect/parts.ts";
import { type ExportRouteParts, exportAppRoutes } from "../features/export/app-routes.ts";
import { importAppRoutes } from "../features/import/app-routes.ts";
import type { ImportServiceParts } from "../features/import/service.ts";
import { notificationAppRoutes } from "../features/notifications/app-routes.ts";
import type { NotificationService } from "../features/notifications/service.ts";
import { type AssistantRouteParts, assistantAppRoutes } from "../features/oauth-server/routes.ts";
import { systemAppRoutes } from "../features/system/app-routes.ts";
import type { SystemService } from "../features/system/service.ts";
import { usageAppRoutes } from "../features/usage/app-routes.ts";
import { webhookAppRoutes } from "../features/webhooks/app-routes.ts";
import type { Webhooks } from "../features/webhooks/webhooks.ts";
import type { Route } from "../http/route.ts";
import type { Platform } from "../platform/platform.ts";
import type { MemberServices } from "./members.ts";

/** The dependencies of the settings page's own paths. Each feature picks what it needs. */
export interface SettingsParts {
  platform: Platform;
  auth: Auth;
  assistants: AssistantRouteParts;
  approvals: ApprovalRouteParts;
  backups: BackupService;
  copies: CopyService;
  targets: TargetService;
  connecting: ConnectParts;
  exporting: ExportRouteParts;
  importing: ImportServiceParts;
  members: Pick<MemberServices, "routes">;
  system: SystemService;
  webhooks: Pick<Webhooks, "service" | "deliveries">;
  notifications: NotificationService;
}

/**
 * Returns every path of the settings page's own API, under /app/api. These paths serve signed-in people, never API
 * keys.
 */
export function appRoutes(parts: SettingsParts): Route[] {
  return [
    ...authAppRoutes(parts.auth),
    ...connectAppRoutes(parts.connecting),
    ...parts.members.routes,
    ...backupAppRoutes(parts),
    ...exportAppRoutes(parts.exporting),
    ...importAppRoutes(parts.importing),
    ...assistantAppRoutes(parts.assistants),
    ...approvalAppRoutes(parts.approvals),
    ...systemAppRoutes(parts.system),
    ...usageAppRoutes(parts.platform),
    ...webhookAppRoutes(parts.webhooks),
    ...notificationAppRoutes(parts.notifications),
  ];
}
