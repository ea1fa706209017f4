import { type Issue, newsletter } from "../layouts.ts";
import type { SandboxThread } from "../types.ts";

const TYPE_WEEKLY = {
  name: "Type Weekly",
  host: "typeweekly.example",
  colour: "#1d3557",
  footer: "Type Weekly is written by two people and a proofreader. Sent to alex@sandbox.example.",
};
const MARGIN = {
  name: "The Margin",
  host: "themargin.example",
  colour: "#6a4c2f",
  footer: "The Margin, letters about working for yourself. Reply and I will read it. Ruth",
};
const LISBOA = {
  name: "Lisboa Semanal",
  host: "lisboasemanal.example",
  colour: "#c8553d",
  footer: "Recebe esta agenda porque a subscreveu em lisboasemanal.example.",
};

function typeWeekly(number: number, at: string, subject: string, issue: Omit<Issue, "token">): SandboxThread {
  return {
    id: `type-weekly-${number}`,
    subject: `Type Weekly ${number}: ${subject}`,
    ...(number < 213 ? { folder: "archive" as const } : {}),
    labels: ["newsletters"],
    messages: [
      {
        from: "typeweekly",
        at,
        unread: number > 213,
        ...newsletter(TYPE_WEEKLY, { ...issue, token: `tw${number}-a1e7` }),
      },
    ],
  };
}

export const newsletters: SandboxThread[] = [
  typeWeekly(211, "-23d 07:00", "the ampersand nobody ordered", {
    title: "The ampersand nobody ordered",
    intro:
      "This week: a typeface with forty-one ampersands, and a bus operator that changed its timetable type overnight.",
    articles: [
      {
        title: "Forty-one ways to say and",
        text: "Lucerna began as a commission for a bakery. The bakery closed; the ampersands stayed. We asked the designer which one she uses herself, and the answer is none of them.",
        path: "/211/lucerna",
        img: "211/lucerna-specimen.jpg",
      },
      {
        title: "A timetable you can read at 7 a.m.",
        text: "Nordby buses swapped a condensed grotesque for a wider humanist face at the same size. Complaints about wrong departures fell by a third. Nobody noticed the type.",
        path: "/211/nordby",
      },
      {
        title: "Tool of the week: Kernel Panic",
        text: "Paste a word, get the ten worst pairs. Free, runs in the browser, mildly insulting.",
        path: "/211/kernel-panic",
      },
    ],
  }),
  typeWeekly(212, "-16d 07:00", "numbers that line up", {
    title: "Numbers that line up",
    intro: "An issue about figures: tabular, old style, and the strange life of the slashed zero.",
    articles: [
      {
        title: "Why your invoice looks nervous",
        text: "Proportional figures in a column of prices are the typographic equivalent of a wobbly table. One CSS property puts a folded napkin under it: font-variant-numeric.",
        path: "/212/tabular",
        img: "212/invoice-before-after.png",
      },
      {
        title: "The slashed zero, a short history",
        text: "From ledgers to radar screens to passwords: how a stroke went from necessity to ornament, and where you should still use it.",
        path: "/212/zero",
      },
    ],
    closing: "Correction: last week we credited Lucerna's italics to the wrong sister. Sorry, Agnes.",
  }),
  typeWeekly(213, "-9d 07:00", "Arabic first", {
    title: "Arabic first",
    intro: "What happens when a bilingual identity starts from the Arabic, and the Latin has to follow.",
    articles: [
      {
        title: "Two scripts, one rhythm",
        text: "Three studios in Amman, Beirut and Cairo on setting both scripts at the same optical size, and on saying no to “make it look like the English”.",
        path: "/213/two-scripts",
        img: "213/kufi-grid.jpg",
      },
      {
        title: "Diacritics at small sizes",
        text: "A practical guide: more line height than you think, fewer weights than you want, and test on the cheapest phone you can borrow.",
        path: "/213/diacritics",
      },
      {
        title: "Meet-up",
        text: "Readers' evening in Lisbon, at the letterpress workshop in Marvila. 30 places, bring a poster to swap.",
        path: "/213/lisbon",
      },
    ],
  }),
  typeWeekly(214, "-2d 07:00", "buttons are words", {
    title: "Buttons are words",
    intro:
      "A label is the smallest text you will ever set, and the most read. Plus: a museum sets its captions in 24 point.",
    articles: [
      {
        title: "“Car” or “Car and driver”?",
        text: "We collected 300 button labels that grew by a word and got better results. The average improvement beats most redesigns we have seen this year.",
        path: "/214/labels",
        img: "214/buttons.png",
      },
      {
        title: "Captions at arm's length",
        text: "The harbour museum in Gdansk doubled its caption size and cut the text by half. Visitors now read all of it, which surprised the curators.",
        path: "/214/captions",
      },
      {
        title: "Variable fonts on e-readers",
        text: "Support has arrived on two of the four big makes. What works, what crashes, and why weight is the only axis you can rely on.",
        path: "/214/e-readers",
      },
    ],
  }),
  {
    id: "margin-rates",
    subject: "How I doubled my rate by answering slower",
    folder: "archive",
    labels: ["newsletters"],
    messages: [
      {
        from: "margin",
        at: "-29d 16:00",
        ...newsletter(MARGIN, {
          title: "How I doubled my rate by answering slower",
          intro:
            "For six years I quoted within the hour. Then I had the flu, quoted after three days, and named a figure that I was too tired to talk down. They said yes.",
          articles: [
            {
              title: "The three-day quote",
              text: "Day one: write down what they asked for. Day two: write down what they need. Day three: price the difference. The delay is not a trick; it is when the thinking happens.",
              path: "/letters/three-day-quote",
            },
            {
              title: "A template for saying “not at that price”",
              text: "Four sentences, no apology, one alternative. Steal it.",
              path: "/letters/not-at-that-price",
            },
          ],
          closing: "Until next time, keep some white space.\nRuth",
          token: "mg-88c1",
        }),
      },
    ],
  },
  {
    id: "margin-late",
    subject: "The polite art of being paid on time",
    labels: ["newsletters"],
    messages: [
      {
        from: "margin",
        at: "-8d 16:00",
        ...newsletter(MARGIN, {
          title: "The polite art of being paid on time",
          intro:
            "Late payment is rarely malice. It is a VAT number in the wrong box, an approver on holiday, a run that happens on Thursdays.",
          articles: [
            {
              title: "Ask the accounts person one question",
              text: "“What would make my invoice the easiest one on your desk?” I have asked it eleven times. I got eleven different answers, and I have been paid on time ever since.",
              path: "/letters/easiest-invoice",
              img: "desk.jpg",
            },
            {
              title: "When to mention interest",
              text: "After the second reminder, in the third sentence, without an adjective.",
              path: "/letters/interest",
            },
          ],
          closing: "Until next time, keep some white space.\nRuth",
          token: "mg-93f0",
        }),
      },
    ],
  },
  {
    id: "lisboa-1",
    subject: "Lisboa esta semana: azulejos, jazz e sardinhas tardias",
    lang: "pt-PT",
    folder: "archive",
    labels: ["newsletters"],
    messages: [
      {
        from: "lisboa",
        at: "-20d 09:00",
        ...newsletter(LISBOA, {
          title: "O que fazer esta semana",
          intro: "Três ideias para quem fica na cidade, uma para quem foge dela.",
          articles: [
            {
              title: "Noite aberta no Museu do Azulejo",
              text: "Entrada livre depois das 19h, com visita guiada ao grande painel de Lisboa. Quinta-feira, sem inscrição.",
              path: "/agenda/azulejo",
              img: "azulejo.jpg",
            },
            {
              title: "Jazz no miradouro",
              text: "O trio de Mariana Lobo toca ao pôr do sol na Graça. Leve almofada.",
              path: "/agenda/jazz",
            },
            {
              title: "Fuga: o comboio para Setúbal",
              text: "Choco frito, mercado do Livramento e regresso antes da meia-noite, tudo por menos de 30 euros.",
              path: "/agenda/setubal",
            },
          ],
          token: "ls-301",
          more: "Ler mais",
          unsubscribe: "Cancelar subscrição",
        }),
      },
    ],
  },
  {
    id: "lisboa-2",
    subject: "Lisboa esta semana: feira do livro usado e fado sem turistas",
    lang: "pt-PT",
    labels: ["newsletters"],
    messages: [
      {
        from: "lisboa",
        at: "-6d 09:00",
        unread: true,
        ...newsletter(LISBOA, {
          title: "O que fazer esta semana",
          intro: "Livros a um euro, uma peça de teatro dentro de um elétrico e as melhores casas de fado pequenas.",
          articles: [
            {
              title: "Feira do livro usado no Príncipe Real",
              text: "Oitenta bancas debaixo do cedro. Os alfarrabistas baixam os preços no domingo à tarde.",
              path: "/agenda/livros",
            },
            {
              title: "Fado sem turistas",
              text: "Cinco casas com menos de vinte lugares. Na de Mouraria não há ementa: come-se o que houver e cala-se durante o fado. Reserve com duas semanas.",
              path: "/agenda/fado",
              img: "fado.jpg",
            },
            {
              title: "Teatro no 28",
              text: "Uma peça de quarenta minutos, o tempo da viagem. Só de pé.",
              path: "/agenda/eletrico",
            },
          ],
          token: "ls-303",
          more: "Ler mais",
          unsubscribe: "Cancelar subscrição",
        }),
      },
    ],
  },
  {
    id: "kestrel-sale",
    subject: "48 hours: 25 % off everything with a zip",
    messages: [
      {
        from: "kestrel",
        at: "-11h",
        unread: true,
        // HTML only, as shops often send.
        html: newsletter(
          {
            name: "Kestrel Bags",
            host: "kestrelbags.example",
            colour: "#2f4f3e",
            footer: "Kestrel Bags, made in Porto. Prices include VAT.",
          },
          {
            title: "25 % off everything with a zip",
            intro: "And everything we make has a zip. Use the code ZIPZIP until {{now+1|long}}, midnight.",
            articles: [
              {
                title: "The Tern backpack",
                text: "Fits a 14-inch laptop, a jumper and a sandwich that stays flat. €119 instead of €159.",
                path: "/shop/tern",
                img: "tern.jpg",
              },
              {
                title: "The Sandpiper pouch",
                text: "For cables and pens. €21 instead of €28.",
                path: "/shop/sandpiper",
              },
            ],
            more: "Shop now",
            token: "kb-2511",
          },
        ).html,
      },
    ],
  },
  {
    id: "papelaria-news",
    subject: "Regresso dos cadernos pontilhados (e -15 % em papel)",
    lang: "pt-PT",
    folder: "trash",
    messages: [
      {
        from: "papeloffers",
        at: "-10d 11:00",
        ...newsletter(
          {
            name: "Papelaria Estrela",
            host: "papelariaestrela.example",
            colour: "#9c2f3c",
            footer: "Papelaria Estrela, Rua do Sol 14, Lisboa.",
          },
          {
            title: "Voltaram os pontilhados",
            intro: "Os cadernos A5 que esgotaram em duas semanas estão de volta, em azul, ocre e verde-garrafa.",
            articles: [
              {
                title: "Menos 15 % em todo o papel de desenho",
                text: "Só até ao fim da semana, na loja e em linha.",
                path: "/papel",
                img: "cadernos.jpg",
              },
            ],
            more: "Comprar",
            unsubscribe: "Não quero receber mais",
            token: "pe-77",
          },
        ),
      },
    ],
  },
];
