import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Read, readContents } from "../../src/inbound/message/parsed-message.ts";
import { type Category, type CategoryInput, categorize } from "../../src/mailbox/categories/category.ts";

/** A mail of `test/fixtures/tabs`, with the tab in which a reader would look for it. */
export interface LabelledMail {
  label: Category;
  language: string;
  about: string;
  contents: Read["contents"];
}

const READER = "alex@home.example";
/** Paragraphs without a meaning for tabs, so that a text is as long as a newsletter. */
const FILLER: Record<string, string> = {
  en: "The morning fog stayed until noon. We walked along the wall and counted boats, and the baker let us watch him fold the dough. In the library a class was drawing maps of rivers that no longer run.",
  de: "Der Nebel blieb bis zum Mittag. Wir gingen die Mauer entlang und zählten Boote, und der Bäcker ließ uns beim Falten des Teigs zusehen. In der Bücherei zeichnete eine Klasse Karten von Flüssen.",
  fr: "Le brouillard est resté jusqu'à midi. Nous avons longé le mur en comptant les bateaux, et le boulanger nous a laissés le regarder plier la pâte. À la bibliothèque, une classe dessinait des cartes.",
  es: "La niebla duró hasta el mediodía. Caminamos junto al muro contando barcos, y el panadero nos dejó mirar cómo doblaba la masa. En la biblioteca una clase dibujaba mapas de ríos que ya no corren.",
  it: "La nebbia è rimasta fino a mezzogiorno. Abbiamo camminato lungo il muro contando le barche, e il fornaio ci ha lasciati guardare mentre piegava la pasta. In biblioteca una classe disegnava mappe.",
  pt: "O nevoeiro ficou até ao meio-dia. Caminhámos ao longo do muro a contar barcos, e o padeiro deixou-nos ver como dobrava a massa. Na biblioteca uma turma desenhava mapas de rios que já não correm.",
  nl: "De mist bleef tot de middag. We liepen langs de muur en telden boten, en de bakker liet ons kijken hoe hij het deeg vouwde. In de bibliotheek tekende een klas kaarten van rivieren.",
};

/** Reads a set: mails that begin with "=== LABEL LANGUAGE WHAT", headers, an empty line and a text. */
export async function labelledMails(name: string): Promise<LabelledMail[]> {
  const source = readFileSync(join(import.meta.dir, "../fixtures/tabs", `${name}.txt`), "utf8");
  const mails: LabelledMail[] = [];
  for (const entry of source.split(/^=== /m).slice(1)) {
    const [first = "", ...lines] = entry.trimEnd().split("\n");
    const [label = "", language = "", ...about] = first.split(" ");
    const { contents } = await readContents({ source: Buffer.from(compose(lines, language, mails.length)) });
    mails.push({ label: label as Category, language, about: about.join(" "), contents });
  }
  return mails;
}

/** Returns the decision about a mail, as at its arrival. @param withBody false: by its headers alone */
export function decide({ contents }: LabelledMail, withBody = true) {
  const input: CategoryInput = {
    from: contents.from,
    subject: contents.subject,
    headers: contents.headers,
    knownCorrespondent: false,
    toMe: [...contents.to, ...contents.cc].some(({ email }) => email === READER),
    ...(withBody
      ? {
          isReply: contents.inReplyTo.length + contents.references.length > 0,
          messageId: contents.messageId,
          body: contents,
        }
      : {}),
  };
  return categorize(input);
}

const HEADER = /^[A-Z][A-Za-z-]*: /;

function compose(lines: string[], language: string, number: number): string {
  let end = lines.findIndex((line) => !HEADER.test(line));
  if (end < 0) end = lines.length;
  const headers = lines.slice(0, end);
  const body = lines.slice(lines[end] === "" ? end + 1 : end);
  const layout = body[0]?.startsWith("#") ? body.shift()! : null;
  const has = (name: string) => headers.some((line) => line.startsWith(`${name}: `));
  if (!has("To")) headers.push(`To: Alex <${READER}>`);
  if (!has("Message-ID")) headers.push(`Message-ID: <${number}@mail.example>`);
  const type = (kind: string) => `Content-Type: text/${kind}; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n`;
  const top = `${headers.join("\n")}\nDate: Mon, 2 Mar 2026 09:00:00 +0000\nMIME-Version: 1.0\n`;
  if (layout === null) return `${top}${type("plain")}${body.join("\n")}\n`;
  if (layout === "#long") {
    const filler = FILLER[language] ?? FILLER.en!;
    const [note, ...rest] = [body.slice(-2).join("\n"), ...body.slice(0, -2)];
    return `${top}${type("plain")}${[...rest, filler, filler, filler].join("\n\n")}\n\n-----\n${note}\n`;
  }
  const html = LAYOUTS[layout]!(body.map(linked), number);
  return `${top}${type("html")}${html}\n`;
}

const linked = (line: string): string => line.replace(/\[([^\]]+)\]\((\S+?)\)/g, '<a href="$2">$1</a>');

/** Ways in which programs write HTML: a newsletter, a notice, a plain page, a person's mail, one with a signature. */
const LAYOUTS: Record<string, (lines: string[], number: number) => string> = {
  "#news": (lines, number) => (number % 2 === 0 ? inTables(lines) : inBlocks(lines)),
  "#receipt": ([first = "", ...rest]) =>
    `<html><body><table width="600"><tr><td><img src="https://cdn.example/logo.png" alt=""></td></tr><tr><td><h2>${first}</h2>` +
    `</td></tr></table><table width="600"><tr><td>${rest.join("</td></tr><tr><td>")}</td></tr></table></body></html>`,
  "#simple": (lines) => `<html><body><p>${lines.join("</p><p>")}</p></body></html>`,
  "#mail": (lines) => `<div dir="ltr"><div>${lines.join("</div><div><br></div><div>")}</div></div>`,
  "#signature": ([said = "", ...signature]) =>
    `<html><body><p>${said}</p><table><tr><td><img src="cid:logo"></td><td>${signature.join("<br>")}<br>` +
    `<a href="https://firm.example">firm.example</a> <a href="https://social.example/firm"><img src="cid:a"></a>` +
    `<a href="https://social.example/f2"><img src="cid:b"></a></td></tr></table></body></html>`,
};

const PICTURES = ["a", "b", "c"].map(
  (name) => `<a href="https://cdn.example/${name}"><img src="https://cdn.example/${name}.jpg" width="580" alt=""></a>`,
);

const inTables = (lines: string[]): string =>
  `<html><head><style>@media (max-width:600px){.c{width:100%}}</style></head><body bgcolor="#eeeeee"><table width="100%"><tr><td>` +
  `<table width="600" align="center"><tr><td>${PICTURES[0]}</td></tr><tr><td>${lines.slice(0, -1).join("</td></tr><tr><td>")}` +
  `</td></tr></table><table width="600"><tr><td>${PICTURES[1]}${PICTURES[2]}</td></tr></table><table width="600"><tr><td>` +
  `${lines.at(-1)}</td></tr></table></td></tr></table><img src="https://t.example/o" width="1" height="1"></body></html>`;

const inBlocks = (lines: string[]): string =>
  `<!doctype html><html><head><style>@media (prefers-color-scheme:dark){p{color:#fff}}</style></head><body>` +
  `<div style="display:none">${lines[0]}</div><div style="max-width:560px;width:560px;margin:auto">${PICTURES.join("")}` +
  `<p>${lines.slice(0, -1).join("</p><p>")}</p><p>${PICTURES[0]}</p><p style="font-size:11px">${lines.at(-1)}</p></div></body></html>`;
