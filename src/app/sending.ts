import { readFileSync } from "node:fs";
import type { Mailbox } from "../mailbox/mailbox.ts";
import type { Outbound } from "../outbound/outbound.ts";
import { Dispatcher } from "../outbound/sends/dispatch.ts";
import { SentMail } from "../outbound/sends/sent-mail.ts";
import { ALWAYS_PERMITTED, type SendPermit } from "../platform/acting.ts";
import { BlobFiles } from "../platform/blobs/files.ts";
import type { Platform } from "../platform/platform.ts";
import { SmtpPool } from "../wire/smtp/pool.ts";
import { localDelivery } from "./mail.ts";

/** Builds the SMTP connections. @throws if mail.ca_file cannot be read */
export function createSmtp({ config, clock }: Platform): SmtpPool {
  const ca_file = config.get("mail.ca_file");
  return new SmtpPool({ clock, ca: ca_file ? readFileSync(ca_file, "utf8") : null });
}

/** Builds the dispatcher on this thread, whose commits wait for the disk. Sends need that durability. */
export function createDispatcher(
  platform: Platform,
  mailbox: Mailbox,
  { sends, draftStore, draftFiles }: Outbound,
  smtp: Pick<SmtpPool, "submit">,
  permit: SendPermit = ALWAYS_PERMITTED,
): Dispatcher {
  const { accounts, folders, localFolder, locations } = mailbox;
  const files = new BlobFiles(platform);
  const delivery = localDelivery(platform, mailbox);
  const sentMail = new SentMail({ platform, folders, localFolder, locations, files, delivery });
  const submit: SmtpPool["submit"] = (key, login, message) => smtp.submit(key, login, message);
  return new Dispatcher({ platform, accounts, sends, draftStore, draftFiles, sentMail, submit, permit });
}
