import { notice, receipt } from "../layouts.ts";
import type { SandboxThread } from "../types.ts";

const AERO = {
  name: "AeroTejo",
  host: "aerotejo.example",
  colour: "#00558c",
  footer: "AeroTejo S.A., Lisboa. Please do not answer this message.",
};
const TRAINS = {
  name: "Ibérica Trenes",
  host: "ibericatrenes.example",
  colour: "#5c1a6b",
  footer: "Ibérica Trenes. Lleve este correo en el móvil; no hace falta imprimirlo.",
};

export const travel: SandboxThread[] = [
  {
    id: "flight-valencia",
    subject: "Booking confirmed: Lisbon to Valencia, K7QX2M",
    labels: ["travel", "receipts"],
    messages: [
      {
        from: "aerotejo",
        at: "-27d 20:14",
        folder: "archive",
        ...receipt(AERO, {
          title: "You are going to Valencia",
          intro: "Booking K7QX2M for Alex Morgan is confirmed and paid.",
          facts: [
            ["Out", "{{now+27wed|long}}, TJ 1026, Lisbon 16:20, Valencia 18:55"],
            ["Back", "{{now+29fri|long}}, TJ 1027, Valencia 19:40, Lisbon 20:20"],
            ["Bags", "1 cabin bag, 1 checked bag up to 20 kg"],
          ],
          rows: [
            ["Fare, Lisbon to Valencia and back", "1", "€118.00"],
            ["Checked bag", "2", "€44.00"],
            ["Seat 11A", "2", "€14.00"],
          ],
          totals: [
            ["Taxes and airport charges", "€31.46"],
            ["Total paid", "€207.46"],
          ],
          note: "Free changes until 48 hours before departure.",
        }),
      },
      {
        from: "aerotejo",
        at: "-20h",
        subject: "Schedule change: TJ 1026 now leaves at 17:05 (K7QX2M)",
        unread: true,
        ...notice(AERO, {
          heading: "TJ 1026 leaves 45 minutes later",
          paragraphs: [
            "Your flight on {{now+27wed|long}} now leaves Lisbon at 17:05 and arrives in Valencia at 19:40. Seat 11A is unchanged.",
            "If the new time does not suit you, you may change to another flight or have your money back free of charge until {{now+8b|long}}.",
          ],
          button: { label: "Accept or change", path: "/booking/K7QX2M" },
        }),
      },
    ],
  },
  {
    id: "hotel-mirador",
    subject: "Su reserva en el Hotel Mirador",
    lang: "es-ES",
    labels: ["travel"],
    messages: [
      {
        from: "hotel",
        at: "-25b 10:30",
        body: `Estimado señor Morgan:

Confirmamos su reserva de una habitación individual con vistas al jardín, dos noches, a cargo de Diseño Abierto. Entrada a partir de las 15:00.

El desayuno está incluido. ¿Nos podría indicar su hora aproximada de llegada?

Atentamente,
Recepción, Hotel Mirador`,
      },
      {
        from: "alex",
        at: "-25b 12:10",
        body: `Buenos días:

Llego en avión a las 18:55, así que estaré en el hotel hacia las 20:00. Muchas gracias.

Un saludo,
Alex Morgan`,
      },
      {
        from: "hotel",
        at: "-24b 09:05",
        body: `Estimado señor Morgan:

Queda anotado. La recepción está abierta toda la noche, de modo que no hay problema si el vuelo se retrasa.

Atentamente,
Recepción, Hotel Mirador`,
      },
    ],
  },
  {
    id: "train-madrid",
    subject: "Billete Valencia-Madrid, localizador 5HT9WD",
    lang: "es-ES",
    folder: "archive",
    labels: ["travel", "receipts"],
    messages: [
      {
        from: "trains",
        at: "-170d 15:45",
        ...receipt(TRAINS, {
          title: "¡Buen viaje, Alex!",
          intro: "Este es su billete. El acceso al andén cierra dos minutos antes de la salida.",
          facts: [
            ["Tren", "Alta velocidad 5141"],
            ["Salida", "{{date+6|long}}, Valencia 09:10"],
            ["Llegada", "Madrid 11:02"],
            ["Plaza", "Coche 4, asiento 7B"],
          ],
          head: ["Concepto", "Núm.", "Importe"],
          rows: [["Billete básico", "1", "38,60 €"]],
          totals: [["Total", "38,60 €"]],
        }),
        attachments: [
          {
            name: "billete-5HT9WD.pdf",
            pdf: {
              title: "Ibérica Trenes, billete 5HT9WD",
              lines: ["Pasajero: Alex Morgan", "Valencia 09:10 - Madrid 11:02", "Coche 4, asiento 7B", "38,60 €"],
            },
          },
        ],
      },
    ],
  },
];
