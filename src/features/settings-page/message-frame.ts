import type { Page } from "../../http/page.ts";
import { DOCTYPES } from "../../wire/html/sanitize-doctype.ts";

/** Where the pictures of a message may be loaded from: only from the message, or from the web, too. */
const IMAGES = { none: "data:", remote: "data: http: https:" } as const;

/**
 * Returns the page that shows the HTML of a message inside the settings page: an empty document, the same for everyone.
 * The settings page requests the sanitized HTML with its session and puts it into this document.
 *
 * Its policy holds for what is put there: nothing runs, and nothing is loaded except images. `allow-same-origin` lets the
 * settings page fill and measure the document; without `allow-scripts`, no content of the document can use it. A srcdoc
 * would inherit the policy of the settings page, which permits no style of a mail (docs/decisions/0032-mail-in-the-page.md).
 */
export const MESSAGE_FRAME: Page = {
  method: "GET",
  path: "/app/message-frame",
  handle({ request }) {
    const images = new URL(request.url).searchParams.get("images") === "remote" ? "remote" : "none";
    // Most mail is written for a layout without gaps below pictures. Full quirks would change how the page measures it.
    const html = `${DOCTYPES.limited}\n<html data-images="${images}"><head><title></title></head><body></body></html>\n`;
    return new Response(html, {
      headers: {
        "Content-Type": "text/html; charset=utf-8",
        "Content-Security-Policy":
          "sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox; default-src 'none'; " +
          `img-src ${IMAGES[images]}; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'`,
        "Cross-Origin-Resource-Policy": "same-origin",
        "X-Frame-Options": "SAMEORIGIN",
      },
    });
  },
};
