import { MACHINE_SENDERS, MARKETING_SENDERS, NO_REPLY } from "../../mailbox/categories/hosts.ts";

/**
 * `person`; `role`: a shared address that people read (info@, support@); `automated`: a machine whose mail no one
 * answers.
 */
export const CONTACT_KINDS = ["person", "role", "automated"] as const;
export type ContactKind = (typeof CONTACT_KINDS)[number];

/** Local parts of role addresses: RFC 2142 and other common ones, in several languages. */
const ROLES = new Set(
  (
    "abuse accounting accounts admin administration administrator applications booking bookings business buchhaltung buero " +
    "careers commercial communications compliance contact contacto contato contabilidade customercare customerservice " +
    "avisos bestellung bestellungen commandes comptabilite encomendas facturacion facturation faturas marcacoes ordini " +
    "prenotazioni reception recepcao recepcion reservas reservation reservations reservierung rezeption " +
    "desk editor editorial enquiries events feedback finance frontdesk geral hello help helpdesk hi hostmaster hr info " +
    "information inquiries investors invoice invoices it jobs kontakt kundenservice legal list mail mailbox management " +
    "media members membership noc office orders partners payments personal post press privacy procurement purchasing " +
    "recruiting recruitment redaktion registration rechnung sales secretariat secretary security sekretariat service " +
    "servicedesk services shop staff stay studio suporte support team ticket tickets training travel usenet verkauf " +
    "vertrieb ventas webmaster welcome"
  ).split(" "),
);

const MACHINES = /^(?:mailer-daemon|bounces?|postmaster|daemon|root|cron|listserv|majordomo|owner-|prvs=|srs[01]=)/;
/** Return addresses that encode the recipient or a ticket: generated for a single message. */
const GENERATED = /=|[0-9a-f]{16,}|\d{8,}/;

/** Returns the kind of an address, judged by its local part alone. Pure. */
export function contactKind(email: string): ContactKind {
  const local = email.slice(0, Math.max(0, email.lastIndexOf("@"))).toLowerCase();
  const words = local.split(/[^\p{L}]+/u).filter(Boolean);
  if (NO_REPLY.test(local) || MACHINES.test(local) || GENERATED.test(local)) return "automated";
  const plain = local.replace(/\+.*$/, "").replace(/\d+$/, "");
  if (ROLES.has(plain.replace(/[._-]/g, "")) || ROLES.has(words[0] ?? "")) return "role";
  const isMachine = MARKETING_SENDERS.has(words[0] ?? "") || words.some((word) => MACHINE_SENDERS.has(word));
  return isMachine ? "automated" : "person";
}
