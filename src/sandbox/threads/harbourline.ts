import type { SandboxThread } from "../types.ts";

/** Ferry tickets: the running project, with its contract, its invoices, a workshop that moved and a forgotten question. */
export const harbourline: SandboxThread[] = [
  {
    id: "harbourline-kickoff",
    subject: "Harbourline checkout: hello and first questions",
    folder: "archive",
    labels: ["clients"],
    messages: [
      {
        from: "priya",
        at: "-96b 10:12",
        cc: ["marcus"],
        body: `Hi Alex,

Elena at Saltworks gave me your name and said you were the calmest designer she has ever shared a deadline with, which is exactly what we need.

Harbourline runs nine ferry routes. Half our tickets are still sold at the quay because people give up on the website when they reach the vehicle step (car length, height, roof box, trailer). We would like to redesign the checkout before the summer timetable and we would like one person to own it end to end.

Would you have capacity for roughly two days a week over the next four months? And could you give me a rough idea of cost before I talk to our finance director?

Marcus, copied, leads engineering and can answer anything about the booking system.`,
      },
      {
        from: "alex",
        at: "-95b 11:40",
        body: `Hi Priya,

Thank you, and thanks to Elena. This sounds like my kind of problem: one awkward step that quietly costs a lot of money.

Two days a week works from next month. As a rough figure, a project like this comes to between €22,000 and €28,000 depending on how many routes behave differently at the vehicle step. I can narrow that down after an hour with the analytics.

Two questions for Marcus: can the booking system price a crossing before we know the exact vehicle length, and is there a staging copy I could click through?

Best,
Alex`,
      },
      {
        from: "marcus",
        at: "-94b 16:05",
        body: `Hi Alex,

Short answers: yes (it prices by length band, 5 m / 6 m / 8 m / more), and yes, staging is at https://staging.harbourline.example, I'll send you a login separately.

Longer answer on the bands: the old form asks for centimetres because a supplier wanted it in 2014. Nobody uses that number any more. Feel free to be ruthless.

Marcus`,
      },
      {
        from: "alex",
        at: "-93b 09:30",
        body: `Hi Marcus,

Ruthless it is. If nobody needs the centimetres, three picture buttons will probably beat the whole form.

Priya, I have been through the numbers. I'd propose a fixed price of €24,600 in three parts: €8,200 at the start, at handover of the tested prototype, and at launch. If that fits I'll send you a proposal document by {{date+2b|weekday}}.

Best,
Alex`,
      },
      {
        from: "priya",
        at: "-91b 14:22",
        body: `Hi Alex,

€24,600 in three parts is approved. Finance nodded within the hour, which has never happened before.

Please send the paperwork to Dana Whitlock in Accounts Payable and put PO 40117 on every invoice.

Looking forward to it!`,
      },
      {
        from: "alex",
        at: "-91b 15:02",
        body: `Hi Priya,

Lovely news. The proposal is attached; page one is the whole thing on one page. I'll put the PO number on every invoice.

Best,
Alex`,
        attachments: [
          {
            name: "harbourline-proposal.pdf",
            pdf: {
              title: "Harbourline checkout: proposal",
              lines: [
                "Prepared by Alex Morgan for Harbourline Ltd, {{date|full}}",
                "",
                "Goal: more people finish the vehicle step on a phone.",
                "Measure: completion of that step, 61 % today, 80 % at launch.",
                "",
                "1  Research and first prototype     €8,200, at the start",
                "2  Tested prototype, handed over    €8,200, at handover",
                "3  Support until launch             €8,200, at launch",
                "",
                "Total €24,600 plus VAT where it applies. PO 40117.",
                "Included: two rounds of usability tests, six people each.",
                "Not included: illustration, translation, front-end work.",
              ],
            },
          },
        ],
      },
    ],
  },
  {
    id: "harbourline-vehicle-step",
    subject: "Vehicle step: prototype v3 and what we learned",
    labels: ["clients", "harbourline"],
    messages: [
      {
        from: "alex",
        at: "-17b 09:48",
        to: ["priya"],
        cc: ["marcus"],
        body: `Hi Priya,

Prototype v3 of the vehicle step is ready to click: https://proto.alexmorgan.example/harbourline/v3

What changed since v2:
- three silhouettes (small car, large car or van, with trailer) instead of the length field
- the roof box question only appears on the two routes with a height limit
- the price updates in place, so nobody has to go back to see it

I'd like to test it with six people next week. Could you send me a few customers who abandoned a booking last month?

Best,
Alex`,
      },
      {
        from: "priya",
        at: "-17b 15:31",
        body: `Hi Alex,

This is so much better. My mother could do it, and she once paid for a lorry by mistake.

I'll get you eight names from customer care by {{date+1b|weekday}}; they all agreed to be contacted. One worry: the silhouette for "large car or van" looks like a hearse. Was that on purpose?`,
      },
      {
        from: "alex",
        at: "-16b 10:02",
        body: `Hi Priya,

Not on purpose, although it does have a certain gravity. I'll ask Noor to redraw it with windows.

Eight names would be perfect, six for the test and two in reserve. I'll pay each of them a €30 voucher and put it on the next invoice, if that's all right?

Best,
Alex`,
      },
      {
        from: "priya",
        at: "-16b 11:15",
        body: `Hi Alex,

Vouchers are fine, and names are on their way from care@harbourline.example. Windows on the van, please.`,
      },
      {
        from: "marcus",
        at: "-14b 17:40",
        body: `Hi both,

Two things from our side.

First, the price call takes about 900 ms on a bad day, so "updates in place" will flicker. Can we have a state for that?

Second, the Skerra route charges by weight above 3.5 t. It is 40 bookings a year, but they are angry bookings. Do we handle it in the form or send them to the phone line?

Marcus`,
      },
      {
        from: "alex",
        at: "-13b 09:20",
        body: `Hi Marcus,

For the price: I'd keep the old figure visible but dimmed, and announce the new one politely to screen readers. No spinner. I'll add the state to the prototype.

For Skerra: phone line. Forty bookings don't deserve a question that everybody else has to read. Let's write "Heavier than 3.5 tonnes? Call us, it takes two minutes" under the silhouettes on that route only.

Priya, are you happy with that decision?

Best,
Alex`,
      },
      {
        from: "priya",
        at: "-13b 12:55",
        body: `Hi Alex,

Agreed, phone line for Skerra. Care will be warned.`,
      },
      {
        from: "alex",
        at: "-7b 18:10",
        body: `Hi Priya,

Tests are done. Six people, 42 minutes on average, and the short version is good news:

- 6 of 6 finished the vehicle step without help (v1: 2 of 6)
- median time 38 seconds, it used to be 2 minutes 51
- 3 people did not notice that the price includes the driver, so two of them added the driver twice

The last one needs a fix before launch. The raw notes are attached as a spreadsheet, names removed.

Best,
Alex`,
        attachments: [
          {
            name: "usability-round-3.csv",
            csv: [
              ["participant", "device", "seconds", "finished", "note"],
              ["P1", "phone", "31", "yes", "Chose the van for an estate car, noticed by the picture"],
              ["P2", "phone", "44", "yes", "Added the driver twice"],
              ["P3", "tablet", "29", "yes", "Asked whether bicycles on the roof count"],
              ["P4", "phone", "52", "yes", "Added the driver twice, found it in the summary"],
              ["P5", "laptop", "35", "yes", 'Said "is that all?"'],
              ["P6", "phone", "41", "yes", "Did not see that the driver is included"],
            ],
          },
        ],
      },
      {
        from: "priya",
        at: "-6b 09:05",
        body: `Hi Alex,

"Is that all?" is going on my wall.

On the driver: could we say "Car and driver" everywhere instead of "Car"? Marcus says the label comes from one place. I showed the numbers to the board yesterday and they want to launch on {{now+24b|long}}, a week earlier than planned. Is that realistic from your side?`,
      },
      {
        from: "alex",
        at: "-6b 11:32",
        body: `Hi Priya,

"Car and driver" is the right fix, and the simplest. Let's do that.

{{now+24b|day}} is realistic if the copy is frozen by {{now+9b|long}}. After that every change costs a translation round in three languages, and that is where a week disappears.

I'll send you the revised prototype and the final copy deck by {{now+2b|long}}.

Best,
Alex`,
      },
      {
        from: "marcus",
        at: "-2b 16:48",
        body: `Hi Alex,

The new label is merged. Staging shows "Car and driver" in all four languages, except German, where it runs over two lines on small phones. Could you take a look at that when you do the copy deck?

Also: I'm away from {{now+6b|long}} for a week. Jamila covers for me, jamila@harbourline.example.

Marcus`,
        starred: true,
      },
      {
        from: "priya",
        at: "-6m",
        to: ["alex"],
        cc: ["marcus"],
        unread: true,
        body: `Hi Alex,

Two quick things before my steering meeting tomorrow morning:

1. Can you confirm that the copy freeze on {{now+9b|day}} still holds for you?
2. Could you send me one slide with before and after numbers? Only the three from your mail, big.

I need the slide by 9:30 tomorrow. Sorry for the short notice, the agenda changed an hour ago.`,
      },
    ],
  },
  {
    id: "harbourline-invoice",
    subject: "Invoice AM-{{now-30|year}}-031, PO 40117",
    labels: ["clients", "invoices"],
    messages: [
      {
        from: "alex",
        at: "-34b 17:20",
        to: ["dana"],
        cc: ["priya"],
        body: `Hi Dana,

Please find attached invoice AM-{{now-30|year}}-031 over €8,200.00 for the second part of the checkout project, PO 40117. Payment is due within 30 days, by {{date+30|full}}.

Let me know if you need anything else for your records.

Best,
Alex`,
        attachments: [
          {
            name: "AM-{{now-30|year}}-031.pdf",
            pdf: {
              title: "Invoice AM-{{now-30|year}}-031",
              lines: [
                "Alex Morgan, Product design, Lisbon",
                "To: Harbourline Ltd, Accounts Payable",
                "Purchase order: 40117",
                "Date: {{date|full}}      Due: {{date+30|full}}",
                "",
                "Checkout redesign, part 2 of 3: tested prototype     €8,200.00",
                "Reverse charge, article 196 of Directive 2006/112/EC",
                "",
                "Total due: €8,200.00",
                "Bank: Banco Alfama, reference AM-031",
              ],
            },
          },
        ],
      },
      {
        from: "dana",
        at: "-33b 10:44",
        body: `Dear Alex,

Thank you, received. Our system rejects invoices without our VAT number in the address block. Please could you add GB 000 1234 56 and resend? I will then put it into this week's run.

Kind regards,
Dana`,
      },
      {
        from: "alex",
        at: "-33b 12:01",
        body: `Hi Dana,

Of course, and sorry for the extra round. I've added the VAT number; nothing else has changed and the invoice number stays the same. I'll put it on all future invoices too.

Best,
Alex`,
        attachments: [
          {
            name: "AM-{{now-30|year}}-031-b.pdf",
            pdf: {
              title: "Invoice AM-{{now-30|year}}-031",
              lines: [
                "Alex Morgan, Product design, Lisbon",
                "To: Harbourline Ltd, Accounts Payable, VAT GB 000 1234 56",
                "Purchase order: 40117",
                "Due: {{date+30|full}}",
                "",
                "Checkout redesign, part 2 of 3: tested prototype     €8,200.00",
                "Total due: €8,200.00",
              ],
            },
          },
        ],
      },
      {
        from: "alex",
        at: "-3b 09:10",
        body: `Hi Dana,

A friendly reminder: invoice 031 over €8,200.00 was due on {{date-1|day}} and I can't see it on my account yet. Could you tell me when it is scheduled?

Best,
Alex`,
        replyTo: 2,
      },
      {
        from: "dana",
        at: "-2b 11:27",
        body: `Dear Alex,

Apologies, it missed the last run because the approver was on leave. It is now approved and will leave our account on {{now+1b|long}}, so you should have it by {{now+3b|long}}.

Kind regards,
Dana`,
      },
    ],
  },
  {
    id: "harbourline-review-invite",
    subject: "Invitation: Checkout copy review",
    labels: ["clients", "harbourline"],
    messages: [
      {
        from: "priya",
        at: "-5b 13:10",
        to: ["alex"],
        cc: ["marcus"],
        body: `Hi Alex,

Here is a slot for the copy review. Let's go through the deck screen by screen, with German first.`,
        invite: {
          method: "REQUEST",
          uid: "copy-review",
          sequence: 0,
          summary: "Checkout copy review",
          location: "Video call, https://meet.harbourline.example/copy-review",
          description: "Go through the copy deck screen by screen. German first.",
          start: "+3b 10:00",
          minutes: 60,
          organizer: "priya",
          attendees: ["priya", "alex", "marcus"],
        },
      },
      {
        from: "alex",
        at: "-5b 14:25",
        body: `Hi Priya,

Works for me. I'll bring the deck and the three German strings that are too long.

Best,
Alex`,
      },
      {
        from: "priya",
        at: "-1d 11:36",
        to: ["alex"],
        cc: ["marcus"],
        subject: "Updated invitation: Checkout copy review",
        unread: true,
        body: `Hi both,

The steering group took our slot. Same day, moved to 15:30, and half an hour longer so that we can finish Danish as well.`,
        invite: {
          method: "REQUEST",
          uid: "copy-review",
          sequence: 1,
          summary: "Checkout copy review (German and Danish)",
          location: "Video call, https://meet.harbourline.example/copy-review",
          description: "Go through the copy deck screen by screen. German first, then Danish.",
          start: "+3b 15:30",
          minutes: 90,
          organizer: "priya",
          attendees: ["priya", "alex", "marcus"],
        },
      },
    ],
  },
  {
    id: "harbourline-icons",
    subject: "Icon licence, did we ever sort this?",
    labels: ["clients", "harbourline"],
    messages: [
      {
        from: "marcus",
        at: "-8b 10:17",
        body: `Hi Alex,

Legal is collecting licences for everything on the new site. The map pins on the route page came from your file. Did you draw them or do they come from a set? If it's a set, do you have the licence text somewhere?

No rush, but they want an answer before the launch.

Marcus`,
      },
    ],
  },
];
