/** Stems of strong verbs in their tenses, folded. */
const STRONG =
  "schreib schrieb,fahr fuhr,flieg flog,nehm nimm nahm nomm,treff triff traf troff,komm kam,geb gib gab,find fand fund," +
  "sprech sprich sprach sproch,geh ging gang,seh sieh sah,zieh zog,lauf lief,lier lor,schliess schloss,trag trug,halt hielt," +
  "lass liess,biet bot,bitt bat bet,bring brach,denk dach,steh stand,helf hilf half holf,lad lud,les lies las,rat riet," +
  "ruf rief,scheid schied,schneid schnitt,sitz sass sess,steig stieg,sterb stirb starb storb,tret trat,werb wirb warb worb," +
  "werf wirf warf worf,zwing zwang zwung,weis wies,leih lieh,send sand,nenn nann,kenn kann,messe mass,vergess vergass," +
  "beginn begann begonn,gewinn gewann gewonn,empfehl empfiehl empfahl empfohl,empfang empfing,entscheid entschied," +
  "brech brich brach broch,fall fiel,fang fing,giess goss,heb hob,schlag schlug,schwimm schwamm schwomm,sing sang sung," +
  "spring sprang sprung,trink trank trunk,verlier verlor,wachs wuchs,wasch wusch,ess iss ass gess,bleib blieb,heiss hiess";
const BY_STEM = new Map<string, string[]>();
for (const group of STRONG.split(",").map((stems) => stems.split(" ")))
  for (const stem of group) BY_STEM.set(stem, group);

/** Prefixes before "ge" (angekommen) and prefixes that replace it (bekommen), longest first. */
const SEPARABLE = "zuruck zusammen weiter wieder nach auf aus bei ein her hin mit vor weg ab an um zu".split(" ");
const INSEPARABLE = "unter uber ver ent emp zer be er".split(" ");
const VERB_ENDING = /(?:ungen|enden|ung|end|est|ten|ete|tet|en|st|et|te|e|t|(?<=e[lr])n)$/;
const PREFIX = new RegExp(`^(${[...SEPARABLE, ...INSEPARABLE].join("|")})(?=.{3})`);
const SHORTEST_ROOT = 3;

/**
 * Returns candidates for forms of a German verb that do not begin like it: participles with "ge" inside or in front,
 * and the other tenses of strong verbs. Most candidates are not in a dictionary.
 * @param bareStems also reads the word as a stem without ending: flog. False for "fund", which is an English noun.
 */
export function germanVerbForms(word: string, bareStems = true): string[] {
  const forms = new Set<string>();
  for (const { prefix, root, participle } of rootsOf(word, bareStems)) {
    const strong = BY_STEM.get(root);
    for (const stem of strong ?? [root]) {
      if (prefix === "" || SEPARABLE.includes(prefix)) {
        for (const ending of ["en", "t", "et", "te", "ten"]) forms.add(`${prefix}ge${stem}${ending}`);
      }
      // Other forms of a weak verb, except its participle, begin like the word.
      if (strong === undefined && !participle) continue;
      for (const ending of ["", "en", "n", "t", "e", "te", "st", "ung"]) forms.add(`${prefix}${stem}${ending}`);
    }
  }
  forms.delete(word);
  return [...forms];
}

interface Root {
  prefix: string;
  root: string;
  /** Whether "ge" was in front of the root. */
  participle: boolean;
}

/** Returns the prefix of a verb and the rest without ending and "ge", for each way to read it. */
function rootsOf(word: string, bareStems: boolean): Root[] {
  const roots: Root[] = [];
  const prefixes = ["", PREFIX.exec(word)?.[1] ?? ""];
  for (const prefix of new Set(prefixes)) {
    const rest = word.slice(prefix.length);
    const bare = rest.replace(VERB_ENDING, "");
    if (bare.length < SHORTEST_ROOT) continue;
    const joined = /^ge(.{3,})$/.exec(bare)?.[1];
    if (joined !== undefined) roots.push({ prefix, root: joined, participle: true });
    else if (bare !== rest || (BY_STEM.has(bare) && (bareStems || prefix !== ""))) {
      roots.push({ prefix, root: bare, participle: false });
    }
  }
  return roots;
}

/** Returns the other spellings of a word with umlauts: Müller is folded to "muller", and also written Mueller. */
export function umlautSpellings(word: string): string[] {
  const spellings: string[] = [];
  for (const { index } of word.matchAll(/[aou](?![aeiouy])/g)) {
    if (spellings.length >= 4) break;
    spellings.push(`${word.slice(0, index + 1)}e${word.slice(index + 1)}`);
  }
  if (/[aou]e/.test(word)) spellings.push(word.replace(/(?<![aeq])([aou])e/g, "$1"));
  return spellings.filter((spelling) => spelling !== word);
}
