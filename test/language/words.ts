/** Words that our texts avoid, and what they say instead (CONTRIBUTING.md, "Language"). */
export interface Avoided {
  /** The pattern of the avoided word, in any case. */
  pattern: RegExp;
  /** The words to write instead. */
  write: string;
}

export const AVOIDED: readonly Avoided[] = [
  { pattern: /\bshall\b/i, write: "will, must" },
  { pattern: /\bwhoever\b/i, write: "anyone who" },
  { pattern: /\bwhatever\b/i, write: "leave it out, or: any" },
  { pattern: /\bnobody\b/i, write: "no one" },
  { pattern: /\bsomebody\b/i, write: "someone" },
  { pattern: /\banew\b/i, write: "again" },
  { pattern: /\bmeanwhile\b/i, write: "leave it out" },
  { pattern: /\b(?:by|of|on) (?:itself|themselves)\b/i, write: "automatically" },
  { pattern: /\b(?:of|on) (?:its|their|one's) own(?!er)\b/i, write: "its own ..., separate, automatically" },
  { pattern: /\b(?:lies|lie|lay|lying)\b/i, write: "is stored, is" },
  { pattern: /\bstands?\b(?! for\b|-in\b|alone\b| alone\b)/i, write: "is" },
  { pattern: /\bgoes\b/i, write: "is sent, is deleted, continues" },
  { pattern: /\bcomes\b/i, write: "arrives, is, follows" },
  { pattern: /\b(?:hears?|heard)\b/i, write: "receives, is notified" },
  { pattern: /\bknows\b/i, write: "has, supports, recognizes" },
  { pattern: /\b(?:tells|told)\b/i, write: "reports, says, notifies, distinguishes" },
  { pattern: /\b(?:goes|go|going|went) on\b/i, write: "continues, resumes" },
  { pattern: /\b(?:is|are) well\b(?!-| (?:known|kept|formed|tested))/i, write: "passed, OK" },
  { pattern: /\bamounts\b/i, write: "limits (for the limits of a plan)" },
  { pattern: /\bgrounds\b/i, write: "reasons" },
  { pattern: /\bnews\b/i, write: "notifications, events" },
  {
    pattern: /\b(?:take|takes|took|taken|taking) (?:off|away|with you)\b|\btake-?away\b/i,
    write: "remove, disconnect, export",
  },
  { pattern: /\blook(?:s|ed)? now\b/i, write: "sync now" },
  { pattern: /\bpresent password\b/i, write: "current password" },
  { pattern: /\bmend(?:s|ed|ing)?\b/i, write: "fixed" },
  { pattern: /\bways? in\b/i, write: "sign-in, sign-in method" },
  { pattern: /\b(?:doors?|custody)\b/i, write: "sign-in, authentication; key storage" },
  { pattern: /\b(?:house|houses|rooms?)\b/i, write: "module, installation, disk space" },
  { pattern: /\be-mails?\b/i, write: "email" },
  { pattern: /\bfor ever\b/i, write: "forever, without end" },
  { pattern: /\bso that one\b|\bthat one may\b/i, write: "name the subject" },
  { pattern: /\bthe rest of it stays\b|\bas it is now\b/i, write: "name the subject" },
  {
    pattern: /^#+ (?:What|How|Who|Whom|Where|Against|Being|By)\b.*(?:is|are|stands?|told|whom|clock|of)$/i,
    write: "a topic or a task",
  },
];
