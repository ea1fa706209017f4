/**
 * The words for days in English, German, French, Spanish, Italian, Portuguese, Dutch and Japanese. Text is compared in
 * the form of `comparable` (days.ts): lower case, straight apostrophes, ASCII digits.
 */

/** Matches neither inside a word nor inside a number. */
const alone = (words: string): string => `(?<![\\p{L}\\p{N}])(?:${words})(?![\\p{L}\\p{N}])`;

const table = (lines: string): Map<string, number> =>
  new Map(
    lines
      .trim()
      .split("\n")
      .flatMap((line, i) =>
        line
          .trim()
          .split(/\s+/)
          .map((word): [string, number] => [word, i]),
      ),
  );

/** Sunday first. */
export const WEEKDAYS = table(`
  sunday sonntag dimanche domingo domenica zondag 日曜日 日曜
  monday montag lundi lunes lunedì lunedi segunda-feira maandag 月曜日 月曜
  tuesday dienstag mardi martes martedì martedi terça-feira dinsdag 火曜日 火曜
  wednesday mittwoch mercredi miércoles miercoles mercoledì mercoledi quarta-feira woensdag 水曜日 水曜
  thursday donnerstag jeudi jueves giovedì giovedi quinta-feira donderdag 木曜日 木曜
  friday freitag vendredi viernes venerdì venerdi sexta-feira vrijdag 金曜日 金曜
  saturday samstag sonnabend samedi sábado sabado sabato zaterdag 土曜日 土曜
`);

/** Forms that are other words as well, so they need a preposition or a number beside them. Sunday first. */
export const SHORT_WEEKDAYS = table(`
  sun so dim dom zo
  mon mo lun ma segunda seg
  tue tues di mar di terça ter
  wed mi mer mié mie quarta qua wo
  thu thur thurs do jeu jue gio quinta qui
  fri fr ven vie sexta sex vr
  sat sa sam sáb sab za
`);

export const MONTHS = table(`
  january januar jänner janvier enero gennaio janeiro januari
  february februar février fevrier febrero febbraio fevereiro februari
  march märz maerz mars marzo março marco maart
  april avril abril aprile
  may mai mayo maggio maio mei
  june juni juin junio giugno junho
  july juli juillet julio luglio julho
  august août aout agosto augustus
  september septembre septiembre settembre setembro
  october oktober octobre octubre ottobre outubro
  november novembre noviembre novembro
  december dezember décembre decembre diciembre dicembre dezembro
`);

/** Used only beside the number of a day. */
export const SHORT_MONTHS = table(`
  jan janv ene gen
  feb febr févr fév fev
  mar mrz mär mrt
  apr avr abr
  may mai mag
  jun giu
  jul juil lug
  aug ago
  sep sept set
  oct okt ott out
  nov
  dec dez déc dic
`);

/** Numbers in words, as far as people write them before days and weeks. */
export const NUMBERS = new Map(
  `a=1 an=1 one=1 two=2 three=3 four=4 five=5 six=6 seven=7 eight=8 nine=9 ten=10 twelve=12 fourteen=14
  ein=1 eine=1 einem=1 einer=1 zwei=2 drei=3 vier=4 fünf=5 sechs=6 sieben=7 acht=8 neun=9 zehn=10 vierzehn=14
  un=1 une=1 deux=2 trois=3 quatre=4 cinq=5 six=6 sept=7 huit=8 neuf=9 dix=10 quinze=15
  una=1 uno=1 dos=2 tres=3 cuatro=4 cinco=5 seis=6 siete=7 ocho=8 nueve=9 diez=10 quince=15
  due=2 tre=3 quattro=4 cinque=5 sei=6 sette=7 otto=8 nove=9 dieci=10 quindici=15
  um=1 uma=1 dois=2 duas=2 três=3 quatro=4 sete=7 oito=8 dez=10
  een=1 één=1 twee=2 drie=3 vijf=5 zes=6 zeven=7 negen=9 tien=10 veertien=14
  一=1 二=2 三=3 四=4 五=5 六=6 七=7 八=8 九=9 十=10 十四=14`
    .split(/\s+/)
    .map((pair): [string, number] => [pair.split("=")[0]!, Number(pair.split("=")[1])]),
);

/** Days of the month in words. */
export const ORDINALS = new Map(
  `first=1 second=2 third=3 fourth=4 fifth=5 sixth=6 seventh=7 eighth=8 ninth=9 tenth=10 eleventh=11 twelfth=12
  thirteenth=13 fourteenth=14 fifteenth=15 sixteenth=16 seventeenth=17 eighteenth=18 nineteenth=19 twentieth=20
  twenty-first=21 twenty-second=22 twenty-third=23 twenty-fourth=24 twenty-fifth=25 twenty-sixth=26 twenty-seventh=27
  twenty-eighth=28 twenty-ninth=29 thirtieth=30 thirty-first=31
  ersten=1 zweiten=2 dritten=3 premier=1 primero=1 primeiro=1 primo=1 eerste=1`
    .split(/\s+/)
    .map((pair): [string, number] => [pair.split("=")[0]!, Number(pair.split("=")[1])]),
);

/** Words for days near the day of writing, and their distance from it. Longer forms come first. */
export const NEAR: readonly [RegExp, number][] = (
  [
    [
      `${alone("(?:the )?day after tomorrow|übermorgen|uebermorgen|après-demain|apres-demain|pasado mañana|depois de amanhã|dopodomani|overmorgen")}|明後日|あさって`,
      2,
    ],
    [
      `${alone("the day before yesterday|vorgestern|avant-hier|anteayer|antes de ayer|anteontem|l'altro ieri|eergisteren")}|一昨日|おととい`,
      -2,
    ],
    [
      `${alone("yesterday|gestern|hier(?= (?:soir|matin|après))|d'hier|ayer|ontem|ieri|gisteren|last night")}|昨日|昨夜`,
      -1,
    ],
    [
      `${alone("heute (?:morgen|früh|abend|nachmittag|mittag|nacht)|heute|aujourd'hui|ce (?:soir|matin|midi)|cet après-midi|hoy|esta (?:mañana|tarde|noche|noite|manhã)|hoje|oggi|stasera|stamattina|stamani|stanotte|questo pomeriggio|questa (?:sera|mattina)|vandaag|vanavond|vanmiddag|vanochtend|today|tonight|this (?:morning|afternoon|evening)")}|本日|今日|今夜|今晩|今朝|今夕`,
      0,
    ],
    [
      `${alone("tomorrow|tmrw|tomorow|demain|amanhã|domani|domattina|domenica mattina prossima|morgen(?:vroeg|ochtend|middag|avond)")}|明日|あした|明朝|明晩|翌日`,
      1,
    ],
    // "Guten Morgen" and "por la mañana" are times of day.
    [
      "(?<![\\p{L}\\p{N}]|(?:guten|schönen|heute|jeden|am|diesen|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|gestern) )morgen(?![\\p{L}\\p{N}])",
      1,
    ],
    ["(?<![\\p{L}\\p{N}]|(?:la|esta|cada|una|media|toda) )mañana(?![\\p{L}\\p{N}])", 1],
  ] as [string, number][]
).map(([source, days]) => [new RegExp(source, "gu"), days]);

const NAMED_NEXT_WEEK =
  "next week|the (?:following|coming) week|nächste[rn]? woche|naechste[rn]? woche|kommende[rn]? woche|(?:la )?semaine prochaine|(?:la )?próxima semana|(?:la )?semana que viene|(?:na |da |a )?semana que vem|(?:la )?settimana prossima|(?:la )?prossima settimana|volgende week|komende week|来週";
const WEEK_AFTER = "(?:the )?week after next|übernächste[rn]? woche|再来週";
const THIS_WEEK = "(?:of )?this week|diese[r]? woche|cette semaine|esta semana|questa settimana|deze week|今週";
/** Weeks by their distance from the week of writing. */
export const WEEKS: readonly [string, number][] = [
  [WEEK_AFTER, 2],
  [NAMED_NEXT_WEEK, 1],
  [THIS_WEEK, 0],
];

export const END_OF =
  "(?:the )?(?:very )?end (?:of )?|(?:zum |am )?ende (?:der |des |dieser |dieses )?|(?:la )?fin (?:du |de la |de l'|de |d')?|(?:a |al )?(?:final(?:es)? |fin(?:es)? )(?:de |del )(?:la |este |esta )?|(?:o |ao )?(?:fim|final) (?:do |da |de |deste |desta )|(?:la )?fine (?:del |della |di |dell')?|(?:het )?eind(?:e)? (?:van )?(?:de |het |deze )?";
export const THIS_MONTH = "(?:the |this )?month|monats?|(?:ce )?mois|mes|mês|mese|maand";
export const NEXT_MONTH =
  "next month|(?:des )?nächsten monats|(?:des )?kommenden monats|mois prochain|(?:próximo mes|mes que viene|mes próximo)|(?:próximo mês|mês que vem)|(?:prossimo mese|mese prossimo)|volgende maand";
export const THIS_YEAR = "(?:the |this )?year|jahres|(?:l'|cette )?année|año|ano|(?:l')?anno|jaar";
export const A_WEEK =
  "(?:the |this |the working )?(?:work(?:ing)? )?week|(?:arbeits)?woche|(?:la )?semaine|semana|settimana|week";
/** The end of the month and of the year in one word. */
export const MONTH_END = `${alone("month[- ]end|monatsende|monatsletzten|eom|fin de mois|fin de mes|fim do mês|fine mese|maandeinde|ultimo")}|(?<!来)(?:今)?月末`;
export const YEAR_END = `${alone("year[- ]end|year's end|jahresende|fin d'année|fin de año|fim do ano|fine anno|jaareinde|eoy")}|年末|年内`;
export const TODAYS_END = alone(
  "eod|cob|(?:the )?end of (?:the |this )?(?:business |working )?day|close of (?:business|play)|later today|feierabend|fin de journée|(?:final|fin) del día|final do dia|fim do dia|fine giornata|eind van de dag",
);
export const WEEKS_END = `${alone("eow|later this week|before the weekend|by the weekend|(?:bis zum|vor dem) wochenende|avant le week-end|antes del fin de semana|antes do fim de semana|prima del (?:fine settimana|weekend)|voor het weekend|noch diese woche")}|今週中|週内`;
export const MIDDLE_OF =
  "mid(?:dle of)?[- ]|mitte |mi-|(?:a )?mediados de |meados de |(?:a )?metà (?:di )?|half |medio ";

export const DAYS = "days?|tagen?|tage|jours?|días?|dias?|giorni|giorno|dagen|dag";
export const WEEK_UNITS = "weeks?|wochen?|semaines?|semanas?|settimane|settimana|weken";
export const HOURS = "hours?|hrs?|stunden?|heures?|horas?|ore|uur|uren|h";

/** Before a number of days: the day after that many. "In four days", unlike "four days", is a day. */
export const IN =
  "in|within(?: the next)?|inside|innerhalb von|binnen|in den nächsten|dans|d'ici|sous|dentro de|en|daqui a|dentro de|em|no prazo de|tra|fra|entro|over|de aquí a";

/** Before a day: it ends a period in which something is to be done. */
export const UNTIL =
  /(?:\b(?:by|before|until|till|'?til|no later than|not later than|due|due on|deadline|deadline is|latest|cutoff is|on or before)(?: (?:the|at the latest|end of|eod|cob|close of business|noon|lunch|midday|lunchtime)){0,2}|(?<!\p{L})(?:bis|spätestens|vor)(?: (?:spätestens|zum|am|dem|den|kommenden|nächsten|diesen)){0,2}|(?<!\p{L})(?:avant|d'ici|d'ici à|jusqu'à|jusqu'au|au plus tard|d'ici au)(?: (?:le|au|la|ce|du)){0,2}|(?<!\p{L})(?:antes|hasta|a más tardar|como (?:muy )?tarde|más tarde|no más tarde)(?: (?:de|del|el|este|día|que)){0,3}|(?<!\p{L})(?:entro|prima|fino a|al più tardi|non oltre|massimo)(?: (?:e non oltre|il|la|l'|di|del|questo|giorno|le ore \d+ di)){0,2}|(?<!\p{L})(?:até|antes|o mais tardar|mais tardar|no máximo)(?: (?:ao|à|a|o|de|do|da|dia|final|este|esta|próxima|próximo)){0,3}|(?<!\p{L})(?:uiterlijk|vóór|voor|tegen|tot|tot en met|niet later dan|ten laatste)(?: (?:op|aanstaande|komende|de|eind)){0,2})[\s,:]*(?:le |el |il |the |den |dem |de |next |this |coming )?$/u;
/** Before a day: something begins on it. */
export const FROM =
  /(?:\b(?:from|since|starting|as of|beginning|after|effective)(?: on)?|(?<!\p{L})(?:ab|seit|nach)|(?<!\p{L})(?:à partir de|à partir du|à compter du|depuis|après)|(?<!\p{L})(?:desde|a partir de|a partir del|después de|después del)|(?<!\p{L})(?:dal|a partire da|a partire dal|dopo|depois de|a partir do)|(?<!\p{L})(?:vanaf|sinds))[\s,]*(?:le |el |il |the |den |dem |de |next |kommenden )?$/u;
/** Before a day: it has passed. */
export const LAST =
  /(?:\blast|\bpast|(?<!\p{L})letzte[nrs]?|vergangene[nrs]?|vorige[nrs]?|(?<!\p{L})afgelopen|(?<!\p{L})vorige|(?<!\p{L})el pasado|(?<!\p{L})no passado|(?<!\p{L})na passada|(?<!\p{L})scorso|(?<!\p{L})lo scorso|先週の?)\s*$/u;
export const LAST_AFTER =
  /^\s*(?:dernier|dernière|passé|passée|pasado|pasada|passado|passada|scorso|scorsa|last week|letzter woche|letzte woche|vorige week)(?!\p{L})/u;
/** Before a weekday: every one. */
export const EVERY =
  /(?:\b(?:every|each|any|most)(?: (?:other|second))?|(?<!\p{L})jede[nrs]?|(?<!\p{L})chaque|(?<!\p{L})tous les|(?<!\p{L})cada|(?<!\p{L})todos los|(?<!\p{L})todos os|(?<!\p{L})todas as|(?<!\p{L})ogni|(?<!\p{L})tutti i|(?<!\p{L})tutte le|(?<!\p{L})elke|(?<!\p{L})iedere|毎週の?)\s*$/u;
/** Before a weekday: that of the next week. */
export const NEXT = /(?:\bnext|(?<!\p{L})nächste[nrs]?|(?<!\p{L})naechste[nrs]?|(?<!\p{L})volgende)\s*$/u;
export const THIS = /(?:\bthis|(?<!\p{L})diese[nrs]?|(?<!\p{L})ce|(?<!\p{L})este|(?<!\p{L})questo|(?<!\p{L})deze)\s*$/u;
/** Before a short form of a weekday or a day of the month without its month. */
export const DATED =
  /(?:(?<!\p{L})(?:ist|est|es|è|é)|\b(?:on|by|before|until|till|this|next|due|for|of|from|to)(?: the)?|(?<!\p{L})(?:am|bis|zum|bis zum|den|dem|vom|ab|ab dem|vor|spätestens|spätestens am|diesen)|(?<!\p{L})(?:le|du|au|avant le|ce|pour le|dès le)|(?<!\p{L})(?:el|del|día|dia|al|este|para el|no dia|até|até dia|na|à|antes de|esta|essa|próxima|para|de|ao dia)|(?<!\p{L})(?:il|dal|entro il|entro|giorno|op|voor|uiterlijk|vanaf|tot|de|tegen))[\s,]*$/u;
