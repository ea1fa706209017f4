import { notice, receipt } from "../layouts.ts";
import type { SandboxThread } from "../types.ts";

const FRAMEWRIGHT = {
  name: "Framewright",
  host: "framewright.example",
  colour: "#4b2ea8",
  footer: "Framewright Ltd, 4 Dock Street. You receive this because you pay for a plan.",
};
const PAPERIE = {
  name: "Papelaria Estrela",
  host: "papelariaestrela.example",
  colour: "#9c2f3c",
  footer: "Papelaria Estrela, Rua do Sol 14, Lisboa. Trocas até 30 dias.",
};
const RIDE = {
  name: "Elétrica Rides",
  host: "eletrica.example",
  colour: "#0b7a53",
  footer: "Elétrica, quiet cars for loud cities.",
};
const CLOUDKEEP = {
  name: "Cloudkeep",
  host: "cloudkeep.example",
  colour: "#22577a",
  footer: "Cloudkeep stores encrypted copies in two countries.",
};

function framewright(at: string, number: string, seats: string, sum: string, vat: string, total: string) {
  return {
    from: "framewright" as const,
    at,
    ...receipt(FRAMEWRIGHT, {
      title: "Receipt for your subscription",
      intro: "Hi Alex, thank you. We charged your card ending in 0093.",
      logo: "logo-2x.png",
      facts: [
        ["Invoice", `FW-${number}`],
        ["Date", "{{date|full}}"],
        ["Period", "{{date|num}} to {{date+30|num}}"],
      ],
      rows: [
        ["Framewright Studio, editor seat", seats, sum],
        ["Prototype tests, 10 sessions", "1", "€9.00"],
      ],
      totals: [
        ["VAT 23 %", vat],
        ["Total charged", total],
      ],
      note: "Questions about this charge? Answer this mail within 14 days.",
    }),
  };
}

export const receipts: SandboxThread[] = [
  {
    id: "framewright-1",
    subject: "Your Framewright receipt FW-20418",
    folder: "archive",
    labels: ["receipts"],
    messages: [framewright("-67d 03:12", "20418", "1", "€24.00", "€7.59", "€40.59")],
  },
  {
    id: "framewright-2",
    subject: "Your Framewright receipt FW-21177",
    folder: "archive",
    labels: ["receipts"],
    messages: [framewright("-37d 03:12", "21177", "2", "€48.00", "€13.11", "€70.11")],
  },
  {
    id: "framewright-3",
    subject: "Your Framewright receipt FW-21960",
    labels: ["receipts"],
    messages: [framewright("-7d 03:12", "21960", "2", "€48.00", "€13.11", "€70.11")],
  },
  {
    id: "paperie-order",
    subject: "Encomenda n.º 88213: obrigado!",
    lang: "pt-PT",
    labels: ["receipts"],
    folder: "archive",
    messages: [
      {
        from: "paperie",
        at: "-41d 14:55",
        ...receipt(PAPERIE, {
          title: "Obrigado pela sua encomenda",
          intro: "Olá Alex, recebemos a sua encomenda e começámos a prepará-la.",
          facts: [
            ["Encomenda", "88213"],
            ["Data", "{{date|num}}"],
            ["Pagamento", "Cartão terminado em 0093"],
          ],
          head: ["Artigo", "Qtd.", "Valor"],
          rows: [
            ["Caderno A5 pontilhado, azul", "3", "26,70 €"],
            ["Lapiseira 0,7 mm", "1", "14,90 €"],
            ["Papel vegetal, bloco A3", "2", "23,80 €"],
          ],
          totals: [
            ["Portes", "3,90 €"],
            ["Total", "69,30 €"],
          ],
        }),
      },
      {
        from: "paperie",
        at: "-39d 10:20",
        subject: "Encomenda n.º 88213: a caminho",
        ...notice(PAPERIE, {
          heading: "A sua encomenda já saiu",
          paragraphs: ["Entrega prevista: {{date+2b|long}}, entre as 10h e as 13h."],
          button: { label: "Seguir a encomenda", path: "/seguir/88213" },
        }),
      },
    ],
  },
  {
    id: "ride-1",
    subject: "Your ride on {{date|day}}: €8.40",
    folder: "archive",
    labels: ["receipts", "travel"],
    messages: [
      {
        from: "ride",
        at: "-24d 23:31",
        ...receipt(RIDE, {
          title: "Thanks for riding, Alex",
          intro: "Graça to Santa Apolónia, 11 minutes, 3.9 km, with Joaquim.",
          facts: [["Date", "{{date|full}}"]],
          head: ["Fare", "", "Amount"],
          rows: [
            ["Base fare", "", "€2.50"],
            ["Distance, 3.9 km", "", "€4.90"],
            ["Night", "", "€1.00"],
          ],
          totals: [["Total", "€8.40"]],
        }),
      },
    ],
  },
  {
    id: "cloudkeep-year",
    subject: "Cloudkeep: your yearly plan renewed (€59.00)",
    folder: "archive",
    labels: ["receipts"],
    messages: [
      {
        from: "cloudkeep",
        at: "-300d 05:00",
        // HTML only: many shops send no text part.
        html: receipt(CLOUDKEEP, {
          title: "Your plan has renewed",
          intro: "Your backups go on without a break until {{date+365|full}}.",
          facts: [["Invoice", "CK-77120"]],
          rows: [["Cloudkeep Solo, 2 TB, one year", "1", "€47.97"]],
          totals: [
            ["VAT 23 %", "€11.03"],
            ["Total", "€59.00"],
          ],
        }).html,
      },
    ],
  },
  {
    id: "cloudkeep-fail",
    subject: "Backup of “studio-mac” has not run for 5 days",
    messages: [
      {
        from: "cloudkeep",
        at: "-2d 05:00",
        unread: true,
        ...notice(CLOUDKEEP, {
          heading: "studio-mac has not been backed up since {{date-5|long}}",
          paragraphs: [
            "The computer was online, but the disk “Projects” was locked. 214 changed files are waiting.",
            "Open Cloudkeep on the computer and unlock the disk. The backup goes on by itself.",
          ],
          button: { label: "See what is waiting", path: "/devices/studio-mac" },
        }),
      },
    ],
  },
];
