import type { Campaign } from "./campaign.ts";
import { certificateCampaign } from "./certificate.ts";
import { clockJumpsCampaign } from "./clock-jumps.ts";
import { damagedFilesCampaign } from "./damaged-files.ts";
import { diskFullCampaign } from "./disk-full.ts";
import { dnsCampaign } from "./dns.ts";
import { imapLineCampaign } from "./imap-line.ts";
import { killChangesCampaign } from "./kill-changes.ts";
import { killSend } from "./kill-send.ts";
import { killSync } from "./kill-sync.ts";
import { killUpgrade } from "./kill-upgrade.ts";
import { killWebhooks } from "./kill-webhooks.ts";
import { offMachineCampaign } from "./off-machine.ts";
import { smtpLineCampaign } from "./smtp-line.ts";
import { twoInstancesCampaign } from "./two-instances.ts";

/** The campaigns in the order in which they run. All but `dns` run daily, in short form (faults.test.ts). */
export const CAMPAIGNS = {
  "kill-sync": killSync,
  "kill-changes": killChangesCampaign,
  "kill-send": killSend,
  "kill-webhooks": killWebhooks,
  "kill-upgrade": killUpgrade,
  "imap-line": imapLineCampaign,
  "smtp-line": smtpLineCampaign,
  certificate: certificateCampaign,
  "disk-full": diskFullCampaign,
  "damaged-files": damagedFilesCampaign,
  "clock-jumps": clockJumpsCampaign,
  dns: dnsCampaign,
  "two-instances": twoInstancesCampaign,
  "off-machine": offMachineCampaign,
} satisfies Record<string, Campaign>;
