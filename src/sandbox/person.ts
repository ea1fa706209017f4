/**
 * The mail program, which determines the quoting style, the form of the HTML and the header that names the program.
 * `plain` writes no HTML.
 */
export type MailClient = "gmail" | "outlook" | "apple" | "plain";

/** Language of dates, attribution lines and reply prefixes. */
export type Lang = (typeof LANGS)[number];
export const LANGS = ["en-GB", "de-DE", "fr-FR", "es-ES", "pt-PT", "ja-JP", "ar-JO"] as const;

/** The name of a person in the files of sample mail. */
export type PersonKey = string;

export interface Person {
  name: string;
  email: string;
  client: MailClient;
  lang?: Lang;
  /** Appended below `-- ` to text that this person types. */
  signature?: string;
  /** Additional headers of all mail from this sender (List-Id, List-Unsubscribe, …). Templates are allowed. */
  headers?: Record<string, string>;
  /** Authentication result that the receiving server recorded; `pass` if absent. */
  auth?: "pass" | "fail";
}
