/** Decides the quoting style, the shape of the HTML and the header that names the program. `plain` writes no HTML. */
export type MailClient = "gmail" | "outlook" | "apple" | "plain";

/** Language of dates, attribution lines and reply prefixes. */
export type Lang = "en-GB" | "de-DE" | "fr-FR" | "es-ES" | "pt-PT" | "ja-JP" | "ar-JO";

export interface Person {
  name: string;
  email: string;
  client: MailClient;
  lang?: Lang;
  /** Appended below `-- ` to what this person writes by hand. */
  signature?: string;
  /** Further headers of everything this sender sends (List-Id, List-Unsubscribe, …); templates allowed. */
  headers?: Record<string, string>;
  /** What our own server noted on arrival; `pass` when absent. */
  auth?: "pass" | "fail";
}
