import { expect, test } from "bun:test";
import { splitBody } from "../mime/body.ts";

const split = (text: string) => splitBody({ text, html: null, subject: "Re: Friday" });
const OWN = "Yes, count me in for both days.";

/** Text that mail programs write below own words; all of it is history. */
const EARLIER = {
  "an attribution with the day of the week and no time": `On Wednesday, April 4, 2018, Ann Lee wrote:

We are planning a hike.`,
  "the same in German": `Am Mittwoch, 4. April 2018, schrieb Ann Lee:

Wir planen eine Wanderung.`,
  "an attribution with the earlier text on its line": `  On Tue, Feb 6, 2024 at 4:15 PM, Pam Ross<pam@mail.example> wrote:   Is it this one?
It looks older.`,
  "the same in French": `Le mar. 6 févr. 2024 à 16:15, Pam Ross <pam@mail.example> a écrit : C'est celui-ci ?`,
  "the sender and the moment on lines of their own": `Anil Rao/DEL/LTD@LTD
06/02/2004 04:15 PM
To
Meera Shah/BOM/LTD@LTD
cc

Subject
Leave request

Please approve soon.`,
  "the same with colons": `\tVince Kaminski@ENRON
\t04/12/2001 10:11 AM
\tTo:\tJohn Smith/HOU/ECT@ECT
\tcc:\t
\tSubject:\tRe: the deal

Please see the file.`,
  "the line above which a help desk wants the answer": `##- Please type your reply above this line -##

Your request (4411) has been updated.`,
  "a drawn line above quoted header lines": `________________________________
> Date: Tue, 6 Feb 2012 16:15:22 +0000
> From: sue@hotmail.example
> Subject: tonight
>
> bring chips?`,
};

for (const [name, earlier] of Object.entries(EARLIER)) {
  test(`${name} is history below own words`, () => {
    expect(split(`${OWN}\n\n${earlier}\n`)).toEqual({ bodyText: OWN, newText: OWN });
  });
}

test("own words on the line of an attribution that also has the earlier text are kept", () => {
  const line = "thanks a lot On Tue, Feb 6, 2024 at 4:15 PM, Pam Ross <pam@mail.example> wrote: Is it this one?";
  expect(split(line).bodyText).toBe("thanks a lot");
});

/** Own words that look like parts of a mail; none of them may be lost. */
const PROSE = {
  "the lines of a mail set in as an example": `RFC 5322 says:

   From: John Doe <jdoe@machine.example>
   To: Mary Smith <mary@example.net>
   Subject: Saying Hello
   Date: Fri, 21 Nov 1997 09:55:06 -0600

   This is a message just to say hello.

That example is the one I mean; please test with it.`,
  "sections between drawn lines": `Part one of the story.

________________________________

Part two of the story.
________________________________

Part three of the story.`,
  "a form with lines to fill in": `Name: ____________________
Signature:
____________________
Please sign and return it to us.
____________________
Thank you for your help with this.`,
  "what somebody wrote long ago": `On Monday, June 3, 1901, my great-grandfather wrote:

The sea was rough and we lost two sails.

I found that in his diary last week.`,
  "what somebody wrote on a day, cited in quotation marks": `Here it is.

On Wednesday, April 4, 2018, Ann Lee wrote:
"We are planning a hike."
I was glad.`,
  "a sentence with an address and a cited passage": `Note that on Tue, Feb 6, 2024 at 4:15 PM, Pam <pam@mail.example> wrote: "never again". I do not believe it.`,
  "a name and a moment that head nothing": `Venue: the old mill

Town Hall
06/02/2024 16:15
Bring boots and a lamp.`,
};

for (const [name, prose] of Object.entries(PROSE)) {
  test(`${name}: nothing is lost`, () => {
    expect(split(prose)).toEqual({ bodyText: prose, newText: prose });
  });
}

/** Below own words, these are a signature: in the body, but not in the new text. */
const SIGNATURES = {
  "closing words with a name and a title above earlier mail": "Kind regards,\nPriya Nair\nFinance Lead",
  "a footer under three hyphens": "---\n\n[Visit Topic](https://meta.example/t/1) or reply to this email to respond.",
  "the line of a phone in Portuguese": "Enviado via iPhone",
};

for (const [name, signature] of Object.entries(SIGNATURES)) {
  test(`${name} are in the body and not in the new text`, () => {
    const earlier = "\n\nOn Tue, 6 Feb 2024 at 16:15, Ray Dunn <ray@mail.example> wrote:\n> Both days?\n";
    expect(split(`${OWN}\n\n${signature}${earlier}`)).toEqual({
      bodyText: `${OWN}\n\n${signature}`,
      newText: OWN,
    });
  });
}
