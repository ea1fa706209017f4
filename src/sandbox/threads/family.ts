import type { SandboxThread } from "../types.ts";

/** Family in two countries: Alex's in Devon, Inês's in Setúbal. */
export const family: SandboxThread[] = [
  {
    id: "mum-visit",
    subject: "Coming to see you!",
    labels: ["Família"],
    messages: [
      {
        from: "helen",
        at: "-23d 08:30",
        body: `Darling,

I have finally been brave and looked at flights. Would it suit you and Inês if I came for a week from {{now+17|long}}? I don't want to be in the way of your ferries.

I can sleep anywhere except the sofa, which tried to kill me last time.

Love, Mum x`,
      },
      {
        from: "alex",
        at: "-23d 11:20",
        body: `Hi Mum,

Come! That week is perfect, the big deadline is after it. And we have thrown the sofa out, on your account.

I'll pick you up at the airport. Just send me the flight number when you have it.

Lots of love,
Alex`,
      },
      {
        from: "helen",
        at: "-21d 19:05",
        body: `Booked! AeroTejo TJ 482 from Bristol, landing 14:35. I paid extra for a bag, because Inês's mother asked for Yorkshire tea and I intend to bring a serious amount.

Shall I bring your father's drawing board? It's only gathering dust in the loft, and I should like you to have it.

Love, Mum x`,
      },
      {
        from: "alex",
        at: "-20d 22:10",
        body: `Hi Mum,

I'd love the drawing board, but please don't carry it yourself. I'll ask Tom to send it; he still owes me for the bicycle.

TJ 482, 14:35, it's in my calendar.

Lots of love,
Alex`,
      },
      {
        from: "helen",
        at: "-12d 17:44",
        body: `Tom says he will, "eventually".

I have been reading about the tile museum. Could we go on a weekday, when it's quiet? And is there somewhere we can hear fado without being shouted at by waiters?

Love, Mum x`,
      },
      {
        from: "alex",
        at: "-11d 21:02",
        body: `Hi Mum,

Tile museum on the Tuesday, then. For fado Inês knows a place in Mouraria with eleven chairs and no menu. I'll book a table for the three of us.

Lots of love,
Alex`,
      },
      {
        from: "helen",
        at: "-5h",
        unread: true,
        starred: true,
        body: `Darling,

Did you manage to book the fado? Margaret next door went to one in Lisbon where you had to reserve weeks ahead and now she has me worried.

Also, does the flat have a hairdryer, or shall I pack mine?

Love, Mum x`,
      },
    ],
  },
  {
    id: "mum-painting",
    subject: "The painting, as promised",
    folder: "archive",
    labels: ["Família"],
    messages: [
      {
        from: "helen",
        at: "-205d 16:20",
        body: `Darling, your father's little seascape is back from the framer, and I cried a bit in the shop. Picture below; I hope it comes through this time.

[painting.png]

It hangs over the piano now. Tom says the frame cost more than the boat did.

Love, Mum x`,
        html: `<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head><body style="overflow-wrap: break-word;">Darling, your father's little seascape is back from the framer, and I cried a bit in the shop. Picture below; I hope it comes through this time.<div><br></div><div><img src="cid:painting@postbox.example" alt="painting.png" width="280" height="200"></div><div><br></div><div>It hangs over the piano now. Tom says the frame cost more than the boat did.</div><div><br></div><div>Love, Mum x</div></body></html>`,
        attachments: [
          {
            name: "painting.png",
            cid: "painting@postbox.example",
            picture: {
              width: 280,
              height: 200,
              bands: ["f0d9b5", "eec9a0", "7fa3b5", "4f7d93", "35596b"],
              disc: { x: 0.46, y: 0.44, r: 0.16, colour: "e8864a" },
            },
          },
        ],
      },
      {
        from: "alex",
        at: "-205d 20:45",
        body: `Hi Mum,

It came through, and it's beautiful. I've made it my background. Dad would have said the horizon is crooked.

Lots of love,
Alex`,
      },
    ],
  },
  {
    id: "tom-present",
    subject: "Mum's 70th, what are we doing?",
    labels: ["Família"],
    messages: [
      {
        from: "tom",
        at: "-16d 13:10",
        body: `Al,

Mum is 70 on {{now+40|long}} and I have had exactly one idea, which is a weekend in a cottage with everybody. There's one near Salcombe, sleeps ten, £1,150 for three nights. Half each?

T`,
      },
      {
        from: "alex",
        at: "-16d 20:30",
        body: `Hi Tom,

Great idea, half each is fine. Does it have stairs? Her knee.

And could you finally post the drawing board? I'll pay for it.

Cheers,
Alex`,
      },
      {
        from: "tom",
        at: "-15d 09:00",
        body: `Bedroom on the ground floor, I checked. I've put down the deposit, £300.

Drawing board: yes, yes. Eventually.`,
      },
      {
        from: "alex",
        at: "-14d 22:15",
        body: `Hi Tom,

Brilliant. I'll transfer my half, £575, by {{now+4|long}}, and I'll do the photo book; I have all of Dad's slides scanned.

Cheers,
Alex`,
      },
      {
        from: "tom",
        at: "-2d 18:25",
        body: `Owner wants the rest by the end of the month. Can you send me yours before that? Also, who tells Aunt Carol that there's no room for the dog?

T`,
      },
    ],
  },
  {
    id: "teresa-almoco",
    subject: "Almoço de domingo",
    lang: "pt-PT",
    labels: ["Família"],
    messages: [
      {
        from: "teresa",
        at: "-6d 10:15",
        cc: ["ines"],
        body: `Meus queridos,

No domingo faço arroz de marisco. Vêm? O tio Zé também vem, por isso tragam paciência.

Alex, podes trazer aquele pão de que o teu sogro gosta?

Beijinhos,
Teresa`,
      },
      {
        from: "alex",
        at: "-6d 12:40",
        body: `Olá Teresa,

Claro que sim, lá estaremos às 13h. Eu levo o pão e também uma tarte de limão.

Beijinhos,
Alex`,
      },
      {
        from: "ines",
        at: "-6d 13:05",
        to: ["teresa"],
        cc: ["alex"],
        body: `Mãe, o Alex queimou a última tarte. Eu levo a sobremesa.

Inês`,
      },
      {
        from: "teresa",
        at: "-5d 09:20",
        body: `Tragam as duas e escolhemos.

Alex, a tua mãe chega quando? Gostava de a convidar para jantar cá em casa numa noite dessa semana. Que dia lhe dá mais jeito?

Beijinhos,
Teresa`,
      },
    ],
  },
  {
    id: "ines-cat",
    subject: "Parágrafo: resultado das análises",
    lang: "pt-PT",
    labels: ["Família"],
    messages: [
      {
        from: "vet",
        at: "-7b 17:30",
        cc: ["ines"],
        body: `Boa tarde,

As análises do Parágrafo estão todas dentro dos valores normais. O peso (6,8 kg) é que não está: recomendamos a ração de controlo e nova pesagem dentro de quatro semanas.

A vacina anual está marcada para {{now+8b|long}}, às 18h15. Se não puderem vir, avisem-nos até à véspera.

Veterinária da Graça`,
        attachments: [
          {
            name: "analises-paragrafo.pdf",
            pdf: {
              title: "Veterinária da Graça: análises",
              lines: [
                "Paciente: Parágrafo, gato, 6 anos, 6,8 kg",
                "Data: {{date|full}}",
                "",
                "Glicose 92 mg/dL      Creatinina 1,4 mg/dL      ALT 48 U/L",
                "Tudo dentro dos valores de referência.",
                "Recomendação: ração de controlo, nova pesagem em quatro semanas.",
              ],
            },
          },
        ],
      },
      {
        from: "ines",
        at: "-7b 18:10",
        to: ["alex"],
        body: `6,8 kg!! Quem lhe anda a dar queijo?

Eu não posso ir à vacina, tenho reunião de pais. Vais tu?`,
      },
      {
        from: "alex",
        at: "-7b 19:00",
        body: `Olá amor,

Culpado. Vou eu à vacina, não te preocupes, e o queijo acabou.

Beijinhos,
Alex`,
      },
    ],
  },
  {
    id: "ines-list",
    subject: "Compras para sábado",
    lang: "pt-PT",
    folder: "trash",
    messages: [
      {
        from: "ines",
        at: "-18d 09:12",
        body: `- leite
- limões (muitos)
- areia do gato
- o vinho que o Ben gosta

Não te esqueças dos limões!`,
      },
    ],
  },
];
