import { type Act, bare, pattern } from "./act.ts";
import { isFiniteVerb } from "./german-clauses.ts";

/** An infinitive that no pattern reads: what the user wants to do, or what the reader should do for the user. */
interface Infinitives {
  /** Matches the whole text up to its first comma. */
  form: RegExp;
  /** Matches an infinitive with the user as its object, so that it is a request: "me rappeler demain". */
  mine: RegExp;
  /** Makes a statement of the infinitive. */
  wish: string;
  not?: RegExp;
}

const LAST = "\\p{Ll}*\\p{Ll}{2}(?:en|ern|eln)";

const INFINITIVES: Readonly<Record<string, Infinitives>> = {
  de: {
    form: pattern(`^(?:[\\p{L}\\d.:'’-]+ ){0,9}${LAST}$`),
    mine: /^(?:mir|mich|uns) /iu,
    wish: "ich möchte ",
    not: pattern(
      "\\b(?:ich|wir|es|er|sie|du|ihr|man|Sie|ge(?!ben$|hen$|winnen$)\\p{Ll}+en|\\p{Ll}+ge(?!ben$|hen$)\\p{Ll}+en|bekommen|erhalten|vergessen|verstanden|verloren|angekommen|morgen|gegen|wegen|keinen|meinen|unseren|ihren|deinen|seinen|allen|zusammen|draußen|oben|unten|unterwegs|dass|ob|wenn|weil|danke|sorry|\\p{Ll}+ten)$|\\b(?:ich|wir|es|er|sie|du|man|Sie|dass|ob|wenn|weil|zu \\p{Ll}+)\\b",
    ),
  },
  nl: {
    form: pattern("^(?:[\\p{L}\\d.:'’-]+ ){0,9}\\p{Ll}{2,}en$"),
    mine: /^(?:mij|me|ons) /iu,
    wish: "ik wil graag ",
    not: pattern(
      "\\b(?:ik|we|wij|het|hij|ze|je|u|er|dat|of|als|te \\p{Ll}+)\\b|\\b(?:ge(?!ven$|bruiken$|loven$|nieten$)\\p{Ll}+en|\\p{Ll}{2,4}ge(?!ven$)\\p{Ll}+en|ontvangen|vergeten|verloren|begrepen|mensen|kinderen|dagen|weken|maanden|uren|tegen|binnen|buiten|boven|beneden|morgen|samen|personen|foto|kosten|zijn)$",
    ),
  },
  fr: {
    form: pattern(
      "^(?:(?:ne pas|me|m['’]|nous|lui|leur|la|le|les|l['’]|te|se|s['’]|y|en) ?)*\\p{L}*\\p{L}{2}(?:er|ir|dre|tre|ire|oire|aire|ure)(?: .*)?$",
    ),
    mine: pattern(
      "^(?:(?:me|nous) |m['’])(?!(?:excuser|occuper|inscrire|engager|présenter|joindre|proposer pour|réjouir|désister)(?!\\p{L}))",
    ),
    wish: "j'aimerais ",
    not: pattern(
      "^(?:super|léger|amer|clair|hier|cher|fier|premier|dernier|février|janvier|notre|votre|autre|autres|entre|peut-être|hiver|plaisir|loisir|avenir|quatre|courrier|dossier|papier|mercredi|être|la .*|le .*|les .*)\\b(?!.*-)",
    ),
  },
  es: {
    form: pattern("^(?:no )?\\p{L}{2,}[aeií]r(?:l[eoa]s?|me|nos|se)?(?: .*)?$"),
    mine: pattern(
      "^(?!(?:ofrecer|apuntar|disculpar|excusar|comprometer|presentar|despedir|quejar|quedar|unir|sumar|encargar)(?:me|nos))\\p{L}+r(?:me|nos)(?:l[oa]s?)?\\b",
    ),
    wish: "me gustaría ",
    not: pattern("^(?:ayer|mujer|lugar|placer|mar|hogar|taller|alquiler|bar|ser|cualquier|mejor|peor)\\b"),
  },
  it: {
    form: pattern("^(?:non )?\\p{L}{2,}[aei](?:re|r(?:gli|le|lo|la|li|mi|ci|si|ti|vi))(?: .*)?$"),
    mine: pattern(
      "^(?!(?:offrir|scusar|presentar|congratular|propor|unir|occupar|impegnar|iscriver)(?:mi|ci))\\p{L}+r(?:mi|ci)(?:l[oaie])?(?![\\p{L}])",
    ),
    wish: "vorrei ",
    not: pattern(
      "^(?:mare|cuore|ore|sole|padre|madre|essere|oltre|sempre|mentre|signore|dottore|altre|vere|sere)(?![\\p{L}])",
    ),
  },
  pt: {
    form: pattern("^(?:não )?(?:(?:me|nos|lhe) )?\\p{L}{2,}[aei]r(?:-\\p{L}+)?(?: .*)?$"),
    mine: pattern(
      "^(?!(?:oferecer|desculpar|comprometer|apresentar|despedir|inscrever|juntar|encarregar)-)(?:(?:me|nos) |\\p{L}+r-(?:me|nos)(?![\\p{L}]))",
    ),
    wish: "gostaria de ",
    not: pattern("^(?:mulher|lugar|prazer|mar|lar|qualquer|ser|jantar é|melhor)(?![\\p{L}])"),
  },
};

const PLEASE = /^(?:bitte|alstublieft|graag|s['’]il (?:vous|te) plaît|por favor|per favore) /iu;

/** Returns what an infinitive without a subject says: a wish of the user, or a request; null if it is no infinitive. */
export function wished(clause: string, language: string): Act | null {
  const rules = INFINITIVES[language];
  if (!rules) return null;
  const said = bare(clause);
  const first = said.split(/[,;:]\s/u)[0]!;
  if (!rules.form.test(first) || rules.not?.test(first)) return null;
  if (language === "de" && first.split(" ").some((word) => isFiniteVerb(word))) return null;
  const please = PLEASE.exec(said);
  if (please) return { kind: "do", text: said.slice(please[0].length) };
  if (rules.mine.test(first)) return { kind: "do", text: said };
  return { kind: "tell", text: rules.wish + said };
}
