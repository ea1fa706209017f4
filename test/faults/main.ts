/**
 * Faults: `./dev faults [NAME...] [--short] [--seed N] [--json]`. The order is that of the names below; a seed decides all
 * that chance decides, except how fast the machine is at that moment.
 */
import { join } from "node:path";
import type { Campaign } from "./campaign.ts";
import { certificateCampaign } from "./certificate.ts";
import { clockJumpsCampaign } from "./clock-jumps.ts";
import { damagedFilesCampaign } from "./damaged-files.ts";
import { diskFullCampaign } from "./disk-full.ts";
import { dnsCampaign } from "./dns.ts";
import { imapLineCampaign } from "./imap-line.ts";
import { killSend } from "./kill-send.ts";
import { killSync } from "./kill-sync.ts";
import { killWebhooks } from "./kill-webhooks.ts";
import { runCampaigns } from "./run-campaigns.ts";
import { smtpLineCampaign } from "./smtp-line.ts";
import { twoInstancesCampaign } from "./two-instances.ts";

const CAMPAIGNS: Record<string, Campaign> = {
  "kill-sync": killSync,
  "kill-send": killSend,
  "kill-webhooks": killWebhooks,
  "imap-line": imapLineCampaign,
  "smtp-line": smtpLineCampaign,
  certificate: certificateCampaign,
  "disk-full": diskFullCampaign,
  "damaged-files": damagedFilesCampaign,
  "clock-jumps": clockJumpsCampaign,
  dns: dnsCampaign,
  "two-instances": twoInstancesCampaign,
};

await runCampaigns("faults", join(import.meta.dir, "results"), CAMPAIGNS);
