import { describe, expect, test } from "bun:test";
import { type CategoryBody, enclosesMail, readBody } from "./body.ts";
import { categorize } from "./category.ts";

const bodyOf = (text: string, html: string | null = null, newText = text, bodyText = text): CategoryBody => ({
  text,
  bodyText,
  newText,
  html,
});

describe("a body", () => {
  test("offers to unsubscribe only with a link or an address beside the words", () => {
    expect(readBody(bodyOf("Unsubscribe: https://x.example/u")).unsubscribe).toBe(true);
    expect(readBody(bodyOf("Abmelden können Sie sich unter raus@x.example")).unsubscribe).toBe(true);
    expect(readBody(bodyOf("Please unsubscribe me.")).unsubscribe).toBe(false);
    expect(readBody(bodyOf(`unsubscribe ${"word ".repeat(80)} https://x.example`)).unsubscribe).toBe(false);
    expect(readBody(bodyOf("> Unsubscribe: https://x.example/u\n\nNo, thanks")).unsubscribe).toBe(false);
    expect(readBody(bodyOf("Se désabonner", '<a href="https://x.example">Se désabonner</a>')).unsubscribe).toBe(true);
    expect(readBody(bodyOf("here", '<a href="https://x.example/unsub?u=1">here</a>')).unsubscribe).toBe(true);
  });

  test("is read from its HTML where the text says only that one needs a program for HTML", () => {
    const html = `<table>${"<tr><td>words</td></tr>".repeat(60)}</table><p>You are receiving this. <A HREF="https://x.example/1">Unsubscribe</A></p>`;
    expect(readBody(bodyOf("This mail needs HTML.", html))).toMatchObject({ unsubscribe: true, note: true });
  });

  test("encloses a mail if it has history or a forwarded header", () => {
    const note = "Look at this, the second paragraph is about us.";
    const forwarded = `${note}\n\nVon: Laden <info@laden.example>\nBetreff: Neu\n\nNewsletter abbestellen: https://laden.example`;
    expect(enclosesMail(bodyOf(forwarded, null, note))).toBe(true);
    expect(enclosesMail(bodyOf(`${note}\n\n> ${"old words ".repeat(20)}`, null, note, note))).toBe(true);
    expect(enclosesMail(bodyOf(`${note}\n\n-- \nAnn Lowe, Lowe & Daughters Ltd`, null, note))).toBe(false);
  });

  test("that is hostile is decided in bounded time", () => {
    const pieces = [
      "a",
      "<",
      "<table",
      "href=",
      "your order ",
      "cancella ",
      "\n----------\n",
      "://",
      "このメールは",
      "1,",
    ];
    const texts = pieces.map((piece) => piece.repeat(100_000));
    // Once to compile the patterns.
    const decideAll = () => {
      const started = performance.now();
      for (const text of texts) {
        for (const html of [null, text]) {
          categorize({
            from: { name: text, email: "info@x.example" },
            subject: "Hello",
            headers: new Map([["return-path", [text]]]),
            knownCorrespondent: false,
            toMe: true,
            messageId: text,
            body: bodyOf(text, html),
          });
        }
      }
      return performance.now() - started;
    };
    decideAll();
    expect(Math.min(decideAll(), decideAll(), decideAll())).toBeLessThan(100);
  });
});
