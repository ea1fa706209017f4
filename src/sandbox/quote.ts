import { escapeHtml } from "./body.ts";
import type { Lang, MailClient, Person } from "./person.ts";
import { lisbonFormat } from "./when.ts";

/** The parts of a message that a reply or forward uses. */
export interface Quotable {
  from: Person;
  to: Person[];
  cc: Person[];
  date: Date;
  subject: string;
  text: string;
  innerHtml: string;
}

export interface Parts {
  text: string;
  innerHtml: string;
}

const mailbox = (p: Person) => `${p.name} <${p.email}>`;

/** Returns the part of a document that a quote contains. Inline pictures are replaced by their names. */
function quotedHtml(parent: Quotable): string {
  const body = /<body[^>]*>([\s\S]*)<\/body>/i.exec(parent.innerHtml)?.[1] ?? parent.innerHtml;
  return body.replace(/<img src="cid:[^>]*alt="([^"]*)"[^>]*>/g, "[image: $1]");
}

/**
 * Returns the attribution line that Gmail and Apple Mail write above a quote, in the language of the person who
 * replies.
 */
function attribution(parent: Quotable, client: MailClient, lang: Lang): string {
  const who = mailbox(parent.from);
  const clock = lisbonFormat(lang === "ar-JO" ? "en-GB" : lang, {
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  const time = clock.format(parent.date);
  const day = (options: Intl.DateTimeFormatOptions) => lisbonFormat(lang, options).format(parent.date);
  const medium = day({ day: "numeric", month: "short", year: "numeric" });
  const dated = day({ weekday: "short", day: "numeric", month: "short", year: "numeric" });
  if (client === "apple") {
    const apple: Partial<Record<Lang, string>> = {
      "de-DE": `Am ${medium} um ${time} schrieb ${who}:`,
      "fr-FR": `Le ${medium} à ${time}, ${who} a écrit :`,
      "es-ES": `El ${medium}, a las ${time}, ${who} escribió:`,
      "pt-PT": `No dia ${medium}, às ${time}, ${who} escreveu:`,
    };
    return apple[lang] ?? `On ${medium}, at ${time}, ${who} wrote:`;
  }
  const gmail: Partial<Record<Lang, string>> = {
    "de-DE": `Am ${dated} um ${time} Uhr schrieb ${who}:`,
    "fr-FR": `Le ${dated} à ${time}, ${who} a écrit :`,
    "es-ES": `El ${dated}, ${time}, ${who} escribió:`,
    "pt-PT": `${who} escreveu (${dated} à(s) ${time}):`,
    "ja-JP": `${dated} ${time} ${who}:`,
    "ar-JO": `في ${dated}، ${time} تمت كتابة ما يلي بواسطة ${who}:`,
  };
  return gmail[lang] ?? `On ${dated} at ${time}, ${who} wrote:`;
}

const OUTLOOK_FIELDS: Partial<Record<Lang, [from: string, sent: string, to: string, cc: string, subject: string]>> = {
  "de-DE": ["Von", "Gesendet", "An", "Cc", "Betreff"],
  "fr-FR": ["De", "Envoyé", "À", "Cc", "Objet"],
  "es-ES": ["De", "Enviado", "Para", "Cc", "Asunto"],
  "pt-PT": ["De", "Enviado", "Para", "Cc", "Assunto"],
};

function outlookFields(parent: Quotable, lang: Lang): [string, string][] {
  const [from, sent, to, cc, subject] = OUTLOOK_FIELDS[lang] ?? ["From", "Sent", "To", "Cc", "Subject"];
  const when = lisbonFormat(lang, {
    weekday: "long",
    day: "numeric",
    month: "long",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
  }).format(parent.date);
  return [
    [from, mailbox(parent.from)],
    [sent, when],
    [to, parent.to.map(mailbox).join("; ")],
    ...(parent.cc.length > 0 ? [[cc, parent.cc.map(mailbox).join("; ")] as [string, string]] : []),
    [subject, parent.subject],
  ];
}

function prefixed(text: string): string {
  return text
    .split("\n")
    .map((line) => (line === "" ? ">" : line.startsWith(">") ? `>${line}` : `> ${line}`))
    .join("\n");
}

const GMAIL_BLOCKQUOTE =
  'class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex"';

/** Returns `mine` above the quoted message, in the quoting style of the client. */
export function quoteReply(mine: Parts, parent: Quotable, client: MailClient, lang: Lang): Parts {
  if (client === "outlook") {
    const fields = outlookFields(parent, lang);
    const head = fields.map(([name, value]) => `<b>${name}:</b> ${escapeHtml(value)}`).join("<br>\r\n");
    return {
      text: `${mine.text}\n\n________________________________\n${fields.map((f) => f.join(": ")).join("\n")}\n\n${parent.text}`,
      innerHtml:
        `${mine.innerHtml}\r\n<div id="appendonsend"></div>\r\n<hr style="display:inline-block;width:98%" tabindex="-1">\r\n` +
        `<div id="divRplyFwdMsg" dir="ltr"><font face="Calibri, sans-serif" style="font-size:11pt" color="#000000">` +
        `${head}</font><div>&nbsp;</div></div>\r\n<div>${quotedHtml(parent)}</div>`,
    };
  }
  const line = attribution(parent, client, lang);
  const text = `${mine.text}\n\n${line}\n${client === "apple" ? "\n" : ""}${prefixed(parent.text)}`;
  if (client === "apple") {
    return {
      text,
      innerHtml:
        `${mine.innerHtml}<div><br><blockquote type="cite"><div>${escapeHtml(line)}</div>` +
        `<br class="Apple-interchange-newline"><div>${quotedHtml(parent)}</div></blockquote></div>`,
    };
  }
  return {
    text,
    innerHtml:
      `${mine.innerHtml}<br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">` +
      `${escapeHtml(line)}<br></div><blockquote ${GMAIL_BLOCKQUOTE}>${quotedHtml(parent)}</blockquote></div>`,
  };
}

/** Returns `mine` above the complete forwarded message, in Gmail's style. */
export function quoteForward(mine: Parts, parent: Quotable, lang: Lang): Parts {
  const when = lisbonFormat(lang, { weekday: "short", day: "numeric", month: "short", year: "numeric" });
  const clock = lisbonFormat(lang, { hour: "2-digit", minute: "2-digit" });
  const fields = [
    `From: ${mailbox(parent.from)}`,
    `Date: ${when.format(parent.date)} at ${clock.format(parent.date)}`,
    `Subject: ${parent.subject}`,
    `To: ${parent.to.map(mailbox).join(", ")}`,
  ];
  const rule = "---------- Forwarded message ---------";
  return {
    text: `${mine.text}\n\n${rule}\n${fields.join("\n")}\n\n\n${parent.text}`,
    innerHtml:
      `${mine.innerHtml}<br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">${rule}<br>` +
      `${fields.map(escapeHtml).join("<br>")}<br></div><br><br>${quotedHtml(parent)}</div>`,
  };
}
