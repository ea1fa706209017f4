import { notice } from "../layouts.ts";
import type { SandboxThread } from "../types.ts";

const LIST = {
  "List-Id": "a11y-talk <a11y-talk.lists.openform.example>",
  "List-Post": "<mailto:a11y-talk@lists.openform.example>",
  "List-Unsubscribe": "<mailto:a11y-talk-leave@lists.openform.example>",
  "List-Archive": "<https://lists.openform.example/archives/a11y-talk>",
  Precedence: "list",
};

const PLAZA = {
  name: "Plaza",
  host: "plaza.example",
  colour: "#d1495b",
  footer: "You get this because you asked Plaza to mail you. Change it in your settings.",
};
const WORKLINK = {
  name: "Worklink",
  host: "worklink.example",
  colour: "#1b6ca8",
  footer: "Worklink sends this to alex@sandbox.example.",
};
const HARBOR = {
  name: "CodeHarbor",
  host: "codeharbor.example",
  colour: "#24292f",
  footer: "CodeHarbor never asks for your password by mail.",
};

/** A public mailing list with interleaved quoting, a code host, two social networks. */
export const lists: SandboxThread[] = [
  {
    id: "a11y-live-price",
    subject: "[a11y-talk] Announcing a price that changes while you type",
    folder: "archive",
    labels: ["a11y-talk"],
    messages: [
      {
        from: "devi",
        at: "-60d 14:02",
        to: ["a11ylist"],
        headers: LIST,
        body: `Hello list,

we sell train tickets, and the total changes with every option. With aria-live="polite" our testers hear the price up to nine times in one form; with nothing at all they only hear it at the end and feel tricked.

What do you do? I would be glad to hear about real tests rather than opinions.

Devi`,
      },
      {
        from: "oskar",
        at: "-60d 16:47",
        to: ["a11ylist"],
        headers: LIST,
        quote: "none",
        body: `Devi Raman wrote:
> With aria-live="polite" our testers hear the price up to nine times

Debounce it. We wait until the focus has left the group of options, and announce once. Kiosks have no keyboard, but the idea is the same.

> I would be glad to hear about real tests rather than opinions.

14 people, two kiosks, 2 complaints instead of 11.

Oskar`,
      },
      {
        from: "june",
        at: "-59d 08:15",
        to: ["a11ylist"],
        replyTo: 0,
        headers: LIST,
        body: `We took the opposite road: a button, "Read the total", always at the same place. Nobody is ever interrupted. In tests, blind users found it at once, and sighted users never noticed it was there.

June`,
      },
      {
        from: "alex",
        at: "-59d 10:20",
        to: ["a11ylist"],
        replyTo: 1,
        quote: "none",
        body: `Hi all,

> Debounce it. We wait until the focus has left the group of options

We are about to test exactly this on ferry tickets, where one of the answers (the kind of vehicle) changes the price a lot. I'll report the results to the list once we have them, in about six weeks.

Oskar, do you announce the difference or the new total?

Best,
Alex`,
      },
      {
        from: "oskar",
        at: "-59d 11:08",
        to: ["a11ylist"],
        headers: LIST,
        quote: "none",
        body: `> do you announce the difference or the new total?

The total. "Eighteen euros fifty." We tried "three euros more" and people started to do sums aloud.

Oskar`,
      },
      {
        from: "june",
        at: "-58d 19:30",
        to: ["a11ylist"],
        headers: LIST,
        body: `"Started to do sums aloud" is the best usability finding I have read this year.

Total it is, then, and I'd add: say the currency after the number, never before. Synthesizers disagree about "€18".

June`,
      },
      {
        from: "devi",
        at: "-57d 09:12",
        to: ["a11ylist"],
        headers: LIST,
        body: `Thank you all. We will do both: announce once when the group loses focus, plus June's button. I'll write it up with numbers.

Devi`,
      },
      {
        from: "devi",
        at: "-3d 13:40",
        folder: "inbox",
        unread: true,
        to: ["a11ylist"],
        headers: LIST,
        body: `As promised, numbers: 22 people, 11 with screen readers. Announcing once: understood by 21. Button: used by 9, liked by all 9. We ship both.

Alex, you wanted to report on the ferry tests. Did the vehicle step behave the same way, and may I quote you in the write-up?

Devi`,
      },
    ],
  },
  {
    id: "tide-tokens-pr",
    subject: "[harbourline/tide-tokens] Rename Car to Car and driver (PR #418)",
    labels: ["harbourline"],
    messages: [
      {
        from: "codeharbor",
        at: "-4b 15:02",
        to: ["prthread"],
        cc: ["alex"],
        body: `marcus-webb requested your review on: harbourline/tide-tokens#418 Rename "Car" to "Car and driver".

 strings/en.json | 2 +-
 strings/de.json | 2 +-
 strings/da.json | 2 +-
 strings/fr.json | 2 +-
 4 files changed, 4 insertions(+), 4 deletions(-)

The key stays vehicle.car so that nothing else has to change.

--
View it on CodeHarbor: https://codeharbor.example/harbourline/tide-tokens/pull/418`,
      },
      {
        from: "codebot",
        at: "-4b 15:09",
        to: ["prthread"],
        cc: ["alex"],
        quote: "none",
        body: `All checks passed on 3f9c1d2: build (1m 12s), visual (3m 40s), strings (4s).

1 visual change needs approval: checkout/vehicle-step, 360 px, German.

--
View it on CodeHarbor: https://codeharbor.example/harbourline/tide-tokens/pull/418/checks`,
      },
      {
        from: "alex",
        at: "-4b 16:30",
        to: ["prthread"],
        replyTo: 0,
        quote: "none",
        body: `Hi Marcus,

Approved for English, Danish and French. German wraps at 360 px: "Pkw inkl. Fahrer" would fit, I'll check with a native speaker before we decide.

Best,
Alex`,
      },
      {
        from: "codeharbor",
        at: "-4b 17:11",
        to: ["prthread"],
        cc: ["alex"],
        quote: "none",
        body: `Merged #418 into main.

German tracked in #421, assigned to you.

--
View it on CodeHarbor: https://codeharbor.example/harbourline/tide-tokens/pull/418`,
      },
    ],
  },
  {
    id: "codeharbor-signin",
    subject: "New sign-in to your CodeHarbor account",
    messages: [
      {
        from: "codesecurity",
        at: "-1d 12:03",
        unread: true,
        ...notice(HARBOR, {
          heading: "Was this you?",
          paragraphs: [
            "We noticed a sign-in from a device we have not seen before.\nFirefox on Linux, near Lisbon, {{date|full}}, 12:01.",
            "If it was you, there is nothing to do. If not, change your password and sign out everywhere.",
          ],
          button: { label: "Review your sessions", path: "/settings/sessions" },
        }),
      },
    ],
  },
  {
    id: "plaza-1",
    subject: "June Castell mentioned you",
    messages: [
      {
        from: "plaza",
        at: "-8h",
        unread: true,
        ...notice(PLAZA, {
          heading: "June Castell mentioned you in a post",
          paragraphs: [
            "“If you build forms, go and hear @alexmorgan in Valencia. A talk about removing questions, which I expect to be very short.”",
            "14 likes, 3 replies",
          ],
          button: { label: "Answer June", path: "/june/posts/90217" },
          token: "pz90217",
        }),
      },
    ],
  },
  {
    id: "plaza-2",
    subject: "12 people liked your photo",
    folder: "archive",
    messages: [
      {
        from: "plaza",
        at: "-31d 20:00",
        ...notice(PLAZA, {
          heading: "Your photo is doing the rounds",
          paragraphs: ["12 people liked “Parágrafo inspects the prototype”, Kofi Mensah and Noor Bakker among them."],
          button: { label: "See the photo", path: "/alexmorgan/photos/311" },
          token: "pz311",
        }),
      },
    ],
  },
  {
    id: "plaza-3",
    subject: "Your week on Plaza",
    messages: [
      {
        from: "plaza",
        at: "-5d 18:00",
        ...notice(PLAZA, {
          heading: "You missed a little this week",
          paragraphs: [
            "Rita Sampaio shared 4 photos from the quarry.",
            "Design Lisbon announced its next meet-up: five-minute talks, open call.",
            "3 people you follow joined the group “Ferries of the world”.",
          ],
          button: { label: "Catch up", path: "/home" },
          token: "pzw44",
        }),
      },
    ],
  },
  {
    id: "worklink-1",
    subject: "Jamila Owusu wants to connect",
    messages: [
      {
        from: "worklink",
        at: "-2d 10:44",
        ...notice(WORKLINK, {
          heading: "Jamila Owusu, Engineering at Harbourline",
          paragraphs: ["“Hi Alex, I'm covering for Marcus next week, so I thought I'd say hello here first.”"],
          button: { label: "Accept", path: "/invitations/5518" },
          token: "wl5518",
        }),
      },
    ],
  },
  {
    id: "worklink-2",
    subject: "3 roles that fit “senior product designer”",
    folder: "trash",
    messages: [
      {
        from: "worklink",
        at: "-13d 07:00",
        ...notice(WORKLINK, {
          heading: "New this week in Lisbon",
          paragraphs: [
            "Senior product designer, Banco Alfama, hybrid",
            "Design lead, Luzclara Energia, on site",
            "Principal designer, a company that prefers not to be named",
          ],
          button: { label: "See all roles", path: "/jobs" },
          token: "wlj13",
        }),
      },
    ],
  },
];
