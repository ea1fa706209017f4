import type { Lang, MailClient } from "./person.ts";

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Escapes text for HTML. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (c) => ESCAPES[c]!);
}

function inline(text: string): string {
  return escapeHtml(text)
    .replace(/https:\/\/[^\s<>)]*[^\s<>).,;:!?]/g, (url) => `<a href="${url}">${url}</a>`)
    .replace(/\n/g, "<br>");
}

/** Returns the `dir` attribute of a language. */
function direction(lang: Lang): "ltr" | "rtl" {
  return lang === "ar-JO" ? "rtl" : "ltr";
}

/** Appends a signature below `-- ` (RFC 3676 4.3). */
export function withSignature(body: string, signature: string | undefined): string {
  return signature ? `${body}\n\n-- \n${signature}` : body;
}

function block(text: string, client: MailClient): string {
  const lines = text.split("\n");
  if (lines.every((line) => line.startsWith("- "))) {
    return `<ul>${lines.map((line) => `<li>${inline(line.slice(2))}</li>`).join("")}</ul>`;
  }
  if (client === "outlook") return `<p class="MsoNormal">${inline(text)}</p>`;
  return `<div>${inline(text)}</div>`;
}

/**
 * Returns the inner HTML that a client generates for typed text: blocks for paragraphs, a list for lines that begin
 * with `- `, links for addresses. A reply quotes exactly this, without the surrounding document.
 */
export function typedHtml(body: string, signature: string | undefined, client: MailClient, lang: Lang): string {
  const blocks = body.split(/\n{2,}/).map((text) => block(text, client));
  const gap = client === "outlook" ? '\r\n<p class="MsoNormal">&nbsp;</p>\r\n' : "<div><br></div>\r\n";
  let html = blocks.join(gap);
  if (signature) {
    const lines = escapeHtml(signature).replace(/\n/g, "<br>");
    html +=
      client === "gmail"
        ? `${gap}<span class="gmail_signature_prefix">-- </span><br><div dir="ltr" class="gmail_signature">${lines}</div>`
        : `${gap}${client === "outlook" ? `<p class="MsoNormal">-- <br>${lines}</p>` : `<div>-- <br>${lines}</div>`}`;
  }
  const dir = direction(lang);
  if (client === "gmail") return `<div dir="${dir}">${html}</div>`;
  return dir === "rtl" ? `<div dir="rtl">${html}</div>` : html;
}

/** Returns the document that a client wraps around its inner HTML. */
export function documentHtml(inner: string, client: MailClient, lang: Lang): string {
  if (client === "gmail") return `${inner}\r\n`;
  if (client === "apple") {
    return (
      `<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head>` +
      `<body style="overflow-wrap: break-word; -webkit-nbsp-mode: space; line-break: after-white-space;">${inner}</body></html>`
    );
  }
  return (
    `<html xmlns:o="urn:schemas-microsoft-com:office:office">\r\n<head>` +
    `<meta http-equiv="Content-Type" content="text/html; charset=utf-8">` +
    `<style>p.MsoNormal {margin:0cm; font-size:11.0pt; font-family:"Calibri",sans-serif;}</style></head>\r\n` +
    `<body lang="${lang}" link="#0563C1">\r\n<div class="WordSection1">\r\n${inner}\r\n</div>\r\n</body>\r\n</html>\r\n`
  );
}
