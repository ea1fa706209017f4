import { lazy } from "../../../kernel/lazy.ts";
import { fold } from "../fold.ts";
import { finnishCases, hungarianCases, turkishCases } from "./endings-joined.ts";
import type { Language } from "./languages.ts";

/**
 * Endings that words with one stem take. Two words are forms of each other when each of them is the stem plus one of
 * these endings.
 */
export interface Paradigm {
  /** A Latin language, or the script of one. */
  language: Language | Script;
  endings: ReadonlySet<string>;
  /** Endings of other kinds of word with the same stem: bestellen, Bestellung. */
  derived: ReadonlySet<string>;
  /** Minimum number of letters in a stem. */
  shortest: number;
  /** Also applies to words that look like two English nouns: client, cliente. */
  certain: boolean;
  /** Weak evidence even if the language is common: cuenta, cuento. */
  guessed: boolean;
}

type Script = "Cyrillic" | "Greek" | "Hangul";

/**
 * One line per paradigm: endings as written, "-" for none; derived endings after a bar. A number in front is the length
 * of the shortest stem, if it is not 4. "!" marks a certain paradigm, "?" a guessed one.
 */
const TABLES: Record<Exclude<Paradigm["language"], "hu" | "tr" | "fi">, string> = {
  de: `- e en n es s er ern nen ens ses se sen
    - e en er es em ere eren erer eres erem ste sten ster stes | heit keit lich liche lichen licher liches
    en e st t est et te ten tet test ete eten end ende enden ender endes | ung ungen
    3 ern ert erst erte erten ertet ere | erung erungen
    3 eln elt elst elte elten eltet ele | elung elungen
    ung ungen
    3 um en ums a
    a en as
    o en os i
    ns ens en nis nisse nissen nisses
    isch ische ischen ischer isches ischem
    in innen`,
  fr: `- s x
    5!? - s e es
    e es ent er ez ons ee ees ait ais aient ant ante era eront erai erez | ation ations ement ements age ages aison aisons
    5 - er ez ee ees | ation ations ement ements
    3 ir is it issons issez issent i ie ies issant ira iront | issement issements
    - re s ez ons ent u ue us ues ant ait ra
    eur eurs | euse euses
    teur teurs | trice trices tion tions
    eux euse euses
    3 if ifs ive ives
    3 er ers ere eres
    3 en ens enne ennes
    el els elle elles
    et ets ette ettes ete etes
    on ons onne onnes
    3 al aux ale ales
    3 ail ails aux
    3 eau eaux
    eu eux`,
  es: `- s es
    ? o a os as
    3 z ces
    3 ar o as a amos an e aste aron ado ada ados adas ando aba aban are ara aran aria en es | acion aciones amiento amientos
    3 er o es e emos en i io ieron ido ida idos idas iendo ia ian ere era eran | imiento imientos
    3 ir o es e imos en i io ieron ido ida idos idas iendo ia ian ire ira iran | icion iciones
    dor dores dora doras`,
  pt: `- s es
    ? o a os as
    3 ao oes aos aes
    al ais
    3 el eis
    il is eis
    3 m ns
    3 ar o as a amos am ou ei aram ado ada ados adas ando ava avam e em ara | acao acoes amento amentos
    3 er o es e emos em i eu eram ido ida idos idas endo ia iam era erao | imento imentos
    3 ir o es e imos em i iu iram ido ida idos idas indo ia iam ira irao`,
  it: `? o i a e
    o i
    a e
    e i
    3 o hi a he i
    3 io i ia ie
    3 are o i a iamo ate ano ai arono ato ata ati ate ando ava avano era eranno erei | azione azioni amento amenti
    3 are o hi a hiamo ate ano ato ata ati ando hera heranno ava | amento amenti
    3 ere o i e iamo ete ono uto uta uti ute endo eva evano | imento imenti
    3 ire o i e iamo ite ono isco isce isci iscono ito ita iti endo iva iranno ira | izione izioni imento imenti
    tore tori trice trici`,
  nl: `- s e en n es er ere ste eren ers
    - je jes tje tjes pje pjes
    - en t te ten de den end ende | ing ingen er ers
    - er ere e st ste
    heid heden
    3 eid eden`,
  sv: `3 - s en et n t er ar or r erna arna na ne ens ets ers ernas e
    a or an orna as ans ornas
    e en ar arna ens
    el eln lar larna len
    a ar ade at ad ande as er te t d de | ning ningar ningen ningarna
    - a t e are ast aste`,
  da: `3 - s en et n t er e r erne ene ens ets ers ernes
    e en er erne
    e er ede et t te ende es | ning ninger ningen ningerne ing inger
    - t e ere est este`,
  pl: `- a u owi em ie y i ow om ami ach e owie
    a y i e ę o ą ie om ami ach -
    3 ka ki ke kę ce ek ką kom kami kach ko
    o a u em ie om ami ach - e
    ie ia iu iem iom iami iach i ień
    nie nia niu niem niom niami niach n
    ra rze ry rę rą ro rom rami rach r
    3 to cie ta tu tem tom tami tach t ci ty tow
    ść ści ścią ściom ściami ściach
    3! y a e ego emu ym ą ej ych ymi i ie o
    3! i a e iego iemu im ą iej ich imi ie
    3 ać am asz a amy acie ają aj ał ała ali ały any ana ane ano aną anych | anie ania aniu
    3 ić ę isz i imy icie ią ił iła ili iły iony iona ione iono | enie enia eniu ienie ienia
    3 ować uję ujesz uje ujemy ują ował owała owali owany owana owane | owanie owania owaniu`,
  Cyrillic: `3 - а у ю ы и е о ом ем ой ей ам ям ами ями ах ях ов ев ь ья я й ью і ї ів ою ею
    3 ок ка ку ком ке ки ков кам ками ках кой к
    3 ый ий ой ая яя ое ее ые ие ого его ому ему ым им ую юю ых их ыми ими ом ем ей о а ы
    3 ия ии ию ией ий иям иями иях ие ием иє ія ії ію
    3 ть л ла ло ли ет ют ит ят ешь ишь ем им ете ите у ю н на но ны нный нная нное нные нных вший ти в в | ние ния нию нием ний
    3 ать ал ала али ает ают у ю ет ут ан ана ано аны анный | ание ания а ы е ой
    3 ить ил ила или ит ят им ите у ю лю ен ена ено ены енный енная енные енных | ение ения ению ением ений а ы е ой
    е е`,
  Greek: `3 - ς ος ου ο ε οι ων ους α ας ες η ης ι ιου ια ιων ιο ιοι
    3 η ης εις εως εων
    3 μα ματος ματα ματων
    3 ω εις ει ουμε ετε ουν α ες ε αμε ατε αν εται ονται
    3 νω σω νει σει νουμε σουμε σα σε σαμε σαν νονται θηκε | ση σης σεις σεων
    3 ος η ο ου ης οι ες α ους ων ας`,
  Hangul: `2 - 은 는 이 가 을 를 의 에 에서 에게 에는 에서는 로 으로 로는 으로는 와 과 도 만 까지 부터 들 들이 들을 들은 들의 이나 나 보다 처럼 마다 께 님 님이 님께 입니다 이다 이고 인 라고 이라고 란
    2 - 하다 하는 한 할 해 하고 하기 하여 해서 했다 합니다 했습니다 하세요 해요 했어요 해주세요 되다 된 되는 됩니다 되었습니다 됐습니다`,
};

const SCRIPTS = new Set<string>(["Cyrillic", "Greek", "Hangul"] satisfies Script[]);

function read(text: string): ReadonlySet<string> {
  return new Set(
    text
      .split(" ")
      .filter((ending) => ending !== "")
      .map((ending) => (ending === "-" ? "" : fold(ending))),
  );
}

function paradigm(language: Paradigm["language"], line: string): Paradigm {
  const [, shortest, certain, guessed, rest] = /^(\d?)(!?)(\??) *(.*)$/.exec(line.trim())!;
  const [endings, derived] = rest!.split("|");
  return {
    language,
    endings: read(endings!),
    derived: read(derived ?? ""),
    shortest: shortest === "" ? 4 : Number(shortest),
    certain: certain !== "" || SCRIPTS.has(language),
    guessed: guessed !== "",
  };
}

const joined = (language: Language, endings: ReadonlySet<string>): Paradigm => ({
  language,
  endings,
  derived: new Set(),
  shortest: 4,
  certain: false,
  guessed: false,
});

/** Only searches need them, and most threads search nothing. */
const paradigms = lazy(() => {
  const all = [
    ...Object.entries(TABLES).flatMap(([language, lines]) =>
      lines.split("\n").map((line) => paradigm(language as Paradigm["language"], line)),
    ),
    joined("hu", hungarianCases()),
    joined("tr", turkishCases()),
    ...finnishCases().map((endings) => joined("fi", endings)),
  ];
  return {
    latin: all.filter(({ language }) => !SCRIPTS.has(language)),
    byScript: [...SCRIPTS].map((script) => ({
      pattern: new RegExp(`^\\p{sc=${script}}+$`, "u"),
      paradigms: all.filter(({ language }) => language === script),
    })),
  };
});

/** Returns the paradigms of the script that a word is written in; none for a script without paradigms. */
export function paradigmsOf(word: string): readonly Paradigm[] {
  if (/^[a-z]+$/.test(word)) return paradigms().latin;
  return paradigms().byScript.find(({ pattern }) => pattern.test(word))?.paradigms ?? [];
}
