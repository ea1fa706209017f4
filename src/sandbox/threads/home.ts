import { notice } from "../layouts.ts";
import type { SandboxThread } from "../types.ts";

const BANK = {
  name: "Banco Alfama",
  host: "bancoalfama.example",
  colour: "#123c69",
  footer: "Banco Alfama nunca lhe pede códigos por e-mail. Esta mensagem é automática, não responda.",
};
const LUZ = {
  name: "Luzclara Energia",
  host: "luzclara.example",
  colour: "#b35c00",
  footer: "Luzclara Energia, apoio ao cliente: 800 000 000.",
};

/** The flat, the accountant, the bank and appointments. */
export const home: SandboxThread[] = [
  {
    id: "infiltracao",
    subject: "Infiltração no teto da cozinha",
    lang: "pt-PT",
    labels: ["home"],
    messages: [
      {
        from: "alex",
        at: "-15b 08:40",
        to: ["duarte"],
        body: `Bom dia Sr. Duarte,

Apareceu uma mancha de humidade no teto da cozinha, por cima do lava-loiça. Desde ontem à noite cresceu uns vinte centímetros. Envio uma fotografia em anexo.

Pode, por favor, pedir a alguém que venha ver ainda esta semana?

Cumprimentos,
Alex Morgan`,
        attachments: [
          {
            name: "teto-cozinha.png",
            picture: {
              width: 260,
              height: 180,
              bands: ["f5f2ea", "f5f2ea", "efe9dc"],
              disc: { x: 0.6, y: 0.45, r: 0.27, colour: "cdb98f" },
            },
          },
        ],
      },
      {
        from: "duarte",
        at: "-15b 12:22",
        body: `Bom dia Alex,

Já falei com o vizinho do 3.º andar: é a máquina de lavar dele. O canalizador, o Sr. Alves, passa aí na {{date+2b|weekday}}, entre as 9h e as 11h. Está alguém em casa?

Cumprimentos,
Duarte Figueiredo`,
      },
      {
        from: "alex",
        at: "-15b 13:05",
        body: `Boa tarde Sr. Duarte,

Obrigado pela rapidez. Eu fico em casa nessa manhã.

Cumprimentos,
Alex Morgan`,
      },
      {
        from: "duarte",
        at: "-12b 18:30",
        body: `Boa tarde,

O Sr. Alves diz que o tubo está trocado e que o teto tem de secar duas semanas antes da pintura. O seguro do vizinho paga tudo. Agradeço que me envie fotografias da mancha quando estiver seca, a seguradora pediu-as.

Cumprimentos,
Duarte Figueiredo`,
      },
      {
        from: "alex",
        at: "-11b 09:00",
        body: `Bom dia Sr. Duarte,

Combinado. Envio-lhe as fotografias até {{now+2b|long}}, quando o teto estiver seco.

Cumprimentos,
Alex Morgan`,
      },
      {
        from: "duarte",
        at: "-1d 17:10",
        body: `Boa tarde Alex,

O pintor pode ir no dia {{now+9b|day}} ou no dia {{now+10b|day}}, de manhã. Qual prefere? Preciso de lhe responder até amanhã.

Cumprimentos,
Duarte Figueiredo`,
        unread: true,
      },
    ],
  },
  {
    id: "renda",
    subject: "Atualização da renda e renovação do contrato",
    lang: "pt-PT",
    labels: ["home"],
    folder: "archive",
    messages: [
      {
        from: "duarte",
        at: "-75b 11:00",
        body: `Estimado Alex,

O contrato renova-se no próximo ano por mais dois anos. A renda passa de 1.180 € para 1.205 €, de acordo com o coeficiente legal. Envio a carta em anexo.

Agradeço a vossa simpatia de sempre.

Cumprimentos,
Duarte Figueiredo`,
        attachments: [
          {
            name: "carta-renda.pdf",
            pdf: {
              title: "Atualização da renda",
              lines: [
                "Lisboa, {{date|full}}",
                "Ex.mos Senhores Alex Morgan e Inês Carvalho,",
                "",
                "A renda mensal da fração 2.º D passa de 1.180,00 € para 1.205,00 €.",
                "O contrato renova-se por dois anos.",
                "",
                "Duarte Figueiredo",
              ],
            },
          },
        ],
      },
      {
        from: "alex",
        at: "-73b 19:25",
        cc: ["ines"],
        body: `Boa tarde Sr. Duarte,

Está tudo certo. A Inês altera a ordem permanente para 1.205 € a partir do próximo mês.

Cumprimentos,
Alex Morgan`,
      },
    ],
  },
  {
    id: "iva",
    subject: "IVA do trimestre: documentos em falta",
    lang: "pt-PT",
    labels: ["taxes"],
    messages: [
      {
        from: "marta",
        at: "-6b 10:00",
        body: `Bom dia Alex,

Para entregar o IVA deste trimestre faltam-me três documentos:

1. a fatura da Noor Bakker (serviço intracomunitário)
2. o recibo do Framewright do mês passado
3. o bilhete de avião para Valência, se for despesa de trabalho

O prazo é {{now+10b|long}}, mas gostava de fechar tudo até {{now+5b|long}}. Consegues enviar-me até lá?

Cumprimentos,
Marta`,
      },
      {
        from: "alex",
        at: "-6b 15:45",
        body: `Olá Marta,

A fatura da Noor segue ainda hoje, noutra mensagem. O recibo e o bilhete envio-te até {{now+3b|long}}. A viagem a Valência é trabalho: vou falar numa conferência e o voo é reembolsado.

Obrigado,
Alex`,
      },
      {
        from: "marta",
        at: "-5b 09:10",
        body: `Olá Alex,

Perfeito. Se o voo é reembolsado, preciso também da nota de honorários à conferência (900 €). Já a emitiste?

Cumprimentos,
Marta`,
      },
    ],
  },
  {
    id: "marta-forward",
    subject: "Fatura da Noor para o IVA",
    lang: "pt-PT",
    labels: ["taxes"],
    messages: [
      {
        from: "alex",
        at: "-6b 16:05",
        to: ["marta"],
        body: `Olá Marta,

Aqui vai a fatura da Noor, 187,50 €, com inversão do sujeito passivo. Guardo o original na pasta do trimestre.

Obrigado,
Alex`,
        attachments: [
          {
            name: "NB-{{now-10|year}}-114.pdf",
            pdf: {
              title: "Invoice NB-{{now-10|year}}-114",
              lines: [
                "Noor Bakker, front-end and illustration, Utrecht",
                "To: Alex Morgan, Lisbon",
                "",
                "Vehicle silhouettes, 2.5 h at €75.00       €187.50",
                "VAT reverse charged",
                "Total: €187.50",
              ],
            },
          },
        ],
      },
      { from: "marta", at: "-6b 17:20", body: `Recebida, obrigada!\n\nMarta` },
    ],
  },
  {
    id: "bank-statement-1",
    subject: "O seu extrato de {{date|lastmonth}} está disponível",
    folder: "archive",
    labels: ["bank"],
    messages: [
      {
        from: "bank",
        at: "-34d 06:30",
        ...notice(BANK, {
          heading: "Extrato disponível",
          paragraphs: [
            "Estimado cliente, o extrato da sua conta terminada em 4471 já pode ser consultado.",
            "Saldo inicial: 9.214,08 €\nEntradas: 12.850,00 €\nSaídas: 6.402,77 €\nSaldo final: 15.661,31 €",
          ],
          button: { label: "Consultar extrato", path: "/extratos" },
        }),
      },
    ],
  },
  {
    id: "bank-statement-2",
    subject: "O seu extrato de {{date|lastmonth}} está disponível",
    labels: ["bank"],
    messages: [
      {
        from: "bank",
        at: "-3d 06:30",
        unread: true,
        ...notice(BANK, {
          heading: "Extrato disponível",
          paragraphs: [
            "Estimado cliente, o extrato da sua conta terminada em 4471 já pode ser consultado.",
            "Saldo inicial: 15.661,31 €\nEntradas: 3.450,00 €\nSaídas: 5.118,40 €\nSaldo final: 13.992,91 €",
          ],
          button: { label: "Consultar extrato", path: "/extratos" },
        }),
      },
    ],
  },
  {
    id: "bank-card",
    subject: "Novo cartão a caminho",
    folder: "archive",
    labels: ["bank"],
    messages: [
      {
        from: "bank",
        at: "-150d 09:05",
        ...notice(BANK, {
          heading: "O seu novo cartão está a caminho",
          paragraphs: [
            "O cartão terminado em 0093 chega por correio dentro de cinco dias úteis. Por segurança, ative-o na aplicação antes da primeira utilização.",
            "O cartão antigo deixa de funcionar em {{date+30|full}}.",
          ],
        }),
      },
    ],
  },
  {
    id: "luz",
    subject: "Fatura de eletricidade: 64,18 €",
    labels: ["home", "receipts"],
    messages: [
      {
        from: "luzclara",
        at: "-9d 07:15",
        ...notice(LUZ, {
          heading: "A sua fatura de {{date-20|month}}",
          paragraphs: [
            "Consumo: 241 kWh, menos 6 % do que no mesmo mês do ano passado.",
            "Valor: 64,18 €. Débito direto em {{now+6|full}}.",
          ],
          button: { label: "Ver fatura", path: "/faturas/481190" },
        }),
        attachments: [
          {
            name: "fatura-481190.pdf",
            pdf: {
              title: "Luzclara Energia, fatura 481190",
              lines: [
                "Contrato: Alex Morgan, 2.º D, Lisboa",
                "Consumo: 241 kWh",
                "Energia 41,20 €   Acesso às redes 13,72 €   Taxas 9,26 €",
                "Total: 64,18 €, débito direto em {{now+6|full}}",
              ],
            },
          },
        ],
      },
    ],
  },
  {
    id: "cais-desk",
    subject: "Your desk next month + the roof is open again",
    folder: "archive",
    messages: [
      {
        from: "cais",
        at: "-28b 09:50",
        body: `Hi Alex,

Your flexible pass (10 days, €140) runs out on {{date+3|long}}. Would you like the same again, or the fixed desk by the window that Clara is giving up? It's €210 and it has the plant.

The roof is open again from Monday, coffee at 11.

See you there,
Sam, Cais Coworking`,
      },
      {
        from: "alex",
        at: "-28b 10:22",
        body: `Hi Sam,

The same again, please; I'm on site with clients too often to deserve a plant.

See you on the roof!

Best,
Alex`,
      },
      {
        from: "cais",
        at: "-28b 10:40",
        body: `Done! Ten more days, starting when the old pass ends.

Sam`,
      },
    ],
  },
  {
    id: "dentist",
    subject: "Reminder: appointment on {{now+7b|long}} at 08:45",
    messages: [
      {
        from: "dentist",
        at: "-2d 08:00",
        unread: true,
        body: `Dear Alex Morgan,

This is a reminder of your check-up with Dr. Nogueira on {{now+7b|long}} at 08:45.

To move or cancel it, call +351 210 000 045 at least 24 hours before. Missed appointments are charged at €30.

Clínica Sorriso`,
        attachments: [
          {
            name: "appointment.ics",
            mime: "text/calendar; charset=utf-8",
            text: `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Clinica Sorriso//EN
BEGIN:VEVENT
UID:checkup-{{now+7b|compact}}@clinicasorriso.example
DTSTAMP:{{date|compact}}T080000Z
DTSTART:{{now+7b|compact}}T084500
DTEND:{{now+7b|compact}}T091500
SUMMARY:Check-up, Dr. Nogueira
LOCATION:Clínica Sorriso, Lisboa
END:VEVENT
END:VCALENDAR
`,
          },
        ],
      },
    ],
  },
  {
    id: "passport",
    subject: "Passport: start the renewal",
    folder: "snoozed",
    messages: [
      {
        from: "helen",
        at: "-48d 09:30",
        body: `Darling,

I found the copy of your passport and it runs out in {{now+150|monthyear}}. Margaret's son was turned away at the gate because his had less than three months left. Do start early! You need two photographs and someone respectable to sign; I suppose Ben counts.

Love, Mum x`,
      },
    ],
  },
];
