import { stemmer } from "stemmer";
import { lazy } from "../../../kernel/lazy.ts";

/**
 * English words that share a stem: Porter's algorithm (1980), corrected where it joins words with different meanings,
 * and words whose forms no rule finds.
 */

/** Porter stems that words with different meanings share. Here, only number and tense are forms. */
const OVERJOINED = new Set(
  (
    "gener univers organ import experi author execut anim numer sever commun posit sens oper access past physic capit " +
    "arm mean natur polic digit port format mater minut moment offic station stat special tempor vari corpor critic " +
    "sign rat relat intern integr fin final moral extern custom"
  ).split(" "),
);

/** Beginnings of words that need a separate stem, because Porter's shorter stem belongs to other words. */
const OWN_STEM =
  /^(?:terminal|designat|department|apartment|importan|authorit|experiment|universit|generat|generous|generic|organi[sz]|numerous|communis|communit|committee|investigat|personnel|stationer|operat|sensitiv|physician|executiv|positiv|several|relativ)/;

/** Forms that no rule finds. The first one of a group is the base. */
const IRREGULAR =
  "be been being,begin began begun,break broke broken,bring brought,build built,buy bought,catch caught,choose chose chosen," +
  "come came,cost costs,do did done,draw drew drawn,drive drove driven,eat ate eaten,fall fell fallen,feel felt,find found," +
  "fly flew flown,forget forgot forgotten,get got gotten,give gave given,go went gone,grow grew grown,hear heard,hold held," +
  "keep kept,know knew known,lead led,learn learnt,leave left,lend lent,lose lost,make made,meet met,pay paid," +
  "read reads,ride rode ridden,rise rose risen,run ran,say said,see saw seen,sell sold,send sent,shake shook shaken,sing sang sung," +
  "sit sat,sleep slept,speak spoke spoken,spend spent,stand stood,steal stole stolen,swim swam swum,take took taken," +
  "teach taught,tell told,think thought,throw threw thrown,understand understood,wear wore worn,win won,write wrote written," +
  "withdraw withdrew withdrawn,overpay overpaid,prepay prepaid,repay repaid,resend resent,rewrite rewrote rewritten," +
  "child children,man men,woman women,person people,foot feet,tooth teeth,mouse mice,goose geese,wife wives,life lives," +
  "knife knives,leaf leaves,half halves,shelf shelves,thief thieves,self selves,loaf loaves,calf calves,wolf wolves," +
  "analysis analyses,basis bases,crisis crises,thesis theses,hypothesis hypotheses,diagnosis diagnoses,criterion criteria," +
  "phenomenon phenomena,index indices,appendix appendices,matrix matrices,vertex vertices,datum data,medium media," +
  "use using,die dying,lie lying,tie tying,age aging ageing,aeroplane airplane,cheque check,grey gray,tyre tire," +
  "programme program,jewellery jewelry,storey story,kerb curb,plough plow,sceptical skeptical,mum mom,ageing aging," +
  "inquiry enquiry,inquire enquire,judgement judgment,cosy cozy,pyjamas pajamas,draught draft,licence license," +
  "defence defense,offence offense,pretence pretense,practise practice,mould mold,moustache mustache,aluminium aluminum";

/** Words of another kind with the same root. */
const DERIVED =
  "pay payment payee payer,ship shipment,fly flight,arrive arrival,move movement,treat treatment,apply application applicant," +
  "die death,choose choice,lose loss,sell sale,think thought,receive receipt reception,deliver delivery,invite invitation," +
  "subscribe subscription,describe description,permit permission,admit admission,decide decision,expire expiry expiration," +
  "cancel cancellation,inquire inquiry,renew renewal,approve approval,refuse refusal,propose proposal,rent rental," +
  "reserve reservation,confirm confirmation,register registration,install installation,present presentation," +
  "inform information,transport transportation,design designer,direct direction director,express expression,relate relation," +
  "success successful,office officer,special specialist,sign signature,depart departure,fail failure,close closure," +
  "compute computer computation,compete competition competitor,organise organisation,organize organization," +
  "person personal,reside resident residence,possess possession,regulate regulation,object objection,consider consideration," +
  "nation national,nature natural,long length,strong strength,wide width,high height,deep depth,warm warmth,grow growth," +
  "fund funding,tax taxation,form formal,sense sensitive,access accessible,tour tourist";

const PLURAL_ONLY = new Set("news means series species mathematics physics economics politics headquarters".split(" "));
const BRITISH: [RegExp, string][] = [
  [/is(e[srd]?|ers|ing|ations?|able)$/, "iz$1"],
  [/iz(e[srd]?|ers|ing|ations?|able)$/, "is$1"],
  [/ys(e[srd]?|ing)$/, "yz$1"],
  [/yz(e[srd]?|ing)$/, "ys$1"],
  [
    /^(col|fav|hon|lab|neighb|behavi|flav|harb|hum|rum|arm|parl|vap|od|sav|val|vig|endeav|clam|glam|splend|ferv|ranc|rig)our/,
    "$1or",
  ],
  [
    /^(col|fav|hon|lab|neighb|behavi|flav|harb|hum|rum|arm|parl|vap|od|sav|val|vig|endeav|clam|glam|splend|ferv|ranc|rig)or(?=$|s|ed|ing|it|ab|h|l|y)/,
    "$1our",
  ],
  [/^(cent|theat|lit|fib|calib|spect|somb|meag|kilomet|millimet|centimet|met)re(s?)$/, "$1er$2"],
  [/^(cent|theat|lit|fib|calib|spect|somb|meag|kilomet|millimet|centimet|met)er(s?)$/, "$1re$2"],
  [/^(catal|dial|anal|monol|prol)ogue(s?)$/, "$1og$2"],
  [/^(catal|dial|anal|monol|prol)og(s?)$/, "$1ogue$2"],
  [/^(enrol|fulfil|instal|skil)l(s|ment|ments)?$/, "$1$2"],
  [/^(enrol|fulfil|instal)(s|ment|ments)?$/, "$1l$2"],
];
const ENGLISH = /^[a-z]{3,}$/;
const CACHE_WORDS = 20_000;

const stems = new Map<string, string>();

/**
 * Returns the stem of a folded word: Porter's, except for words that need their own; the word itself if it has other
 * than English letters.
 */
export function englishStem(word: string): string {
  if (!ENGLISH.test(word) || PLURAL_ONLY.has(word)) return word;
  return OWN_STEM.exec(word)?.[0] ?? porterStem(word);
}

function porterStem(word: string): string {
  let stem = stems.get(word);
  if (stem === undefined) {
    stem = stemmer(word);
    if (stems.size >= CACHE_WORDS) stems.clear();
    stems.set(word, stem);
  }
  return stem;
}

/** Returns what every word with this stem begins with: the stem without a last letter that may have been rewritten. */
export function stemPrefix(stem: string): string {
  return /(?:i|bl)$/.test(stem) && stem.length > 3 ? stem.slice(0, -1) : stem;
}

/** Returns whether two words differ only in number or tense: without plural, -ed and -ing they are the same. */
export function areInflections(a: string, b: string): boolean {
  return bare(a) === bare(b) && !differInE(a, b);
}

/**
 * Returns whether Porter's stem is specific enough to join words of different kinds, unlike that of "general" and
 * "generous".
 */
export function isSpecificStem(stem: string): boolean {
  return !OVERJOINED.has(stem);
}

/** Returns whether a word ends in s but is not a plural. */
export function isUninflected(word: string): boolean {
  return PLURAL_ONLY.has(word);
}

/** Returns whether two words differ like past and paste, which have the same Porter stem. */
export function differInE(a: string, b: string): boolean {
  const [singularA, singularB] = [a.replace(/s$/, ""), b.replace(/s$/, "")];
  return `${singularA}e` === singularB || `${singularB}e` === singularA;
}

/** Returns whether two words with the same Porter stem are not forms of each other. */
export function areUnrelatedEnglish(a: string, b: string): boolean {
  if (porterStem(a) !== porterStem(b) || areInflections(a, b)) return false;
  return englishStem(a) !== englishStem(b) || !isSpecificStem(englishStem(a));
}

/** Returns candidates for the plural and tenses of an English word of three letters. */
export function shortEnglishForms(word: string): string[] {
  if (/[^aeiou]y$/.test(word)) {
    const stem = word.slice(0, -1);
    return [`${stem}ies`, `${stem}ied`, `${word}ing`];
  }
  const plural = /[sxz]$/.test(word) ? `${word}es` : `${word}s`;
  const doubled = /[^aeiou][aeiou][^aeiouwxy]$/.test(word) ? word + word.at(-1) : word;
  const forms = [plural, `${doubled}ed`, `${doubled}ing`];
  return forms.filter((form) => !isUninflected(form));
}

/** Returns the words of three letters that a longer one may be a form of. */
export function basesOfThreeLetters(word: string): string[] {
  if (word.length > 7 || isUninflected(word)) return [];
  const stem = word.replace(/(?:ing|ed|es|s)$/, "");
  const bases = [stem.slice(0, 3), `${stem.slice(0, 2)}y`];
  return bases.filter((base) => base !== word && shortEnglishForms(base).includes(word));
}

function bare(word: string): string {
  let stem = word;
  if (/(?:ss|x|z|ch|sh)es$/.test(stem)) stem = stem.slice(0, -2);
  else if (/ies$/.test(stem)) stem = `${stem.slice(0, -3)}y`;
  else if (/[^su]s$/.test(stem) && !PLURAL_ONLY.has(stem)) stem = stem.slice(0, -1);
  else if (/ied$/.test(stem)) stem = `${stem.slice(0, -3)}y`;
  else stem = stem.replace(/([aeiouy].*[^e])(?:ed|ings?)$/, "$1");
  stem = stem.replace(/ings$/, "").replace(/e$/, "");
  return /([bcdfgklmnprtv])\1$/.test(stem) ? stem.slice(0, -1) : stem;
}

/** Returns groups by each of their words, and by the stems of their first `stemmed` words. */
function groups(text: string, stemmed: number): Map<string, string[]> {
  const byStem = new Map<string, string[]>();
  for (const group of text.split(",").map((words) => words.split(" "))) {
    const keys = new Set([...group, ...group.slice(0, stemmed).map(englishStem).filter(isSpecificStem)]);
    for (const key of keys) byStem.set(key, [...(byStem.get(key) ?? []), ...group]);
  }
  return byStem;
}

const irregular = lazy(() => groups(IRREGULAR, 1));
const derived = lazy(() => groups(DERIVED, 9));

/**
 * Returns other words that no rule finds as forms of this one: irregular forms, and the other of British and American
 * spelling.
 */
export function irregularForms(word: string): string[] {
  const forms = new Set(irregular().get(word) ?? irregular().get(englishStem(word)));
  for (const [british, american] of BRITISH) if (british.test(word)) forms.add(word.replace(british, american));
  forms.delete(word);
  return [...forms];
}

/** Returns words of another kind with the same root, which no rule finds: pay, payment. */
export function derivedWords(word: string): string[] {
  const words = new Set(derived().get(word) ?? derived().get(englishStem(word)));
  if (word.endsWith("ily")) words.add(`${word.slice(0, -3)}y`);
  else if (word.endsWith("ly") && word.length > 5) words.add(word.slice(0, -2));
  else words.add(word.endsWith("y") ? `${word.slice(0, -1)}ily` : `${word}ly`);
  words.delete(word);
  return [...words];
}
