import { escapeHtml } from "./body.ts";

/** The HTML and the text part of an automated message; spread into a `SandboxMessage`. */
export interface Rendered {
  html: string;
  body: string;
}

export interface Brand {
  name: string;
  /** Domain of the site, the images and the tracking pixel. */
  host: string;
  color: string;
  footer: string;
}

const FONT = "font-family:Helvetica,Arial,sans-serif";

function page(brand: Brand, preheader: string, rows: string, pixel: string | undefined): string {
  const open = pixel
    ? `<img src="https://open.${brand.host}/o/${pixel}.gif" width="1" height="1" alt="" style="display:block;border:0">`
    : "";
  return `<!DOCTYPE html>
<html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(brand.name)}</title></head>
<body style="margin:0;padding:0;background:#f3f1ec">
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(preheader)}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td align="center" style="padding:24px 8px">
<table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0" style="background:#ffffff;max-width:600px;${FONT};color:#222222;font-size:15px;line-height:23px">
<tr><td style="padding:20px 32px;background:${brand.color};color:#ffffff;font-size:20px;font-weight:bold">${escapeHtml(brand.name)}</td></tr>
${rows}
<tr><td style="padding:20px 32px;border-top:1px solid #dddddd;color:#777777;font-size:12px;line-height:18px">${escapeHtml(brand.footer)}</td></tr>
</table></td></tr></table>
${open}</body></html>
`;
}

export interface Issue {
  title: string;
  intro: string;
  /** `img` is a remote picture, which mail programs load only on request. */
  articles: { title: string; text: string; path: string; img?: string }[];
  closing?: string;
  /** Token in the tracking pixel and the unsubscribe link. */
  token: string;
  more?: string;
  unsubscribe?: string;
}

/** Renders a newsletter or promotion. */
export function newsletter(brand: Brand, issue: Issue): Rendered {
  const more = issue.more ?? "Read on";
  const unsubscribe = `https://${brand.host}/unsubscribe/${issue.token}`;
  const articles = issue.articles.map((a) => {
    const url = `https://${brand.host}${a.path}`;
    const img = a.img
      ? `<img src="https://img.${brand.host}/${a.img}" width="536" height="240" alt="${escapeHtml(a.title)}" style="display:block;width:100%;height:auto"><br>`
      : "";
    return {
      html: `<tr><td style="padding:12px 32px">${img}<h2 style="margin:0 0 6px;font-size:18px"><a href="${url}?utm_source=mail" style="color:${brand.color}">${escapeHtml(a.title)}</a></h2>${escapeHtml(a.text)} <a href="${url}?utm_source=mail">${more}</a></td></tr>`,
      text: `${a.title}\n${a.text}\n${url}`,
    };
  });
  const closing = issue.closing
    ? `<tr><td style="padding:12px 32px 24px">${escapeHtml(issue.closing).replace(/\n/g, "<br>")}</td></tr>`
    : "";
  const leave = `<tr><td style="padding:0 32px 20px;font-size:12px"><a href="${unsubscribe}" style="color:#777777">${issue.unsubscribe ?? "Unsubscribe"}</a></td></tr>`;
  const head = `<tr><td style="padding:24px 32px 12px"><h1 style="margin:0 0 10px;font-size:24px;line-height:30px">${escapeHtml(issue.title)}</h1>${escapeHtml(issue.intro)}</td></tr>`;
  return {
    html: page(
      brand,
      issue.intro.slice(0, 90),
      [head, ...articles.map((a) => a.html), closing, leave].join("\n"),
      issue.token,
    ),
    body: [
      issue.title.toUpperCase(),
      issue.intro,
      ...articles.map((a) => a.text),
      ...(issue.closing ? [issue.closing] : []),
      `${issue.unsubscribe ?? "Unsubscribe"}: ${unsubscribe}`,
    ].join("\n\n"),
  };
}

export interface Receipt {
  title: string;
  intro: string;
  /** Facts above the table: order number, date, payment. */
  facts: [name: string, value: string][];
  head?: [item: string, quantity: string, amount: string];
  rows: [item: string, quantity: string, amount: string][];
  /** Totals below the table. The last one is bold. */
  totals: [name: string, amount: string][];
  note?: string;
  /** A remote picture, if the sender uses one. */
  logo?: string;
}

/** Renders a receipt or order confirmation. */
export function receipt(brand: Brand, r: Receipt): Rendered {
  const cell = "padding:8px 0;border-bottom:1px solid #eeeeee";
  const facts = r.facts.map(
    ([name, value]) =>
      `<tr><td style="color:#777777;padding:2px 16px 2px 0">${escapeHtml(name)}</td><td>${escapeHtml(value)}</td></tr>`,
  );
  const [item, quantity, amount] = r.head ?? ["Item", "Qty", "Amount"];
  const rows = r.rows.map(
    ([a, b, c]) =>
      `<tr><td style="${cell}">${escapeHtml(a)}</td><td align="center" style="${cell}">${escapeHtml(b)}</td><td align="right" style="${cell}">${escapeHtml(c)}</td></tr>`,
  );
  const totals = r.totals.map(([name, sum], i) => {
    const weight = i === r.totals.length - 1 ? "font-weight:bold" : "color:#555555";
    return `<tr><td colspan="2" align="right" style="padding:6px 16px 0 0;${weight}">${escapeHtml(name)}</td><td align="right" style="padding:6px 0 0;${weight}">${escapeHtml(sum)}</td></tr>`;
  });
  const logo = r.logo
    ? `<img src="https://img.${brand.host}/${r.logo}" width="120" height="40" alt="${escapeHtml(brand.name)}"><br>`
    : "";
  const html = `<tr><td style="padding:24px 32px">${logo}<h1 style="margin:0 0 10px;font-size:22px">${escapeHtml(r.title)}</h1><p style="margin:0 0 16px">${escapeHtml(r.intro)}</p>
<table cellpadding="0" cellspacing="0" border="0" style="font-size:14px;margin-bottom:20px">${facts.join("")}</table>
<table width="100%" cellpadding="0" cellspacing="0" border="0" style="font-size:14px"><tr><th align="left">${item}</th><th>${quantity}</th><th align="right">${amount}</th></tr>
${rows.join("\n")}
${totals.join("\n")}</table>${r.note ? `<p style="margin:20px 0 0">${escapeHtml(r.note)}</p>` : ""}</td></tr>`;
  return {
    html: page(brand, r.intro.slice(0, 90), html, undefined),
    body: [
      r.title,
      r.intro,
      r.facts.map((f) => f.join(": ")).join("\n"),
      r.rows.map(([a, b, c]) => `${a}${b && b !== "1" ? ` × ${b}` : ""}  ${c}`).join("\n"),
      r.totals.map((t) => t.join(": ")).join("\n"),
      ...(r.note ? [r.note] : []),
    ].join("\n\n"),
  };
}

export interface Notice {
  heading: string;
  paragraphs: string[];
  button?: { label: string; path: string };
  token?: string;
}

/** Renders a short automated message with at most one button: alerts, confirmations, social notifications. */
export function notice(brand: Brand, n: Notice): Rendered {
  const url = n.button ? `https://${brand.host}${n.button.path}` : "";
  const button = n.button
    ? `<p style="margin:20px 0 0"><a href="${url}" style="background:${brand.color};color:#ffffff;padding:10px 18px;text-decoration:none;border-radius:4px">${escapeHtml(n.button.label)}</a></p>`
    : "";
  const paragraphs = n.paragraphs.map((p) => `<p style="margin:0 0 12px">${escapeHtml(p).replace(/\n/g, "<br>")}</p>`);
  const html = `<tr><td style="padding:24px 32px"><h1 style="margin:0 0 12px;font-size:20px">${escapeHtml(n.heading)}</h1>${paragraphs.join("")}${button}</td></tr>`;
  return {
    html: page(brand, n.paragraphs[0] ?? n.heading, html, n.token),
    body: [n.heading, ...n.paragraphs, ...(n.button ? [`${n.button.label}: ${url}`] : []), brand.footer].join("\n\n"),
  };
}
