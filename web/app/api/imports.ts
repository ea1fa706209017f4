import type { ImportList, ImportView } from "../../../src/features/import/model.ts";
import { app } from "./client.ts";

/** Types of `app/api/imports`. */
export type MailImport = ImportView;
export type MailImports = ImportList;

/** The mailbox for the mail of an import: a new mailbox of this name, or an imported one. */
export type ImportTarget = { mailbox: string } | { account_id: string };

/** Returns the person's imports, newest first. They belong to the person, whether or not the page shows the sandbox. */
export function loadImports(): Promise<MailImports> {
  return app<MailImports>("GET", "/imports", { inSandbox: false });
}

/** Begins the upload of a file. @throws Fault */
export function beginImport(file: File, target: ImportTarget): Promise<MailImport> {
  const about = { file_name: file.name, file_modified_at: file.lastModified, bytes: file.size };
  return app<MailImport>("POST", "/imports", { body: { ...about, ...target }, inSandbox: false });
}

/** Uploads one part of a file. @throws Fault */
export function sendPart(id: string, offset: number, part: Blob): Promise<MailImport> {
  const path = `/imports/${encodeURIComponent(id)}/data`;
  return app<MailImport>("PUT", path, { body: part, query: { offset }, inSandbox: false });
}

/** Cancels an import. Imported messages are kept. @throws Fault */
export function cancelImport(id: string): Promise<MailImport> {
  return app<MailImport>("DELETE", `/imports/${encodeURIComponent(id)}`, { inSandbox: false });
}

/** Returns whether a file is the one whose upload began. After a reload, a browser cannot read a file until it is chosen again. */
export function isSameFile(file: File, { file_name, bytes, file_modified_at }: MailImport): boolean {
  return file.name === file_name && file.size === bytes && file.lastModified === file_modified_at;
}
