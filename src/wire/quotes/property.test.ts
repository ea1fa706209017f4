import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { htmlToText } from "../html/text.ts";
import { splitBody } from "../mime/body.ts";

const text = (lines: string, subject = "Re: Friday") => splitBody({ text: lines, html: null, subject });

/** Attributions; each line may follow own words and precede quoted lines. */
const ATTRIBUTIONS = [
  "On Wed, 4 Apr 2018 at 10:22, Ann Lee <ann@example.org> wrote:",
  "On Wed, 4 Apr 2018 at 10:22, Ann Lee\n<ann@example.org> wrote:",
  "On Wednesday, April 4, 2018 at 10:22 AM, Ann Margaret\nLee-Worthington <\nann@example.org>\nwrote:",
  "On 04/04/2018 10:22, Ann Lee wrote:",
  "Am Mi., 4. Apr. 2018 um 10:22 Uhr schrieb Ann Lee <ann@example.org>:",
  "Le mer. 4 avr. 2018 à 10:22, Ann Lee <ann@example.org> a écrit :",
  "El mié, 4 abr 2018 a las 10:22, Ann Lee (<ann@example.org>) escribió:",
  "Il giorno mer 4 apr 2018 alle ore 10:22 Ann Lee <ann@example.org> ha scritto:",
  "Op wo 4 apr 2018 om 10:22 schreef Ann Lee <ann@example.org>:",
  "Em qua., 4 de abr. de 2018 às 10:22, Ann Lee <ann@example.org> escreveu:",
  "Den ons 4 apr. 2018 kl 10:22 skrev Ann Lee <ann@example.org>:",
  "ср, 4 апр. 2018 г. в 10:22, Ann Lee <ann@example.org>:",
  "W dniu śr., 4 kwi 2018 o 10:22 Ann Lee <ann@example.org> napisał(a):",
  "2018年4月4日(水) 10:22 Ann Lee <ann@example.org>:",
  "-----Original Message-----",
  "---- Ann Lee wrote ----",
];
/** Nouns and verbs that are not names of days or months. */
const WORDS =
  "harbour lantern quickly seventeen tomatoes describe umbrella gentle forgotten Fenster Brücke vielleicht maison toujours fromage ventana siempre hablar дерево хорошо завтра книга pomeriggio yksinkertainen köszönöm güzel wieczorem 42 ok! fine, (maybe) really?";
const own = fc
  .array(fc.constantFrom(...WORDS.split(" ")), { minLength: 1, maxLength: 9 })
  .map((words) => words.join(" "));
const quoted = fc
  .array(fc.constantFrom("> Shall we meet?", "> > deeper still", ">", "> Ann"), { minLength: 1, maxLength: 5 })
  .map((lines) => lines.join("\n"));

describe("own words are kept in the body and in the new text", () => {
  const survives = (mail: string, words: string[]): void => {
    const { bodyText, newText } = text(mail);
    for (const each of words) {
      expect(bodyText).toContain(each);
      expect(newText).toContain(each);
    }
  };
  const attribution = fc.constantFrom(...ATTRIBUTIONS);

  test("on the line of the attribution, above it, below the quote", () => {
    fc.assert(
      fc.property(own, own, own, attribution, quoted, (above, before, below, line, quote) => {
        survives(`${above}\n\n${before} ${line}\n${quote}\n\n${below}\n`, [above, before, below]);
      }),
      { numRuns: 600 },
    );
  });

  test("between the attribution and the quote, and between quoted lines", () => {
    const introduced = fc.constantFrom(...ATTRIBUTIONS.filter((line) => !line.startsWith("-")));
    fc.assert(
      fc.property(own, own, own, introduced, quoted, (above, first, second, line, quote) => {
        survives(`${above}\n\n${line}\n\n${first}\n\n${quote}\n\n${second}\n\n${quote}\n`, [above, first, second]);
        survives(`${line}\n${quote}\n${first}\n${quote}\n${second}\n`, [first, second]);
      }),
      { numRuns: 400 },
    );
  });

  test("in HTML before a quote that is a blockquote", () => {
    fc.assert(
      fc.property(own, own, fc.constantFrom(...ATTRIBUTIONS.slice(0, 14)), (before, below, line) => {
        const written = line.replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("\n", " ");
        const html = `<div>${before} ${written}<blockquote type="cite">Friday?</blockquote><p>${below}</p></div>`;
        const { bodyText } = splitBody({
          text: htmlToText(html),
          html,
          subject: "Re: Friday",
        });
        expect(bodyText).toContain(before);
        expect(bodyText).toContain(below);
        expect(bodyText).not.toContain("ann@example.org");
      }),
      { numRuns: 200 },
    );
  });
});

test("there is a body whenever there is text, and joining its parts changes no character", () => {
  const piece = fc.constantFrom(
    ...ATTRIBUTIONS.flatMap((line) => line.split("\n")),
    "thanks ",
    "> ",
    "From: a@example.org Sent: 4 Apr 2018 To: b Subject: c",
    "Message du : 26/11/13 10:03",
    "Thanks!",
    "-bo",
    "---",
    "________________",
    "Sent from Spike",
    "Ann",
    "wrote: >",
    "\n",
    " ",
    "",
  );
  fc.assert(
    fc.property(
      fc.array(fc.oneof(piece, fc.string({ unit: "binary" })), {
        maxLength: 30,
      }),
      fc.boolean(),
      (parts, fw) => {
        const mail = parts.join("");
        const { bodyText, newText } = text(mail, fw ? "Fwd: x" : "Re: x");
        expect(bodyText === "").toBe(!/\S/.test(mail));
        const squeezed = (all: string): string => all.replace(/\s+/g, "");
        let at = 0;
        const source = squeezed(mail);
        for (const line of bodyText.split("\n").map(squeezed)) {
          at = source.indexOf(line, at);
          expect(at).toBeGreaterThanOrEqual(0);
          at += line.length;
        }
        const inBody = squeezed(bodyText);
        for (const line of newText.split("\n")) expect(inBody).toContain(squeezed(line));
      },
    ),
    { numRuns: 400 },
  );
});

describe("splits two million characters in seconds", () => {
  for (const piece of [
    "On ",
    "On On On\n",
    ":",
    "a:\n",
    "On Wed, 4 Apr 2018 ",
    "x On Wed, 4 Apr 2018 at 10:22, Ann <a@example.org> wrote:\n",
    "x On Wed, 4 Apr 2018, Ann wrote: > ",
    "From: a@b Sent: 1 To: ",
    "x From: a@b Sent: 2018 To: c Subject: d\n",
    "-- a --",
    "x ---- Ann wrote ----\n",
    "1 4 Apr 4 Apr 4 Apr 4 Apr a:\n",
    "Ok! Ok! Ok! Ann <a@example.org> wrote:\n",
    "Thanks!\nBo\n",
    "-bo\n",
    "____________\n",
    "> a\nb\n",
    "Sent from Spike\n",
    "(((((",
    `${"x".repeat(1000)} On Wed, 4 Apr 2018 at 10:22, Ann <a@example.org> wrote:\n`,
    "a: > b: > c: > d: >\n",
    "<a@b ",
  ]) {
    test(JSON.stringify(piece), () => {
      const started = performance.now();
      text(piece.repeat(Math.ceil(2_000_000 / piece.length)));
      expect(performance.now() - started).toBeLessThan(15_000);
    }, 30_000);
  }
});
