import type { SandboxThread } from "../types.ts";

const VCARD = `BEGIN:VCARD
VERSION:3.0
N:Sampaio;Rita;;;
FN:Rita Sampaio
TEL;TYPE=CELL:+351 900 000 017
EMAIL:rita.sampaio@correio.example
ADR;TYPE=HOME:;;Rua das Laranjeiras 8, 2.º Esq.;Lisboa;;;Portugal
NOTE:Has the spare keys
END:VCARD
`;

export const friends: SandboxThread[] = [
  {
    id: "climbing-weekend",
    subject: "Climbing weekend: dates, cars, and who brings the stove",
    labels: ["friends"],
    messages: [
      {
        from: "ben",
        at: "-27d 12:02",
        cc: ["kofi", "rita"],
        body: `Team,

It has been a year. I propose the crag above Sesimbra, Friday evening to Sunday, {{now+10fri|long}} or the week after. Votes please, and no "either is fine", Kofi.

Ben`,
      },
      {
        from: "kofi",
        at: "-27d 12:40",
        body: `Either is fine.

(The first one. I'm on call the week after.)`,
      },
      {
        from: "rita",
        at: "-27d 19:15",
        body: `First one for me too. My car fits three people and two ropes, or four people who like each other.`,
      },
      {
        from: "alex",
        at: "-26d 08:50",
        body: `Hi all,

First one works if I can join on the Saturday morning; I have a project freezing its copy that week. I'll bring the stove, the good coffee and the long rope.

Cheers,
Alex`,
      },
      {
        from: "ben",
        at: "-26d 09:31",
        body: `Decided: first weekend. Alex joins Saturday with stove and coffee, so on Friday we eat cold beans like our ancestors.

I've booked four places at the campsite, €18 a head for both nights. Pay me when you see me.`,
      },
      {
        from: "rita",
        at: "-19d 21:00",
        body: `Forecast people: is anybody worried about the wind? The sea side gets nasty with a north-westerly. The quarry would be the plan B.`,
      },
      {
        from: "kofi",
        at: "-18d 07:45",
        body: `Quarry as plan B, agreed. I'll bring the second set of quickdraws and a first aid kit that isn't from 2009.`,
      },
      {
        from: "alex",
        at: "-18d 22:20",
        body: `Hi all,

Quarry is fine with me. Kofi, please replace the plasters; I used the last ones on a tomato knife.

I'll check the forecast on the Wednesday before and write to everybody.

Cheers,
Alex`,
      },
      {
        from: "ben",
        at: "-1d 08:05",
        unread: true,
        body: `Last call! The campsite wants car registrations and one phone number.

Alex: are you driving yourself on Saturday, or do you need picking up at the station? And can you lend Kofi a harness?

Ben`,
      },
    ],
  },
  {
    id: "rita-keys",
    subject: "Keys, plants, cat",
    folder: "archive",
    labels: ["friends"],
    messages: [
      {
        from: "alex",
        at: "-120d 10:10",
        to: ["rita"],
        body: `Hi Rita,

Thank you for saving our plants (again). We leave on {{date+4|long}} and are back ten days later. The cat eats at 7 and at 19 and will tell you that he hasn't.

Could you send me your new phone number? I only have the old one.

Cheers,
Alex`,
      },
      {
        from: "rita",
        at: "-120d 13:33",
        body: `Here's my card, with the new address too. Leave the keys with Senhora Amélia on the ground floor, I'll be there every evening.

And I know what he says. I don't believe him either.`,
        attachments: [{ name: "Rita Sampaio.vcf", text: VCARD, mime: "text/vcard; charset=utf-8" }],
      },
      {
        from: "rita",
        at: "-108d 18:50",
        body: `All alive, including the fern, which I had given up on. He has opened the cupboard twice. I put a chair in front of it.`,
      },
      {
        from: "alex",
        at: "-106d 20:00",
        replyTo: 2,
        body: `Hi Rita,

You are a hero. There's a bottle of something Madeiran with your name on it.

Cheers,
Alex`,
      },
    ],
  },
  {
    id: "kofi-book",
    subject: "That book about bridges",
    folder: "archive",
    labels: ["friends"],
    messages: [
      {
        from: "kofi",
        at: "-260d 23:12",
        body: `Al, what was the book you kept quoting on Saturday? The one where the bridge wobbles and the engineer stays calm. I want to give it to my dad.`,
      },
      {
        from: "alex",
        at: "-259d 08:35",
        body: `Hi Kofi,

It's "To the Far Bank" by Maren Holt. The wobble is chapter six. I have it twice, I'll bring you one next week.

Cheers,
Alex`,
      },
    ],
  },
  {
    id: "ben-flat",
    subject: "You were right about the mortgage",
    folder: "archive",
    messages: [
      {
        from: "ben",
        at: "-410d 19:40",
        body: `Signed today. Fixed for ten years, like you said, and the man at the bank looked sad, which I take as a good sign.

Housewarming on Saturday week. Bring nothing, except that lemon tart. The one that wasn't burnt.

Ben`,
      },
      {
        from: "alex",
        at: "-410d 21:15",
        body: `Hi Ben,

Congratulations! We'll be there, with tart, colour to be confirmed.

Cheers,
Alex`,
      },
    ],
  },
];
