import { type Act, asked as ask, bare, type Grammar, oneOf, pattern, type Reader, table } from "./act.ts";
import { withArticle } from "./articles.ts";

const NAME = "(?:M\\. |Mme |Monsieur |Madame )?(?-i:\\p{Lu})[\\p{L}'’-]+";
const P = "^(?:(?:lui|leur|puis|ensuite|aussi|et|alors|également|s'il te plaît|poliment) )*";
const act = (source: string) => pattern(P + source);
const END = "(?=\\s*$|\\s*[.,;:!–-])";
const TO = `(?:-(?:lui|leur|la|le|les)|(?: à| a)? (?:lui|leur|${NAME}))?`;
const WH =
  "(?:quand|où|comment|pourquoi|combien|qui|ce qu[e']|ce qui|quel(?:le)?s?|à quelle|à quel|de quel(?:le)?s?|jusqu'à quand|à partir de quand|depuis quand|avec qui|pour quand|pour qui)";

const TU = table(
  "est:es a:as va:vas peut:peux veut:veux doit:dois fait:fais vient:viens prend:prends sait:sais voit:vois dit:dis met:mets part:pars reçoit:reçois tient:tiens connaît:connais lit:lis écrit:écris boit:bois croit:crois finit:finis choisit:choisis sort:sors rend:rends attend:attends répond:réponds dort:dors ont:as sont:es peuvent:peux veulent:veux doivent:dois vont:vas viennent:viens font:fais ait:aies soit:sois puisse:puisses vit:vis revient:reviens apprend:apprends comprend:comprends reprend:reprends entend:entends permet:permets",
);
const VOUS = table(
  "est:êtes a:avez va:allez peut:pouvez veut:voulez doit:devez fait:faites vient:venez prend:prenez sait:savez voit:voyez dit:dites met:mettez part:partez reçoit:recevez tient:tenez connaît:connaissez lit:lisez écrit:écrivez boit:buvez croit:croyez finit:finissez choisit:choisissez sort:sortez rend:rendez attend:attendez répond:répondez dort:dormez ont:avez sont:êtes peuvent:pouvez veulent:voulez doivent:devez vont:allez viennent:venez font:faites ait:ayez soit:soyez puisse:puissiez vit:vivez revient:revenez apprend:apprenez comprend:comprenez reprend:reprenez entend:entendez permet:permettez préfère:préférez achète:achetez amène:amenez emmène:emmenez appelle:appelez rappelle:rappelez",
);

/** Returns a verb of the third person for the reader; null if its form is not known. */
function verbFor(verb: string, vous: boolean): string | null {
  const low = verb.toLowerCase();
  const known = (vous ? VOUS : TU).get(low);
  if (known) return known;
  if (/r(?:a|ont)$/u.test(low)) return low.replace(/(?:a|ont)$/u, vous ? "ez" : "as");
  if (/ai(?:t|ent)$/u.test(low)) return low.replace(/ai(?:t|ent)$/u, vous ? "iez" : "ais");
  if (/ent$/u.test(low)) return low.replace(/ent$/u, vous ? "ez" : "es");
  if (/[rd]$/u.test(low) && /d$/u.test(low)) return vous ? `${low}ez` : `${low}s`;
  if (/[^a]it$/u.test(low)) return low.replace(/t$/u, vous ? "ssez" : "s");
  return /e$/u.test(low) ? `${low.slice(0, -1)}${vous ? "ez" : "es"}` : null;
}

/** Someone else as the subject: "Mia sera absente". */
const namesOthers = (text: string, names: readonly string[]): boolean =>
  [...text.matchAll(/(?:^|\bque |\bqu['’]|\bet |, )(\p{Lu}\p{Ll}+)(?= \p{Ll})/gu)].some(
    ([, name]) =>
      !names.includes(name!.toLowerCase()) &&
      !/^(?:Je|Nous|On|Il|Elle|Ils|Elles|Le|La|Les|Mon|Ma|Mes|Notre|Ce|Cela|Une?|Vous|Tu|Ne|Si|Pas|Malheureusement|Oui|Non|Merci|Votre|Ton|Ta)$/u.test(
        name!,
      ),
  );
const KIN = pattern(
  "\\b(?:mon|ma|mes|notre|nos|son|sa|le|la|un|une) (?:\\p{Ll}+ )?(?:mère|père|femme|mari|fils|fille|frère|sœur|soeur|chef|patron|patronne|collègue|ami|amie|voisin|voisine|médecin|enfant|client|cliente|grand-mère|grand-père|tante|oncle|chien|chat|associée?|avocate?|comptable|stagiaire)s?\\b",
);
const MALE = pattern("\\b(?:le|un|mon|notre|ce|cet|ton|votre) \\p{L}{3,}|\\bl['’]\\p{L}{3,}");
const FEMALE = pattern("\\b(?:la|une|ma|notre|cette|ta|votre|mon) \\p{L}{3,}|\\bl['’]\\p{L}{3,}");
const ABLE =
  /^(?:peut|veut|doit|pourra|pourrait|devra|devrait|voudrait|préfère|souhaite|sait|a besoin|est disponible|peuvent|veulent)$/u;
const HUMAN =
  "(?:r?appel|encourag|rassur|félicit|consol|invit|remerci|rencontr|aid|contact|attend|accompagn|embrass|prévi|emm[eè]n|rejoin|tien|retrouv|rev[oe]|inform|reço|paie|rembours|salu|verr)";
const IMPERSONAL =
  /^(?:y a|manque|semble|paraît|suffit|vaut|existe|faut|fait|pleut|reste|neige|s['’]agit|est (?:possible|tard|tôt|prévu|important|préférable|temps|trop|nécessaire))/u;

/** Returns text about the reader as text addressed to the reader. */
function toReader(text: string, reader: Reader): string {
  const vous = reader.formal || reader.several;
  const { sex } = reader;
  const others = (at: number) => KIN.test(text.slice(0, at)) || namesOthers(text.slice(0, at), reader.names);
  let used = text.replace(
    pattern(
      "\\b(qu['’]|s['’])?(ils?|elles?) ((?:ne |n['’]|me |m['’]|se |s['’]|nous |le |la |les |l['’]|lui |leur |y |en )*)(\\p{L}+)((?:-t)?)",
      "giu",
    ),
    (whole, link: string | undefined, who: string, clitics: string, verb: string, _t, at: number) => {
      const male = /^il/iu.test(who);
      const before = text.slice(0, at);
      const after = text.slice(at + whole.length - verb.length - clitics.length);
      if (male && IMPERSONAL.test(after)) return whole;
      if (/s$/u.test(who) ? sex !== "p" : sex === "p" || (sex !== null && (sex === "m") !== male)) return whole;
      if (others(at)) return whole;
      const thing = (male ? MALE : FEMALE).test(before);
      if (thing && !ABLE.test(verb)) return whole;
      const form = verbFor(verb, vous);
      if (form === null) return whole;
      const start = link ? (/^s/iu.test(link) ? "si " : "que ") : "";
      const own = clitics.replace(/\bse /u, vous ? "vous " : "te ").replace(/\bs['’]/u, vous ? "vous " : "t'");
      return `${start}${vous ? "vous" : "tu"} ${own}${form}`;
    },
  );
  used = used.replace(
    pattern("\\b(l[ae]s?|l['’]) ?(?:lui|leur) (?=\\p{L})", "giu"),
    (whole, thing: string, at: number) => (others(at) ? whole : `${vous ? "vous" : "te"} ${thing} `),
  );
  used = used.replace(pattern("\\b(lui|leur) (?=(?!ai\\b)\\p{L}+)", "giu"), (whole, who: string, at: number) => {
    if (others(at) || pattern("\\b(?:avec|pour|chez|de|à|sans|et) $").test(used.slice(0, at))) return whole;
    if (who.toLowerCase() === "leur" && sex !== "p") return whole;
    const next = used.slice(at + whole.length);
    if (
      who.toLowerCase() === "leur" &&
      !pattern("^(?:ai|avons|envoie|envoyons|envoyer|dois|donne|réponds?|enverra|convient|va|plaît)").test(next)
    )
      return `${vous ? "votre" : "votre"} `;
    return vous ? "vous " : /^[aeiouyéèêàh]/iu.test(next) ? "t'" : "te ";
  });
  used = used.replace(
    pattern("\\b(avec|pour|chez|de|à|sans) (lui|elle|eux|elles)\\b", "giu"),
    (whole, word: string, who: string, at: number) =>
      others(at) || (sex !== null && sex !== "p" && (sex === "m") !== /^l/u.test(who))
        ? whole
        : /^eu|^elles/iu.test(who) && sex !== "p"
          ? whole
          : `${word} ${vous ? "vous" : "toi"}`,
  );
  used = used.replace(
    pattern(
      `\\b(je |nous |on |viendrai |vais |veux |voudrais |aimerais |(?:de |à |pour |d['’])(?=(?:l['’]|le |la |les )\\p{L}+(?:er|ir|re)\\b))(l['’]|le |la |les )(?=${HUMAN})`,
      "giu",
    ),
    (whole, before: string, _o, at: number) =>
      others(at)
        ? whole
        : `${before}${vous ? "vous " : /^[aeiouéèh]/iu.test(used.slice(at + whole.length)) ? "t'" : "te "}`,
  );
  used = used.replace(pattern("\\b(son|sa|ses|leurs?) (?=\\p{L})", "giu"), (whole, word: string, at: number) => {
    if (others(at) || (/^leur/iu.test(word) && sex !== "p")) return whole;
    const low = word.toLowerCase();
    const many = /^(?:ses|leurs)$/u.test(low);
    return vous ? (many ? "vos " : "votre ") : many ? "tes " : low === "sa" ? "ta " : "ton ";
  });
  return used.replace(/^(?:que|qu['’])\s*/u, "");
}

const VERB = pattern(
  "\\bs['’]appelle|\\b(?:je|tu|il|elle|on|nous|vous|ils|elles|ça|cela) (?:(?:ne|se|me|te|y|en|le|la|les|lui) )*\\p{L}{2,}(?:rai|ra|rons|rez|ront)\\b|\\b(?:suis|es|est|sommes|sont|ai|as|a|avons|avez|ont|avais|avait|aurai|aura|aurons|peux|peut|pouvons|pouvez|peuvent|veux|veut|voulons|dois|doit|devons|doivent|vais|va|allons|vont|viens|vient|venons|viennent|fais|fait|faisons|prends|prend|prenons|reste|restent|convient|conviennent|coûte|coûtent|arrive|arrivent|arrivons|sera|serai|serons|seront|sera|faut|était|pourrait|voudrais|aimerais|préfère|préférons|pense|pensons|trouve|envoie|envoyons|apporte|apportons|attends|attendons|accepte|commence|finit|part|pars|partons|dure|marche|plaît|manque|reviens|travaille|habite|connais|sais|comprends|espère|espérons|souhaite|regrette|remercie|passe|passons|ferme|ouvre|contient|comprend|inclut|livrons|confirme)\\b|\\b(?:je|nous) (?:ne )?\\p{L}+|\\bj['’]\\p{L}+|\\bc['’]est\\b",
);
const TIME = pattern(
  "\\b(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre|demain|aujourd'hui|semaine|matin|midi|après-midi|soir|heures?|\\d{1,2} ?h(?:\\d\\d)?|date|rendez-vous)\\b",
);

function plain(text: string, reader: Reader): string | null {
  let said = bare(text);
  const short = pattern("^(?:oui|non|ok|d'accord|bien sûr|parfait|volontiers)\\b").exec(said)?.[0];
  if (short && said.length === short.length)
    return /^non/iu.test(short) ? "Malheureusement, ce n'est pas possible." : "Oui, cela me convient.";
  const rest = short ? bare(said.slice(short.length)) : said;
  if (!VERB.test(rest)) {
    if (short && !/^non/iu.test(short) && TIME.test(rest)) return `Oui, ${rest} me convient.`;
    return null;
  }
  if (pattern("^(?:suis|ai|peux(?!-tu)|dois|vais|viens|serai)\\b").test(said))
    said = `je ${said}`.replace(/^je ai/u, "j'ai");
  return `${toReader(said, reader)}${/\?\s*$/.test(text) ? " ?" : "."}`;
}

const you = (reader: Reader, vous: string, tu: string): string => (reader.formal || reader.several ? vous : tu);
const asked = (text: string): string => ask(text).replace(/\?$/u, " ?");
/** Whether a text starts with a vowel sound, before which "que" and "de" are shortened. */
const elided = (word: string, text: string): string =>
  /^[aeiouyàâéèêîôh]/iu.test(text) && !/^(?:huit|onze|oui)/iu.test(text)
    ? `${word.slice(0, -1)}'${text}`
    : `${word} ${text}`;

function render({ kind, text }: Act, reader: Reader): string | null {
  const said = bare(text);
  switch (kind) {
    case "tell":
    case "that": {
      const what = toReader(said, reader).replace(pattern("(,? (?:et|mais|ou)|,) (?:que |qu['’])", "giu"), "$1 ");
      return pattern("^(?:oui|non|ok)\\b").test(said) || !(VERB.test(said) || pattern("^(?:que |qu['’])").test(said))
        ? plain(said, reader)
        : `${what}.`;
    }
    case "complain":
      return `Malheureusement, ${toReader(said, reader)}.`;
    case "glad":
      return `Je peux volontiers ${toReader(said.replace(pattern("^(?:de |d['’])"), ""), reader)}.`;
    case "may":
      return asked(`Pourrais-je ${toReader(said, reader)}`);
    case "whether": {
      const what = toReader(said, reader);
      return asked(elided("Est-ce que", what.replace(/^(?:s['’](?=ils?\b)|si (?=tu|vous))/u, "")));
    }
    case "which": {
      const what = toReader(said, reader);
      const simple = pattern(
        "^(quand|où|comment|pourquoi|à partir de quand|jusqu'à quand|depuis quand|avec qui|pour quand|pour qui) (?=\\p{L})",
      ).exec(what);
      if (simple) return asked(`${simple[1]} ${elided("est-ce que", what.slice(simple[0].length))}`);
      const thing = pattern("^ce (?:que |qu['’])").exec(what);
      if (thing) return asked(elided("qu'est-ce que", what.slice(thing[0].length)));
      const why = pattern("^ce qui ").exec(what);
      if (why) return asked(`qu'est-ce qui ${what.slice(why[0].length)}`);
      return asked(`${you(reader, "pourriez-vous me dire", "peux-tu me dire")} ${what}`);
    }
    case "do":
      if (pattern("^(?:de )?ne (?:pas|plus|rien) ").test(said))
        return `Merci de ${toReader(said.replace(pattern("^de "), ""), reader)}.`;
      return asked(
        `${you(reader, "Pourriez-vous", "Pourrais-tu")} ${toReader(said.replace(pattern("^(?:de |d['’])"), ""), reader).replace(pattern(" et (?:de |d['’])", "gu"), " et ")}`,
      );
    case "have": {
      const what = toReader(said, reader);
      if (/^(?:si|quand)\b/u.test(what)) return null;
      const thing = withArticle(what, "fr");
      if (SEND.test(what)) return asked(`${you(reader, "Pourriez-vous", "Pourrais-tu")} m'envoyer ${thing}`);
      return pattern("^(?:un|une|des|du|de|d['’]|plus)\\b|^\\d").test(thing)
        ? asked(`Serait-il possible d'avoir ${thing}`)
        : asked(`${you(reader, "Pourriez-vous", "Pourrais-tu")} m'indiquer ${thing}`);
    }
    case "about":
      return asked(`${you(reader, "Pourriez-vous", "Pourrais-tu")} m'en dire plus sur ${toReader(said, reader)}`);
    case "thank":
      return said === ""
        ? "Merci beaucoup !"
        : `Merci ${toReader(said, reader).replace(pattern("^(?!pour|de |d['’]|du |des )"), "pour ")}.`;
    case "accept": {
      const what = toReader(said, reader);
      if (what === "") return "Oui, cela me convient.";
      if (/invitation/iu.test(what)) return `Merci pour ${what}, je viendrai avec plaisir.`;
      if (pattern("^(?:de |d['’])").test(what)) return `C'est avec plaisir que j'accepte ${what}.`;
      if (TIME.test(what) && !/devis|offre|proposition|prix/iu.test(what))
        return `${what.replace(pattern("^(?:pour |le rendez-vous du |la réunion du )(?=\\p{L}+di\\b)"), "")} me convient.`;
      return `J'accepte ${what} avec plaisir.`;
    }
    case "decline": {
      const what = toReader(said, reader).replace(pattern("^poliment\\b,?\\s*"), "");
      if (what === "") return "Malheureusement, je dois décliner cette fois-ci.";
      if (pattern("^(?:car|parce qu|puisqu|comme)").test(what)) return `Malheureusement, je dois décliner ${what}.`;
      if (/invitation/iu.test(what))
        return `Merci pour ${what.replace(pattern(" (?:car|parce que) .*$"), "")}. Malheureusement, je ne pourrai pas venir${pattern(" (?:car|parce qu).*$").exec(what)?.[0] ?? ""}.`;
      return `Malheureusement, je dois décliner ${what.replace(/^pour /u, "pour ")}.`;
    }
    case "confirm":
      if (pattern("^\\p{Ll}+").test(said) && withArticle(said, "fr") !== said)
        return render({ kind, text: withArticle(said, "fr") }, reader);
      if (said === "") return "Je vous le confirme.".replace("vous", reader.formal || reader.several ? "vous" : "te");
      return `Je confirme ${toReader(said, reader).length < said.length && pattern("^(?:que |qu['’])").test(said) ? elided("que", toReader(said, reader)) : toReader(said, reader)}.`;
    case "propose": {
      const what = toReader(said, reader);
      if (what === "") return null;
      if (pattern("^(?:à|vers) \\d").test(what))
        return `Je ${you(reader, "vous", "te")} propose ${what.replace(/^\S+ /u, "")}.`;
      if (pattern("^(?:que |qu['’])").test(said)) return `Je propose ${elided("que", what)}.`;
      return `Je ${you(reader, "vous", "te")} propose ${what}.`;
    }
    case "sorry":
      if (said === "")
        return "Je suis vraiment désolé.".replace(
          "Je suis vraiment désolé",
          you(reader, "Veuillez m'excuser", "Excuse-moi"),
        );
      return `${you(reader, "Je vous prie de m'excuser", "Excuse-moi")} ${toReader(said, reader).replace(pattern("^(?!pour|de |d['’]|du |des |si )"), "pour ")}.`;
    case "sorryThat":
      return `Je regrette ${elided("que", toReader(said, reader))}.`;
    case "congratulate":
      return said === "" ? "Félicitations !" : `Félicitations ${toReader(said, reader)} !`;
    case "wish":
      return pattern("anniversaire").test(said)
        ? "Joyeux anniversaire !"
        : `Je ${you(reader, "vous", "te")} souhaite ${toReader(said, reader)}.`;
    case "invite":
      return `Je ${you(reader, "vous", "t'")}${reader.formal || reader.several ? " " : ""}invite ${toReader(said, reader)}.`;
    case "will":
      return `Je vais ${toReader(said, reader)}.`;
    case "manner":
      return "";
    case "vague":
      return null;
  }
}

const SEND = pattern(
  `\\b${oneOf("copie facture reçu liste adresse photos? images? diapositives contrat rapport lien fichiers? numéro devis ordre_du_jour version documents? confirmation menu recette programme planning plan certificat attestation formulaire accusé_de_réception relevé justificatif compte_rendu compte-rendu billets? offre détails coordonnées rib dates horaires")}\\b`,
);
const VERBS =
  "(?:dis|dites|dire|réponds|répondez|répondre|écris|écrivez|écrire|demande|demandez|demander|remercie|remerciez|remercier|excuse-toi|s'excuser|excusez-vous|m'excuser|présente|accepte|acceptez|accepter|refuse|refusez|refuser|décline|décliner|confirme|confirmez|confirmer|propose|proposez|proposer|suggère|suggérer|explique|expliquer|précise|préciser|informe|informer|préviens|prévenir|félicite|féliciter|souhaite|souhaiter|rappelle|rappeler|invite|inviter|ajoute|ajouter|mentionne|annonce|annoncer|prie|prier|fais-lui savoir|rassure)";

/** French instructions and sentences. */
export const french: Grammar = {
  words:
    "le les et des est une que vous pour dans pas je nous sur avec votre plus qui au ce cette sont mais ou bien dis lui dire demande demander si remercie remercier accepte refuse propose il elle qu merci réponds excuse confirme la du un",
  again: pattern(
    `,? (?:et|ou) (?:(?<do>d['’](?=\\p{L}+(?:er|ir|re)\\b)|de (?=\\p{L}+(?:er|ir|re)\\b))|(?<whether>si) |(?<whether2>(?=s['’]il))|(?<which>${WH})(?:(?<=['’])| ))`,
  ),
  reader: pattern(
    "(?:(?<f>remercie-la|félicite-la|invite-la|préviens-la|informe-la|rassure-la|\\bsi elle\\b|\\bqu'elle\\b|\\bla (?:remercier|féliciter|prévenir))|(?<m>remercie-le|félicite-le|invite-le|préviens-le|informe-le|rassure-le|\\bs'il (?!y|faut|fait|est possible|pleut)|\\bqu'il (?!y|faut|fait|est possible|pleut)|\\ble (?:remercier|féliciter|prévenir))|(?<p>-leur\\b|\\bleur (?:dire|demander|répondre)|-les\\b|\\bs'ils\\b|\\bqu'ils\\b))",
  ),
  split: pattern(
    `(?:\\s*[,;]\\s*(?:et |puis |mais )*|\\s+(?:et|puis|mais)\\s+)(?:aussi |ensuite |puis |également |enfin )?(?=(?:(?:la|le|les|lui|leur) )?${VERBS}\\b(?! pas))`,
  ),
  statement: pattern(
    "(?:\\s*[,;:–—]\\s*|\\s-\\s)(?:mais |et )?(?=(?:je|j['’]|nous|on|il|elle|c['’]|cela|ça|mon|ma|mes|notre|nos)(?:\\s|(?<=['’])))",
  ),
  acts: [
    [
      act(
        "(?:sois|reste|fais|rester|être|faire)\\s+(?:très )?(?:court|bref|brève|polie?|aimable|chaleureux|formel|formelle|concise?|gentille?|ferme)(?:\\s.*)?$",
      ),
      "manner",
    ],
    [act("en (?:français|anglais|allemand)$"), "manner"],
    [act(`(?:poliment )?(?:refuse[rz]?|décline[rz]?)(?: poliment)?(?: (?=\\S)|${END})`), "decline"],
    [act(`(?:dis|dites|dire|réponds|répondre)${TO} (?:que )?non${END}`), "decline"],
    [act(`(?:accepte[rz]?)(?: (?=\\S)|${END})`), "accept"],
    [
      act(
        `(?:dis|dites|dire|réponds|répondre)${TO} (?:que )?oui(?: avec plaisir| volontiers| bien sûr)?(?: pour (?=\\S)|${END})`,
      ),
      "accept",
    ],
    [
      act(
        `(?:explique[rz]?|dis|dire|écri[st]|parle[rz]?|mentionne[rz]?|écrire|réponds|répondre)${TO} (?:pourquoi|comment|quelque chose|à propos|au sujet|de (?:notre|mon|la|le)|(?:la|le|l['’]|notre|nos|mon|ma|les) ?\\p{L}+(?: \\p{L}+)?$).*$`,
      ),
      "vague",
    ],
    [
      act(
        `(?:(?:lui|leur|la|le|les) |l['’])?(?:dis|dites|dire|réponds|répondez|répondre|écris|écrivez|écrire|explique[rz]?|précise[rz]?|informe[rz]?|préviens|prévenir|ajoute[rz]?|annonce[rz]?|rappelle[rz]?|rappeler|mentionne[rz]?|rassure[rz]?|promets|faire savoir|fais${TO} savoir|signale[rz]?|indique[rz]?)${TO} (?=que\\b|qu['’])`,
      ),
      "tell",
    ],
    [act(`(?:(?:lui|leur) )?demande[rz]?${TO} (?:si |(?=s['’]il))(?=\\S)`), "whether"],
    [act(`(?:(?:lui|leur) )?demande[rz]?${TO} (?=${WH})`), "which"],
    [
      act(`(?:(?:lui|leur) )?demande[rz]?${TO} (?:de |à |d['’])(?=(?:recevoir|avoir|pouvoir|obtenir|voir|parler)\\b)`),
      "may",
    ],
    [
      act(
        `(?:(?:lui|leur) )?(?:demande[rz]?|prie[rz]?|rappelle[rz]?|rappeler|invite[rz]?)${TO} (?:de |(?=d['’]))(?=\\S)`,
      ),
      "do",
    ],
    [act(`(?:dis|dites|dire)${TO} (?:de |(?=d['’]))(?=\\p{L}|d['’])`), "do"],
    [act(`(?:(?:lui|leur) )?demande[rz]?${TO} (?:que|qu['’])`), "vague"],
    [act(`(?:renseigne-toi|se renseigner|me renseigner) sur (?=\\S)`), "about"],
    [act(`(?:(?:lui|leur) )?demande[rz]?${TO} (?=\\S)`), "have"],
    [
      act(
        `(?:(?:la|le|les) )?remercie[rz]?${TO}(?: (?:beaucoup|chaleureusement|encore))?(?: (?=(?:pour|de|du|des)\\b|d['’])|${END})`,
      ),
      "thank",
    ],
    [act(`remercie[rz]?(?: ${NAME})? (?=pour|de|d['’])`), "thank"],
    [
      act(
        `(?:excuse-toi|s['’]excuser|m['’]excuser|excusez-vous|nous excuser)(?: auprès \\p{L}+ \\p{L}+)?(?: (?=(?:pour|de|du|des)\\b|d['’])|${END})`,
      ),
      "sorry",
    ],
    [act(`(?:présente[rz]?|fais|faire)(?:-lui|-leur)? (?:mes|nos|des|tes) excuses(?: (?=pour|de)|${END})`), "sorry"],
    [act(`confirme[rz]?${TO}(?: (?=\\S)|${END})`), "confirm"],
    [act(`(?:propose[rz]?|suggère|suggérer)${TO} (?=\\S)`), "propose"],
    [act(`(?:(?:la|le|les) )?félicite[rz]?${TO}(?: (?=\\S)|${END})`), "congratulate"],
    [act(`(?:(?:lui|leur) )?souhaite[rz]?${TO} (?=\\S)`), "wish"],
    [act(`(?:(?:la|le|les) )?invite[rz]?${TO} (?=à|au|chez|pour)`), "invite"],
    [act(`(?:dis|dites|réponds|écris)${TO}\\s*[:,]? (?=\\S)`), "tell"],
  ],
  render,
  plain,
  address: (text, reader) => toReader(text, reader),
};
