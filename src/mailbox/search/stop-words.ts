import type { Language, Languages } from "./terms/languages.ts";

/**
 * Words that carry no meaning in an English question. They are left out only where not every word must occur: a phrase,
 * or two words side by side, needs all of its words.
 */
const STOP_WORDS = new Set(
  (
    "a about after all also am an and any are as at be because been before being between but by can could did do does " +
    "doing during each few for from further had has have having he her here hers him his how i if in into is it its " +
    "itself just me more most my no nor not now of off on once only or other our out over own same she should so some " +
    "such than that the their theirs them then there these they this those through to too under until up very was we " +
    "were what when where which while who whom why will with would you your yours"
  ).split(" "),
);

/** The same for other languages, folded. */
const OTHER_STOP_WORDS: Partial<Record<Language, string>> = {
  de:
    "aber als am an auch auf aus bei beim bin bis bist da damit das dass dein deine dem den denn der des dich die dir doch " +
    "du durch ein eine einem einen einer eines er es euch fur gibt habe haben hat hatte ich ihm ihn ihnen ihr ihre ihrem " +
    "ihren ihrer im in ist kann kein keine man mein meine meinem meinen meiner mich mir mit muss nach nicht noch nur ob " +
    "oder ohne schon sein seine sich sie sind so soll uber um und uns unser unsere vom von vor wann war waren warum was " +
    "welche welcher welches wenn wer wie wieso wieviel wir wird wo wurde zu zum zur",
  fr:
    "a au aux avec ce ces cet cette chez combien comment d dans de des dont du elle en est et etaient etait il ils j je l " +
    "la le les leur leurs lui ma mais me mes moi mon ne nos notre nous on ont ou par pas plus pour pourquoi qu quand que " +
    "quel quelle quelles quels qui quoi s sa sans se ses son sont sous sur ta te tes ton tu un une vos votre vous y",
  es:
    "a al como con cual cuales cuando cuanta cuanto de del donde e el ella en es esa ese esta estan estas este esto estos " +
    "fue ha han hay la las le les lo los mas me mi mis muy ni no nos o para pero por porque que quien se si sin sobre son " +
    "su sus te tu tus u un una unas unos y ya",
  it:
    "a ad ai agli al alla alle allo anche che chi ci come con cosa cui da dal dalla degli dei del della delle dello di dove e " +
    "ed gli ha hanno ho i il in io la le lo ma mi mia mio ne nei nel nella non o per perche piu quale quali quando quanto " +
    "questa questo se si sono su sua sul sulla suo ti tra tu un una uno vi",
  nl:
    "aan als bij dat de deze die dit een en er geen had heb hebben heeft het hij hoe hun ik in is je jij kan kunnen maar " +
    "me met mijn moet moeten naar niet nog of om ons ook op over te tot u uit uw van voor waar waarom wanneer was wat we " +
    "welke wie wij worden wordt ze zij zijn zo",
  pt:
    "a ao aos as com como da das de do dos e ela ele em esta este eu foi isso ja mais mas me meu minha muito na nao nas no " +
    "nos o onde os ou para pela pelo por porque qual quais quando quanto que quem sao se sem ser seu sua te um uma voce",
  sv:
    "ar att av de den det din du eller en ett for fran ha har hon hur i inte jag kan med men mig min mitt nar ni och om pa " +
    "sig som till upp vad var varfor vem vi vilken",
  da: "af at de den det der du efter en er et for fra har han hun hvad hvem hvor hvornar hvorfor i ikke jeg kan med men min og om pa sig som til var vi",
  pl: "a ale co czy dla do gdzie i jak jest kiedy kto ktory ma mi mnie moj moja na nie o od po przez sa sie to w za z ze",
};

/** Words of these languages that are also English words or names: alone they do not identify the language. */
const AMBIGUOUS = new Set(
  (
    "a ad ai als am an as at da de del den die do dos du e el en er est et fur had has have i in io is it j l la le " +
    "les lo los ma man me mes mi mon my ne no non nos o of om on ons or os ou over par per plus pour s sa se son sole sous " +
    "sur ta te ten to ton tot u un upp up van vi vom von vor war was we y ya"
  ).split(" "),
);

/**
 * Words with a meaning in English, which are not function words just because the mailbox has mail in another language.
 */
const ENGLISH_WORDS = new Set(
  "den die do fur her lo ma man men of par pour so sole son tan ten ton tot van war".split(" "),
);

const BY_LANGUAGE = Object.entries(OTHER_STOP_WORDS).map(
  ([language, words]) => [language as Language, new Set(words.split(" "))] as const,
);
const MIN_OF_LANGUAGE = 2;

/** Returns whether a folded word is an English function word. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

/**
 * Returns which words of a query are function words: those of English, and those of another language if there is mail
 * in that language, or if the query has two of them and one identifies the language.
 * @param words folded
 */
export function stopWordsOf(words: readonly string[], { common, some }: Languages): Set<string> {
  const found = new Set(words.filter(isStopWord));
  for (const [language, known] of BY_LANGUAGE) {
    const own = new Set(words.filter((word) => known.has(word)));
    const isIdentified = own.size >= MIN_OF_LANGUAGE && [...own].some((word) => !AMBIGUOUS.has(word));
    const isKnown = common.has(language) || some.has(language);
    for (const word of own) if (isIdentified || (isKnown && !ENGLISH_WORDS.has(word))) found.add(word);
  }
  return found;
}
