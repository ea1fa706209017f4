import { type Act, bare, oneOf, pattern, type Reader, table } from "./act.ts";

/**
 * What the reader should do, as a statement about the reader: "he should start without me". Group `x` is an infinitive
 * with what belongs to it, `v` a verb of which the infinitive is looked up.
 */
const DEMANDS: Readonly<Record<string, readonly RegExp[]>> = {
  en: [
    /^(?:that )?(?:(?<m>he)|(?<f>she)|(?<p>they)) (?:should|must|needs? to|has to|have to|is to|are to|ought to|can please|could please)(?: please)? (?<x>(?!be\b|have\b|not\b|get well\b|come (?:anyway|whenever)\b).+)$/iu,
  ],
  de: [
    pattern(
      "^(?:(?<m>er)|(?<f>sie)) (?:soll(?:te)?|muss|müsste|möge|sollen|sollten|müssen|kann bitte) (?:bitte |doch |mal )*(?<x>.+\\p{Ll}(?:en|ern|eln|tun))$",
    ),
    pattern(
      "^(?:dass )?(?:(?<m>er)|(?<f>sie)) (?:bitte |doch |mal )*(?<x>.+\\p{Ll}(?:en|ern|eln|tun)) (?:soll(?:te)?|muss|müsste|möge|sollen|sollten|müssen)$",
    ),
  ],
  fr: [
    pattern(
      "^(?:que |qu['’])?(?:(?<m>il)|(?<f>elle)|(?<p>ils|elles)) (?:doit|devrait|doivent|devraient) (?<x>(?!être|avoir)(?:(?:me|nous|le|la|les) |m['’]|l['’])?\\p{L}+(?:er|ir|re)\\b.*)$",
    ),
    pattern(
      "^(?:(?:il )?(?:faut|faudrait)|demande[rz]?(?:-lui|-leur)?|demander? à (?-i:\\p{Lu})\\p{L}+) (?:que |qu['’])(?:(?<m>il)|(?<f>elle)|(?<p>ils|elles)|(?-i:\\p{Lu})\\p{L}+) (?<c>(?:(?:me|nous|le|la|les|te|se) |m['’]|l['’]|s['’])*)(?<v>\\p{L}+)(?<r>.*)$",
    ),
    pattern("^qu['’](?:(?<m>il)|(?<f>elle)) (?<c>(?:(?:me|nous) |m['’]))(?<v>\\p{L}+(?:e|ent))(?<r>.*)$"),
  ],
  es: [
    pattern(
      "^(?:que )?(?:(?<m>él )|(?<f>ella ))?(?:debe|debería|deberían|tiene que|tienen que) (?<x>(?!ser\\b|haber\\b|estar\\b)\\p{L}+r(?:me|nos|lo|la|los|las|melo|mela|noslo|nosla)?\\b.*)$",
    ),
    pattern(
      "^que (?<s>(?:me|nos|se) (?:l[oa]s? )?(?!(?:parece|conviene|puede|tiene|viene|duele|debe|suele|dice|hace|sabe|quiere|apetece|ofrece|merece|pide|sale)\\b)\\p{L}+[^aeiou]e\\b.*)$",
    ),
    pattern(
      `^que (?<s>(?:(?:me|nos|se) )?(?:l[oa]s? )?${oneOf("mire vaya lleven? vengan? traigan? venga diga haga ponga lea corrija escriba envíe pague busque explique indique entregue responda devuelva prepare imprima compruebe avise cambie revise confirme traduzca organice mande llame pase reserve firme espere empiece traiga")}\\b.*)$`,
    ),
  ],
  it: [
    pattern(
      "^(?:che )?(?:(?<m>lui )|(?<f>lei ))?(?:deve|dovrebbe|devono|dovrebbero) (?<x>(?!essere|avere|esserci)\\p{L}+(?:re|rmi|rci|rlo|rla|rli|rle)\\b.*)$",
    ),
    pattern(
      "^che (?:(?<m>lui )|(?<f>lei ))?(?<c>(?:mi|ci|lo|la|li|le|me lo|me la|ce lo|ce la) )?(?<v>\\p{L}+[ia])\\b(?<r>.*)$",
    ),
  ],
  pt: [
    pattern(
      "^(?:que )?(?:(?<m>ele )|(?<f>ela ))?(?:deve|devia|deveria|tem de|tem que) (?<x>(?!ser|haver|estar|ter)\\p{L}+r(?:-(?:me|nos|[oa]s?))?(?![\\p{L}]).*)$",
    ),
    pattern(
      "^para (?:(?<m>ele )|(?<f>ela )|(?=(?:me|nos) ))(?<x>(?:me |nos )?\\p{L}+r(?:-(?:me|nos|[oa]s?))?(?![\\p{L}]).*)$",
    ),
    pattern(
      `^que (?<s>(?:(?:me|nos|[oa]s?) )*${oneOf("envie mande ligue traga venha diga faça confirme pague assine reserve corrija reveja leia escreva ponha dê espere verifique explique indique entregue responda devolva avise passe prepare altere mude")}(?![\\p{L}]).*)$`,
    ),
  ],
  nl: [
    pattern(
      "^(?:dat )?(?:(?<m>hij)|(?<f>ze|zij)) (?:moet|moeten|zou moeten) (?:alsjeblieft |maar |wel |even |vast )*(?<x>(?!zijn|er zijn).*\\p{Ll}en)$",
    ),
    pattern(
      "^(?:dat )?(?:(?<m>hij)|(?<f>ze|zij)) (?:alsjeblieft |maar |even )*(?<x>(?!zijn).*?)\\s*(?:moet|moeten) (?<e>\\p{Ll}+en)$",
    ),
  ],
};

const FRENCH = table(
  "appelle:appeler rappelle:rappeler envoie:envoyer vienne:venir vient:venir fasse:faire fait:faire prenne:prendre prend:prendre mette:mettre dise:dire dit:dire écrive:écrire lise:lire réponde:répondre rende:rendre attende:attendre finisse:finir choisisse:choisir passe:passer rappelle:rappeler renvoie:renvoyer paie:payer apporte:apporter amène:amener achète:acheter vérifie:vérifier signe:signer confirme:confirmer précise:préciser soit:être aille:aller transmette:transmettre fournisse:fournir réserve:réserver prévienne:prévenir retienne:retenir tienne:tenir remplace:remplacer",
);
const ITALIAN = table(
  "mandi:mandare invii:inviare chiami:chiamare richiami:richiamare porti:portare venga:venire dica:dire faccia:fare confermi:confermare paghi:pagare firmi:firmare prenoti:prenotare corregga:correggere controlli:controllare legga:leggere scriva:scrivere risponda:rispondere aspetti:aspettare dia:dare metta:mettere prenda:prendere restituisca:restituire spedisca:spedire passi:passare avvisi:avvisare indichi:indicare spieghi:spiegare prepari:preparare cambi:cambiare rimandi:rimandare sposti:spostare consegni:consegnare compri:comprare verifichi:verificare",
);

/** Infinitives with their pronoun: "me lo mandi" becomes "mandarmelo". */
function italianInfinitive(clitic: string, verb: string): string | null {
  const infinitive = ITALIAN.get(verb.toLowerCase());
  return infinitive === undefined ? null : clitic ? infinitive.slice(0, -1) + clitic.replaceAll(" ", "") : infinitive;
}
function frenchInfinitive(clitics: string, verb: string): string | null {
  const low = verb.toLowerCase();
  const known = FRENCH.get(low) ?? (/[^é]e$/u.test(low) ? `${low}r` : null);
  return known === null ? null : `${clitics.replace(/^m['’]$/u, /^[aeiouéèêh]/u.test(known) ? "m'" : "me ")}${known}`;
}

/** Returns what a statement about the reader asks the reader to do; null if it asks nothing, or of another person. */
export function demanded(text: string, language: string, reader: Pick<Reader, "sex">): Act | null {
  const said = bare(text);
  for (const form of DEMANDS[language] ?? []) {
    const groups = form.exec(said)?.groups;
    if (!groups) continue;
    const of = (["m", "f", "p"] as const).find((sex) => groups[sex] !== undefined) ?? null;
    if (of !== null && reader.sex !== null && of !== reader.sex && !(language === "de" && reader.sex === "p")) continue;
    if (groups.s !== undefined) return { kind: "do", text: `que ${groups.s}` };
    if (groups.v !== undefined) {
      const infinitive = (language === "fr" ? frenchInfinitive : italianInfinitive)(
        language === "fr" ? (groups.c ?? "") : (groups.c ?? "").trim(),
        groups.v,
      );
      if (infinitive === null) continue;
      return { kind: "do", text: `${infinitive}${groups.r ?? ""}` };
    }
    if (/^sich keine sorgen/iu.test(groups.x!)) return { kind: "tell", text: "es gibt keinen Grund zur Sorge" };
    const x = groups.x!.replace(/,? (?:please|bitte|alsjeblieft)$/iu, "");
    return { kind: "do", text: groups.e === undefined ? x : `${x} ${groups.e}` };
  }
  return null;
}
