import type { SandboxThread } from "../types.ts";

/** Patient onboarding: a careful client with contracts, Outlook habits and a long thread. */
export const nimbus: SandboxThread[] = [
  {
    id: "nimbus-nda",
    subject: "NDA and data processing before we share screens",
    folder: "archive",
    labels: ["clients", "nimbus"],
    messages: [
      {
        from: "sofia",
        at: "-71b 09:00",
        body: `Dear Alex,

Before we can show you the current patient portal, our information governance team asks every supplier to sign the attached confidentiality agreement. It is our standard text, two pages.

Would you be able to return it by {{date+7b|long}}? The first session is planned for the week after.

With kind regards,
Sofia`,
        attachments: [
          {
            name: "Nimbus-NDA.docx",
            docx: [
              "# Mutual confidentiality agreement",
              "Between Nimbus Health and Alex Morgan, product designer, Lisbon.",
              "1. Each party keeps what it learns about the other's systems and patients to itself for five years.",
              "2. No patient data leaves the systems of Nimbus Health. Screens shown in sessions are filled with invented data.",
              "3. Material is returned or deleted within 30 days of a written request.",
              "4. The law of England and Wales applies.",
            ],
          },
        ],
      },
      {
        from: "alex",
        at: "-71b 10:35",
        to: ["advogado"],
        quote: "forward",
        body: `Hi Filipe,

Could you have a quick look at this before I sign? Clause 3 seems fine, but I'd like to know whether "returned or deleted" is compatible with having to keep invoices and correspondence for ten years.

Best,
Alex`,
      },
      {
        from: "advogado",
        at: "-70b 17:50",
        body: `Dear Alex,

It is harmless. Add one sentence to clause 3: "except where the law requires a party to keep records". They will accept it; everyone does.

No charge for two minutes of reading.

Regards,
Filipe`,
      },
      {
        from: "alex",
        at: "-69b 09:15",
        to: ["sofia"],
        replyTo: 0,
        body: `Hi Sofia,

Signed and attached. My lawyer asked for one small addition to clause 3, marked in the text: an exception for records that the law obliges me to keep. I hope that is acceptable.

Best,
Alex`,
        attachments: [
          {
            name: "Nimbus-NDA-signed.pdf",
            pdf: {
              title: "Mutual confidentiality agreement",
              lines: [
                "Clause 3, last sentence, added:",
                "“except where the law requires a party to keep records”",
                "",
                "Signed: Alex Morgan, Lisbon, {{date|full}}",
              ],
            },
          },
        ],
      },
      {
        from: "sofia",
        at: "-68b 12:20",
        body: `Dear Alex,

Perfectly acceptable. Countersigned copy will follow by post, the old-fashioned way.

With kind regards,
Sofia`,
      },
    ],
  },
  {
    id: "nimbus-onboarding",
    subject: "Patient onboarding: scope, findings and next steps",
    labels: ["clients", "nimbus"],
    messages: [
      {
        from: "sofia",
        at: "-26b 08:45",
        cc: ["graham"],
        body: `Dear Alex,

Thank you for the session last week. As agreed, I summarise what we would like to achieve:

1. New patients confirm identity, consent and contact preferences in one sitting.
2. The paper form stays available; 18 % of our patients ask for it.
3. Everything meets WCAG 2.2 AA, tested with real assistive technology.

Graham Pell (copied) is responsible for clinical safety and needs to approve each wording of the consent step.

Could you let us have a scope and a price for steps 1 and 3?

With kind regards,
Sofia`,
      },
      {
        from: "alex",
        at: "-25b 10:10",
        body: `Hi Sofia,

Thanks for the clear summary. I suggest we work in two stages so that Graham sees wording early:

Stage A, three weeks, €9,400: flow, wording of the consent step, clickable prototype.
Stage B, two weeks, €6,100: tests with six patients, three of whom use assistive technology, and a report that lists each finding with a fix.

Both prices are fixed. I could start on {{date+7b|long}}.

One question: may the patient save and come back later, or must it be one sitting for legal reasons? It changes the flow a lot.

Best,
Alex`,
      },
      {
        from: "graham",
        at: "-25b 16:32",
        body: `Dear Alex,

There is no legal reason for one sitting. The consent itself has to be given in one go and has to be dated; the rest may be saved. A link that continues the process must expire after 72 hours.

Please do not pre-tick anything. I know you would not, but I have been asked to write it down.

Graham Pell
Clinical Safety Officer`,
      },
      {
        from: "alex",
        at: "-24b 09:02",
        body: `Hi Graham,

That helps, thank you. Save and continue it is, with a 72 hour link and consent as one dated step. And no pre-ticked boxes, ever.

Best,
Alex`,
      },
      {
        from: "sofia",
        at: "-22b 11:48",
        body: `Dear Alex,

Stage A is approved at €9,400. Purchase order NH-2207 is being issued. We will decide on stage B once we have seen the prototype.

With kind regards,
Sofia`,
      },
      {
        from: "alex",
        at: "-11b 16:20",
        body: `Hi Sofia, hi Graham,

Week two, and the wording of the consent step is ready to read. I attach it as a document so that you can write into it. It has four screens and 212 words; the paper form has 1,140.

Graham, could you mark anything that you could not sign? The sentence I am least sure about is on screen three ("We share your record only with the people who treat you").

Best,
Alex`,
        attachments: [
          {
            name: "consent-wording-v2.docx",
            docx: [
              "# Consent step, wording, version 2",
              "Screen 1. We would like to keep your health record in one place. You decide what goes into it.",
              "Screen 2. You can change your mind at any time. Nothing you choose here affects your treatment.",
              "Screen 3. We share your record only with the people who treat you.",
              "Screen 4. Please check your answers. When you press “I agree” we write down the date and the time.",
            ],
          },
        ],
      },
      {
        from: "graham",
        at: "-9b 14:05",
        body: `Dear Alex,

Screens one, two and four are fine. Screen three is not correct: we also share with the national screening programme unless the patient objects. Suggested text:

"We share your record with the people who treat you, and with screening services unless you tell us not to."

It is longer. I am sorry about that.

Graham Pell
Clinical Safety Officer`,
      },
      {
        from: "alex",
        at: "-8b 09:40",
        body: `Hi Graham,

Longer and true beats short and wrong. I've taken your text and put the objection right below it as a choice, so that nobody has to look for it.

Sofia, the prototype will be with you by {{now+4b|long}}, two days ahead of the plan.

Best,
Alex`,
      },
      {
        from: "sofia",
        at: "-4b 10:30",
        body: `Dear Alex,

Excellent. Our board meets on {{now+11b|long}} and I have put you on the agenda for ten minutes. Would you be willing to present the prototype yourself, by video? If so, I need a title and two sentences for the board papers by {{now+3b|long}}.

With kind regards,
Sofia`,
        starred: true,
      },
      {
        from: "graham",
        at: "-1d 15:20",
        to: ["alex"],
        cc: ["sofia"],
        unread: true,
        body: `Dear Alex,

One more point from the safety review. What happens when a patient opens the 72 hour link on somebody else's device? Do we ask for the date of birth again, or do we send a code?

I need your proposal for the hazard log, which closes on {{now+5b|long}}.

Graham Pell
Clinical Safety Officer`,
      },
    ],
  },
  {
    id: "nimbus-workshop",
    subject: "Workshop: journey mapping in Leeds",
    labels: ["clients", "nimbus", "travel"],
    messages: [
      {
        from: "sofia",
        at: "-19b 09:30",
        body: `Dear Alex,

Please find below the invitation to the journey mapping workshop at our Leeds office. Lunch is provided; let me know of any dietary requirements.

With kind regards,
Sofia`,
        invite: {
          method: "REQUEST",
          uid: "journey-workshop",
          sequence: 0,
          summary: "Journey mapping workshop",
          location: "Nimbus Health, Wharf House, Leeds",
          start: "+6b 09:30",
          minutes: 360,
          organizer: "sofia",
          attendees: ["sofia", "graham", "alex"],
        },
      },
      {
        from: "alex",
        at: "-19b 11:02",
        body: `Hi Sofia,

I'll be there, and I eat everything. I'll book the flights once stage B is decided, or would you rather I booked now?

Best,
Alex`,
      },
      {
        from: "sofia",
        at: "-12b 16:44",
        subject: "Cancelled: Workshop: journey mapping in Leeds",
        replyTo: 0,
        quote: "none",
        to: ["alex"],
        body: `Dear Alex,

I am sorry to cancel: two wards are closed that week and nobody can leave. We will do the mapping remotely later. Please do not book any travel.

With kind regards,
Sofia`,
        invite: {
          method: "CANCEL",
          uid: "journey-workshop",
          sequence: 1,
          summary: "Journey mapping workshop",
          location: "Nimbus Health, Wharf House, Leeds",
          start: "+6b 09:30",
          minutes: 360,
          organizer: "sofia",
          attendees: ["sofia", "graham", "alex"],
        },
      },
    ],
  },
];
