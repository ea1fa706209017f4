interface MailboxPatch {
  paused?: boolean;
  read_only?: boolean;
  primary?: boolean;
  aliases?: string[];
  password?: string;
}

/** Saves a change to a mailbox, then shows `done` as a toast. */
export type Change = (patch: MailboxPatch, done: string) => Promise<void>;
