import type { Person } from "./person.ts";

/** Headers of mail sent to many (RFC 2369, RFC 2919, RFC 8058). */
function bulk(host: string, name: string, oneClick = true): Record<string, string> {
  return {
    "List-Id": `${name} <${name.toLowerCase().replace(/[^a-z]+/g, "-")}.${host}>`,
    "List-Unsubscribe": `<https://${host}/unsubscribe/alex>, <mailto:leave@${host}?subject=unsubscribe>`,
    ...(oneClick ? { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" } : {}),
    Precedence: "bulk",
  };
}

/** Mail a machine wrote about one event (RFC 3834). */
const AUTOMATIC = { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" };

function social(host: string): Record<string, string> {
  return { ...AUTOMATIC, "List-Unsubscribe": `<https://${host}/settings/mail>`, "X-Notification-Host": host };
}

const cast = {
  alex: {
    name: "Alex Morgan",
    email: "alex@sandbox.example",
    client: "gmail",
    signature: "Alex Morgan\nProduct design · Lisbon\nhttps://alexmorgan.example",
  },

  // Harbourline: ferry tickets, the largest project
  priya: {
    name: "Priya Nair",
    email: "priya.nair@harbourline.example",
    client: "gmail",
    signature: "Priya Nair\nHead of Product, Harbourline",
  },
  marcus: { name: "Marcus Webb", email: "marcus.webb@harbourline.example", client: "apple" },
  dana: {
    name: "Dana Whitlock",
    email: "dana.whitlock@harbourline.example",
    client: "outlook",
    signature: "Dana Whitlock\nAccounts Payable | Harbourline Ltd",
  },

  // Nimbus Health: patient onboarding
  sofia: {
    name: "Sofia Lindqvist",
    email: "sofia.lindqvist@nimbushealth.example",
    client: "outlook",
    signature: "Sofia Lindqvist\nDirector, Digital Services\nNimbus Health",
  },
  graham: { name: "Graham Pell", email: "graham.pell@nimbushealth.example", client: "outlook" },

  // Rösterei Brandt: coffee shop in Hamburg
  jonas: {
    name: "Jonas Brandt",
    email: "jonas@roesterei-brandt.example",
    client: "outlook",
    lang: "de-DE",
    signature: "Rösterei Brandt GmbH\nAm Sandtorkai 12, Hamburg",
  },
  heike: { name: "Heike Sommer", email: "heike@roesterei-brandt.example", client: "outlook", lang: "de-DE" },

  // Musée des Marées: audio guide
  camille: { name: "Camille Roussel", email: "c.roussel@musee-marees.example", client: "apple", lang: "fr-FR" },
  compta: {
    name: "Service comptabilité",
    email: "comptabilite@musee-marees.example",
    client: "outlook",
    lang: "fr-FR",
  },

  // Colleagues, inquiries, conference, press
  noor: {
    name: "Noor Bakker",
    email: "noor@noorbakker.example",
    client: "gmail",
    signature: "Noor Bakker · front-end",
  },
  lucia: { name: "Lucía Ortega", email: "lucia@disenoabierto.example", client: "gmail", lang: "es-ES" },
  yuki: { name: "田中 由紀", email: "tanaka@kumo-magazine.example", client: "gmail", lang: "ja-JP" },
  layla: { name: "ليلى حداد", email: "layla@dar-alwaraq.example", client: "gmail", lang: "ar-JO" },
  hannah: { name: "Hannah Reyes", email: "h.reyes@oakfieldschool.example", client: "gmail" },
  victor: { name: "Victor Lang", email: "victor@quickmint.example", client: "gmail" },
  elena: { name: "Elena Marsh", email: "elena@saltworks.example", client: "apple" },
  advogado: {
    name: "Filipe Antunes",
    email: "filipe@antunes-legal.example",
    client: "outlook",
    signature: "Filipe Antunes\nAntunes Legal, Lisboa",
  },

  // Family and friends
  helen: { name: "Helen Morgan", email: "helen.morgan@postbox.example", client: "apple" },
  tom: { name: "Tom Morgan", email: "tom.morgan@postbox.example", client: "gmail" },
  ines: { name: "Inês Carvalho", email: "ines.carvalho@correio.example", client: "apple", lang: "pt-PT" },
  teresa: { name: "Teresa Carvalho", email: "teresa.carvalho@correio.example", client: "gmail", lang: "pt-PT" },
  ben: { name: "Ben Okafor", email: "ben@okafor.example", client: "gmail" },
  rita: { name: "Rita Sampaio", email: "rita.sampaio@correio.example", client: "apple" },
  kofi: { name: "Kofi Mensah", email: "kofi.mensah@postbox.example", client: "gmail" },

  // Home and paperwork
  duarte: { name: "Duarte Figueiredo", email: "duarte.figueiredo@correio.example", client: "outlook", lang: "pt-PT" },
  marta: {
    name: "Marta Teles",
    email: "marta@teles-contas.example",
    client: "outlook",
    lang: "pt-PT",
    signature: "Marta Teles\nContabilista certificada",
  },
  bank: {
    name: "Banco Alfama",
    email: "avisos@bancoalfama.example",
    client: "plain",
    lang: "pt-PT",
    headers: AUTOMATIC,
  },
  luzclara: {
    name: "Luzclara Energia",
    email: "faturas@luzclara.example",
    client: "plain",
    lang: "pt-PT",
    headers: AUTOMATIC,
  },
  cais: { name: "Cais Coworking", email: "ola@caiscoworking.example", client: "gmail" },
  dentist: { name: "Clínica Sorriso", email: "marcacoes@clinicasorriso.example", client: "plain", headers: AUTOMATIC },
  vet: { name: "Veterinária da Graça", email: "geral@vetgraca.example", client: "gmail", lang: "pt-PT" },

  // Receipts and travel
  framewright: {
    name: "Framewright Billing",
    email: "billing@framewright.example",
    client: "plain",
    headers: AUTOMATIC,
  },
  cloudkeep: { name: "Cloudkeep", email: "receipts@cloudkeep.example", client: "plain", headers: AUTOMATIC },
  paperie: { name: "Papelaria Estrela", email: "encomendas@papelariaestrela.example", client: "plain", lang: "pt-PT" },
  ride: { name: "Elétrica Rides", email: "receipts@eletrica.example", client: "plain", headers: AUTOMATIC },
  aerotejo: { name: "AeroTejo", email: "reservas@aerotejo.example", client: "plain", headers: AUTOMATIC },
  hotel: { name: "Hotel Mirador", email: "recepcion@hotelmirador.example", client: "outlook", lang: "es-ES" },
  trains: { name: "Ibérica Trenes", email: "billetes@ibericatrenes.example", client: "plain", headers: AUTOMATIC },

  // Lists, code host, social
  codeharbor: {
    name: "marcus-webb (CodeHarbor)",
    email: "notifications@codeharbor.example",
    client: "plain",
    headers: {
      "List-Id": "harbourline/tide-tokens <tide-tokens.harbourline.codeharbor.example>",
      "List-Unsubscribe": "<https://codeharbor.example/harbourline/tide-tokens/unsubscribe>",
      Precedence: "list",
      "X-CodeHarbor-Reason": "review_requested",
    },
  },
  codebot: {
    name: "tide-ci (CodeHarbor)",
    email: "notifications@codeharbor.example",
    client: "plain",
    headers: {
      "List-Id": "harbourline/tide-tokens <tide-tokens.harbourline.codeharbor.example>",
      Precedence: "list",
      "X-CodeHarbor-Reason": "ci_activity",
    },
  },
  prthread: {
    name: "harbourline/tide-tokens",
    email: "reply+418@codeharbor.example",
    client: "plain",
  },
  codesecurity: {
    name: "CodeHarbor",
    email: "security@codeharbor.example",
    client: "plain",
    headers: AUTOMATIC,
  },
  a11ylist: { name: "a11y-talk", email: "a11y-talk@lists.openform.example", client: "plain" },
  devi: { name: "Devi Raman", email: "devi@raman.example", client: "plain" },
  oskar: { name: "Oskar Nyman", email: "oskar.nyman@kiosk-lab.example", client: "plain" },
  june: { name: "June Castell", email: "june@castell.example", client: "plain" },
  plaza: { name: "Plaza", email: "notify@plaza.example", client: "plain", headers: social("plaza.example") },
  worklink: {
    name: "Worklink",
    email: "updates@worklink.example",
    client: "plain",
    headers: social("worklink.example"),
  },

  // Newsletters and promotions
  typeweekly: {
    name: "Type Weekly",
    email: "hello@typeweekly.example",
    client: "plain",
    headers: bulk("typeweekly.example", "Type Weekly"),
  },
  margin: {
    name: "Ruth at The Margin",
    email: "ruth@themargin.example",
    client: "plain",
    headers: bulk("themargin.example", "The Margin"),
  },
  lisboa: {
    name: "Lisboa Semanal",
    email: "agenda@lisboasemanal.example",
    client: "plain",
    lang: "pt-PT",
    headers: bulk("lisboasemanal.example", "Lisboa Semanal"),
  },
  kestrel: {
    name: "Kestrel Bags",
    email: "shop@kestrelbags.example",
    client: "plain",
    headers: bulk("kestrelbags.example", "Kestrel Offers"),
  },
  papeloffers: {
    name: "Papelaria Estrela",
    email: "novidades@papelariaestrela.example",
    client: "plain",
    lang: "pt-PT",
    headers: bulk("papelariaestrela.example", "Novidades", false),
  },

  // Spam
  prize: { name: "Rewards Dept", email: "winner@lucky-draw.example", client: "plain", auth: "fail" },
  parcel: { name: "Parcel Service", email: "track@parcel-redelivery.example", client: "plain", auth: "fail" },
  seo: { name: "Growth Team", email: "kevin@rank-first.example", client: "plain", auth: "fail" },
  phish: { name: "Banco Alfama Segurança", email: "conta@alfama-verificacao.example", client: "plain", auth: "fail" },
  pills: { name: "Wellness Store", email: "deal@herbal-direct.example", client: "plain", auth: "fail" },
  crypto: { name: "Desk 77", email: "invest@coin-harvest.example", client: "plain", auth: "fail" },
} satisfies Record<string, Person>;

export type PersonKey = keyof typeof cast;

/** Everyone who writes to the sandbox mailbox. Domains are reserved ones only (RFC 2606, RFC 6761). */
export const people: Record<PersonKey, Person> = cast;
