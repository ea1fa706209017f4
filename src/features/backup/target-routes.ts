import {
  type BackupTarget,
  backupTarget,
  effectiveTarget,
  isConfigured,
  OtherInstallation,
} from "../../backup/target.ts";
import type { TargetService } from "../../backup/target-service.ts";
import { act, change, type Route } from "../../http/route.ts";
import { ApiError, invalidParam, UserError } from "../../kernel/errors.ts";
import type { OptionKey } from "../../platform/config/table.ts";
import { EgressFault } from "../../platform/egress/faults.ts";
import { configuredSettings } from "../../platform/objects/place-settings.ts";
import { StoreFault } from "../../platform/objects/store.ts";
import type { Platform } from "../../platform/platform.ts";
import { SETTING_OF, targetOf } from "./change-target.ts";
import { BackupStatus, NewTarget, TargetTest, type TargetView } from "./model.ts";
import { shownPath } from "./target-checks.ts";

export interface TargetRouteParts {
  platform: Platform;
  targets: Pick<TargetService, "choose">;
}

const TEST_MS = 60_000;

/** Returns the routes that test and change the place of the copies. They require re-authentication, like another folder. */
export function targetRoutes({ platform, targets }: TargetRouteParts, status: () => BackupStatus): Route[] {
  return [
    act({
      method: "POST",
      path: "/backup/target/test",
      audience: "session",
      role: "owner",
      recentAuth: true,
      body: NewTarget,
      response: TargetTest,
      errors: ["connection_failed"],
      handle: async ({ caller, body, request, commit }) => {
        const target = effectiveTarget(platform.config, targetOf(platform, body));
        if (!target) throw invalidParam("kind", "There is nothing to test without a place.");
        const { user_id, actor, request_id } = caller;
        const record = (passed: boolean) => {
          const after = { place: target.text, passed };
          platform.audit.record({ user_id, actor, request_id, action: "backup.test", target: null, after });
        };
        const report = await test(platform, target, request.signal).catch((error) => {
          record(false);
          throw error;
        });
        return commit(() => {
          record(true);
          return report;
        });
      },
    }),
    change({
      method: "PUT",
      path: "/backup/target",
      audience: "session",
      role: "owner",
      recentAuth: true,
      body: NewTarget,
      response: BackupStatus,
      handle: ({ caller, body }) => {
        const { user_id, actor, request_id } = caller;
        targets.choose(targetOf(platform, body), { user_id, actor, request_id });
        return status();
      },
    }),
  ];
}

/** Tests a place. @throws ApiError invalid_params with the field to correct, connection_failed for anything else */
async function test(platform: Platform, target: BackupTarget, left: AbortSignal): Promise<TargetTest> {
  const { testTarget } = await import("../../backup/target-test.ts");
  const late = new AbortController();
  const stopTimer = platform.clock.after(TEST_MS, () => late.abort());
  try {
    return await testTarget(platform, target, { signal: AbortSignal.any([left, late.signal]) });
  } catch (error) {
    if (late.signal.aborted) {
      throw new ApiError("connection_failed", "The test was not finished within a minute. Try again later.");
    }
    if (error instanceof UserError) throw new ApiError("connection_failed", error.message, { cause: error });
    if (!(error instanceof StoreFault)) throw error;
    const field = fieldOf(platform, target, error);
    if (field === null) throw new ApiError("connection_failed", error.message, { cause: error });
    throw invalidParam(field, inForm(error.message));
  } finally {
    stopTimer();
  }
}

/** Returns the field of the form that a failure is about; null if there is none, or the configuration sets it. */
function fieldOf(platform: Platform, { place }: BackupTarget, fault: StoreFault): keyof NewTarget | null {
  if (place.kind === "folder") return "folder";
  if (fault.setting === null || isConfigured(platform, fault.setting)) return null;
  if (fault instanceof OtherInstallation) return place.kind === "s3" ? "prefix" : "path";
  if (fault.setting === "backup.to") {
    if (place.kind === "s3") return "bucket";
    return fault.cause instanceof EgressFault ? "host" : "path";
  }
  const found = Object.entries(SETTING_OF).find(([, key]) => key === fault.setting);
  return (found?.[0] as keyof NewTarget | undefined) ?? null;
}

/** Leaves out the names of settings, which people who use the form do not need. */
function inForm(message: string): string {
  return message
    .replace(/ \(you can configure a private one as ca_file\)/, ". If it is your own authority, paste its certificate")
    .replace(/ \(backup\.[^)]*\)/g, "");
}

/** Returns the place of the copies for the form, without secrets. */
export function viewTarget(platform: Platform): TargetView {
  const { config } = platform;
  const target = backupTarget(platform);
  const { s3, sftp } = target ?? configuredSettings(config);
  const place = target?.place ?? null;
  const server = place?.kind === "sftp" ? place : null;
  const shown = (key: OptionKey, value: string) => (isConfigured(platform, key) ? "" : value);
  return {
    kind: place?.kind ?? "off",
    folder: place?.kind === "folder" ? place.path : "",
    bucket: place?.kind === "s3" ? place.bucket : "",
    prefix: place?.kind === "s3" ? place.prefix : "",
    endpoint: s3.endpoint,
    region: s3.region,
    access_key_id: shown("backup.s3.access_key_id", s3.access_key_id),
    path_style: s3.path_style,
    ca: shown("backup.s3.ca_file", s3.ca),
    host: server?.host ?? "",
    port: server?.port ?? 22,
    user: server?.user ?? "",
    path: server ? shownPath(server.path) : "",
    sign_in: sftp.password !== "" && sftp.key === "" && sftp.key_file === "" ? "password" : "key",
    host_key: sftp.host_key,
    has_secret: server ? sftp.password !== "" || sftp.key !== "" || sftp.key_file !== "" : s3.secret_access_key !== "",
    configured: [...new Set(Object.values(SETTING_OF))].filter((key) => config.isSet(key)),
  };
}
