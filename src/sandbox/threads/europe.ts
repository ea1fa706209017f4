import type { SandboxThread } from "../types.ts";

/** Clients who write German and French. */
export const europe: SandboxThread[] = [
  {
    id: "brandt-shop",
    subject: "Neuer Onlineshop: Zeitplan und offene Punkte",
    lang: "de-DE",
    labels: ["clients", "brandt"],
    messages: [
      {
        from: "jonas",
        at: "-38b 08:15",
        cc: ["heike"],
        body: `Hallo Alex,

wie am Telefon besprochen, hier unsere offenen Punkte für den neuen Shop:

1. Abo für Büros (monatlich, kündbar, Mahlgrad wählbar)
2. Filter nach Geschmack statt nach Herkunft
3. Versandkosten früher anzeigen, das ist der häufigste Grund für Abbrüche

Heike kümmert sich bei uns um Texte und Fotos. Was brauchst du von uns, um anzufangen?

Beste Grüße
Jonas`,
      },
      {
        from: "alex",
        at: "-37b 09:45",
        body: `Hallo Jonas,

danke für die klare Liste. Für den Anfang brauche ich drei Dinge: die Bestellzahlen der letzten zwölf Monate, die Produktliste als Tabelle und eine Stunde mit jemandem aus dem Versand.

Punkt 3 würde ich vorziehen. Den kann euer jetziger Shop schon, und er bringt sofort etwas.

Viele Grüße
Alex`,
      },
      {
        from: "heike",
        at: "-36b 13:30",
        body: `Hallo Alex,

anbei die Produktliste. Die Spalte „Geschmack“ habe ich selbst ausgefüllt, Jonas meint, ich sei beim Kenia zu poetisch gewesen.

Liebe Grüße
Heike`,
        attachments: [
          {
            name: "Produktliste.csv",
            csv: [
              ["Artikel", "Röstung", "Geschmack", "250 g", "1 kg"],
              ["Hafenmischung", "mittel", "Nougat, Haselnuss", "8,90 €", "31,00 €"],
              ["Kenia Gathaithi", "hell", "Johannisbeere, Regen auf Asphalt", "12,50 €", "44,00 €"],
              ["Speicherstadt Espresso", "dunkel", "Kakao, Karamell", "9,40 €", "33,00 €"],
              ["Äthiopien Sidamo", "hell", "Bergamotte, Honig", "11,90 €", "42,00 €"],
              ["Koffeinfrei Elbe", "mittel", "Walnuss, Malz", "9,90 €", "35,00 €"],
            ],
          },
        ],
      },
      {
        from: "alex",
        at: "-35b 10:20",
        body: `Hallo Heike,

„Regen auf Asphalt“ bleibt drin, darauf bestehe ich. Genau so eine Sprache verkauft Kaffee.

Ich schicke euch bis {{date+8b|long}} einen ersten Entwurf für Startseite, Filter und Abo.

Viele Grüße
Alex`,
      },
      {
        from: "jonas",
        at: "-20b 17:05",
        body: `Hallo Alex,

der Entwurf kommt hier sehr gut an. Der Filter „Womit trinkst du ihn?“ ist die beste Idee seit Langem.

Zwei Einwände: Das Abo steht uns zu weit unten, und die Preise für Büros sollen erst nach der Anmeldung erscheinen.

Beste Grüße
Jonas`,
      },
      {
        from: "alex",
        at: "-19b 09:12",
        body: `Hallo Jonas,

das Abo ziehe ich nach oben. Bei den Büropreisen würde ich gern widersprechen: Wer sich erst anmelden muss, um einen Preis zu sehen, ruft lieber bei der Konkurrenz an. Vorschlag: ein „ab“-Preis für alle, die Staffel nach der Anmeldung.

Viele Grüße
Alex`,
      },
      {
        from: "jonas",
        at: "-18b 11:50",
        body: `Hallo Alex,

einverstanden, „ab“-Preis für alle, Staffel nach der Anmeldung. So machen wir es.

Beste Grüße
Jonas`,
      },
      {
        from: "jonas",
        at: "-2b 09:25",
        unread: true,
        body: `Hallo Alex,

die Agentur, die den Shop umsetzt, fragt nach den fertigen Ansichten für das Abo. Sie wollen am {{now+5b|long}} anfangen. Schaffst du das bis dahin? Und kannst du uns sagen, was die zusätzlichen Ansichten für die Geschenkgutscheine kosten würden?

Beste Grüße
Jonas`,
      },
    ],
  },
  {
    id: "brandt-etikett",
    subject: "Etikett Jubiläumsröstung: Korrektur",
    lang: "de-DE",
    folder: "archive",
    labels: ["clients", "brandt"],
    messages: [
      {
        from: "heike",
        at: "-142b 15:10",
        body: `Hallo Alex,

die Druckerei braucht bis morgen Mittag die Freigabe. Auf dem Etikett steht „Mindestens haltbar bis“ ohne Feld für das Datum. Kannst du das noch einfügen? Muster im Anhang.

Liebe Grüße
Heike`,
        attachments: [
          {
            name: "etikett-muster.png",
            picture: {
              width: 320,
              height: 200,
              bands: ["2b1d14", "2b1d14", "c98f4a", "f4e9d8", "f4e9d8"],
              disc: { x: 0.5, y: 0.38, r: 0.28, colour: "e8c07d" },
            },
          },
        ],
      },
      {
        from: "alex",
        at: "-142b 16:55",
        body: `Hallo Heike,

erledigt: Feld unten rechts, 22 × 6 mm, weiß hinterlegt. Die neue Datei liegt im gemeinsamen Ordner unter „Jubiläum v4“. Von mir aus ist sie freigegeben.

Viele Grüße
Alex`,
      },
      {
        from: "heike",
        at: "-141b 08:20",
        body: `Hallo Alex,

du hast uns das Jubiläum gerettet. Ein Kilo ist per Post unterwegs zu dir.

Liebe Grüße
Heike`,
      },
    ],
  },
  {
    id: "roussel-audioguide",
    subject: "Audioguide : parcours enfants et accessibilité",
    lang: "fr-FR",
    labels: ["clients", "musée"],
    messages: [
      {
        from: "camille",
        at: "-30b 10:05",
        body: `Bonjour Alex,

Merci pour votre visite la semaine dernière, l'équipe en parle encore. Nous avons relu vos croquis pour le parcours enfants et nous sommes conquis par l'idée du crabe qui pose les questions.

Deux remarques de nos médiatrices : le bouton « Répéter » doit rester visible pendant toute l'écoute, et les textes doivent pouvoir s'afficher en grand.

Pourriez-vous intégrer ces deux points et nous dire combien d'écrans cela représente ?

Bien cordialement,
Camille Roussel`,
      },
      {
        from: "alex",
        at: "-29b 09:30",
        body: `Bonjour Camille,

Merci à vous toutes pour l'accueil. Les deux remarques sont justes et je les intègre volontiers : cela fait quatre écrans de plus, sans supplément de prix.

Je vous envoie la nouvelle version d'ici {{date+6b|long}}.

Bien à vous,
Alex`,
      },
      {
        from: "camille",
        at: "-21b 14:40",
        body: `Bonjour Alex,

La nouvelle version est parfaite. Nous l'avons essayée avec une classe de CE2 : vingt-trois enfants, et pas un seul n'a demandé où appuyer.

La direction valide donc le parcours enfants. Nous passons à l'étape suivante : l'audiodescription pour les visiteurs malvoyants.

Bien cordialement,
Camille Roussel`,
      },
      {
        from: "alex",
        at: "-20b 10:15",
        body: `Bonjour Camille,

Quelle belle nouvelle ! Pour l'audiodescription, je propose de travailler avec deux visiteurs malvoyants dès le premier croquis, et non à la fin. Connaissez-vous une association locale ?

Je prépare un devis détaillé et je vous l'envoie avant {{now+4b|long}}.

Bien à vous,
Alex`,
      },
      {
        from: "camille",
        at: "-3b 16:55",
        unread: true,
        body: `Bonjour Alex,

L'association « Voir la mer » est ravie de participer ; sa présidente, Mme Le Goff, attend votre appel. Quand pourriez-vous venir à Saint-Malo ? Nous avons pensé à la semaine du {{now+34mon|day}}.

Et avez-vous pu avancer sur le devis ? Le conseil d'administration le demande pour {{now+6b|long}}.

Bien cordialement,
Camille Roussel`,
      },
    ],
  },
  {
    id: "roussel-facture",
    subject: "Votre facture AM-028 : virement effectué",
    lang: "fr-FR",
    folder: "archive",
    labels: ["clients", "invoices"],
    messages: [
      {
        from: "compta",
        at: "-58b 11:20",
        body: `Madame, Monsieur,

Nous vous informons que votre facture AM-028 d'un montant de 3 450,00 € a été réglée ce jour par virement. Le montant devrait figurer sur votre compte sous deux jours ouvrés.

Merci d'adresser vos prochaines factures uniquement à cette adresse.

Le service comptabilité
Musée des Marées`,
      },
      {
        from: "alex",
        at: "-57b 09:05",
        body: `Bonjour,

Merci beaucoup, le virement est bien arrivé. J'enverrai les prochaines factures à cette adresse.

Bien à vous,
Alex`,
      },
    ],
  },
];
