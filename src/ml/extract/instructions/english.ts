import { type Act, asked, bare, type Grammar, oneOf, pattern, type Reader, table } from "./act.ts";

const OBJ = "(?:him|her|them|everyone|(?-i:\\p{Lu})[\\p{L}'-]+(?: (?:and )?(?!I\\b)(?-i:\\p{Lu})[\\p{L}'-]+)?)";
const P = "^(?:(?:please|also|then|just|finally|and) )*";
const WH = "(?:when|what|where|who|whom|whose|how|which|why)";
const act = (source: string) => new RegExp(P + source, "iu");
const SHORT_TAIL = "(?=\\s*$|\\s*[.,;:!–-]| because\\b| as\\b| since\\b)";
const SEND = oneOf(
  "copy copies invoice receipt list address photo photos picture pictures slide slides contract report link file files number details quote offer estimate agenda pdf draft version document documents confirmation menu recipe schedule timetable plan map certificate form forms minutes bill specs specification cv statement dates",
);

const DO_VERBS = table("sends:send is:are has:have does:do was:were goes:go wants:want comes:come");
const PAST = new RegExp(
  `^(?:${oneOf("got sent saw had went came made paid did found took knew thought bought brought left heard told wrote met kept lost gave forgot spoke chose said")}|(?!need$|feed$|speed$|proceed$|succeed$|exceed$)\\p{L}{2,}ed)$`,
  "iu",
);
const AUX =
  /^(?:are|can|could|will|would|should|may|might|must|were|aren't|can't|couldn't|won't|wouldn't|shouldn't|weren't)$/iu;
const ADVERB =
  "(?:(?:also|still|already|really|just|never|always|even|only|both|ever|then|now|soon|currently|actually) )*";
const KIN =
  /\b(?:my|our|the|a|his|her|their) (?:[a-z]+ )?(?:mother|father|mum|mom|dad|wife|husband|son|daughter|brother|sister|boss|colleague|friend|neighbou?r|partner|doctor|kid|child|boy|girl|man|woman|client|customer|manager|aunt|uncle|grandmother|grandfather|assistant|dog|cat)s?\b/iu;
const CAPITALS =
  /(?<=[a-z,'] )(?!I\b|I'|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|April|May|June|July|August|September|October|November|December|Christmas|Easter)\p{Lu}\p{Ll}+/gu;

const FEMALE_KIN = /(?:mother|mum|mom|wife|daughter|sister|girl|woman|aunt|grandmother)s?$/iu;
const MALE_KIN = /(?:father|dad|husband|son|brother|boy|man|uncle|grandfather)s?$/iu;

/** Whether a text speaks of another person before a position, so that a pronoun may refer to that person. */
function speaksOfOthers(text: string, reader: Reader, male: boolean | null): boolean {
  const kin = KIN.exec(text)?.[0];
  if (kin && (male === null || !(male ? FEMALE_KIN : MALE_KIN).test(kin))) return true;
  const names = [...text.matchAll(CAPITALS)].filter(({ index, 0: name }) => {
    const before = text.slice(0, index);
    return (
      !reader.names.includes(name.toLowerCase()) &&
      !/\b(?:in|at|to|from|near|the|for|on|of|via|by|with) $/iu.test(before)
    );
  });
  return names.length > 0 || /^(?!I\b)\p{Lu}\p{Ll}+ (?:is|was|has|will|can|can't|and)\b/u.test(text);
}

const baseOf = (verb: string): string => {
  const known = DO_VERBS.get(verb.toLowerCase());
  if (known) return known;
  if (/n't$/.test(verb))
    return verb
      .replace(/^doesn't$/i, "don't")
      .replace(/^isn't$/i, "aren't")
      .replace(/^hasn't$/i, "haven't")
      .replace(/^wasn't$/i, "weren't");
  if (/[^aeiou]ies$/i.test(verb)) return verb.replace(/ies$/i, "y");
  if (/(?:ss|x|ch|sh|z)es$/i.test(verb)) return verb.slice(0, -2);
  return /[^s]s$/i.test(verb) ? verb.slice(0, -1) : verb;
};

/** Returns text about the reader as text addressed to the reader. */
function toReader(text: string, reader: Reader): string {
  const { sex } = reader;
  let used = text;
  for (const name of reader.names) {
    if (name.length > 2) used = used.replace(new RegExp(`\\b${name}['’]s\\b`, "giu"), "your");
  }
  const others = (at: number, male: boolean) => speaksOfOthers(used.slice(0, at), reader, male);
  const plural = (at: number) =>
    sex !== "p" && /\b(?!is|was|this|us|his|has|yes|as|always|its|thanks|does)\p{L}{3,}s\b/iu.test(used.slice(0, at));
  const mine = (word: string, at: number): boolean => {
    const one = word.toLowerCase();
    if (/^th/.test(one)) return sex === "p" || (one !== "them" && one !== "themselves" && !plural(at));
    const male = /^h[ei]/.test(one) && one !== "her" && one !== "hers" && one !== "herself";
    if (sex !== null && sex !== "p" && (sex === "m") !== male) return false;
    return !others(at, male);
  };
  used = used.replace(
    /\b(is|was|has|does|do|are|were|have|can|will|could|would) (he|she|they)\b/giu,
    (whole, verb, who, at) => (mine(who, at) ? `${baseOf(verb)} you` : whole),
  );
  used = used.replace(
    new RegExp(`\\b(he|she|they)(?:(['’](?:s|re|ll|d|ve))| (${ADVERB})([\\p{L}'’]+))`, "giu"),
    (whole, who, short, adverb, verb, at) => {
      if (!mine(who, at)) return whole;
      if (short) return `you${/s$/.test(short) ? "'re" : short}`;
      return `you ${adverb}${who.toLowerCase() === "they" ? verb : baseOf(verb)}`;
    },
  );
  used = used.replace(
    /(\byou [\p{L}' ]{2,40} (?:and|or|but) )(wants|needs|has|is|likes|comes|knows|thinks|brings|prefers|agrees)\b/giu,
    (_, a, verb) => a + baseOf(verb),
  );
  used = used.replace(
    /\b(?:him|his|her|hers|their|theirs|them|himself|herself|themselves)\b/giu,
    (word, at: number) => {
      if (!mine(word, at)) return word;
      const one = word.toLowerCase();
      if (/sel(?:f|ves)$/.test(one)) return "yourself";
      if (one === "hers" || one === "theirs") return "yours";
      if (one === "his" || one === "their") return "your";
      if (one !== "her") return "you";
      const next = used.slice(at + 3);
      return /^\s*(?:$|[.,;:!?]|(?:a|an|the|my|our|this|that|these|to|at|on|in|for|by|from|with|about|and|or|if|when|before|after|again|back|know|tomorrow|today|tonight|soon|later|as|up|out|so|very|some|any|next|how|what|where)\b|\d)/iu.test(
        next,
      )
        ? "you"
        : "your";
    },
  );
  return used;
}

const TIME =
  /\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|august|september|october|november|december|tomorrow|today|tonight|next (?:week|month)|morning|afternoon|evening|noon|week|weekend|o'clock|\d{1,2}(?::\d\d)?\s?(?:am|pm)|\d{1,2}:\d\d)\b/iu;

const VERB =
  /\b(?:is|are|am|was|were|be|has|have|had|do|does|did|can|can't|cannot|could|will|won't|would|should|may|might|must|shall|works?|comes?|goes|go|went|need|needs|want|wants|like|likes|love|loves|think|thinks|hope|hopes|agree|agrees|know|knows|costs?|takes?|starts?|ends?|arrives?|leaves?|lands?|stays?|meet|meets|ship|ships|sign|signs|send|sends|call|calls|pay|pays|prefer|prefers|suits?|looks?|sounds?|seems?|thank|thanks|look|fits?|bring|brings|see|opens?|closes?|depends?|expect|understand|regret|appreciate|miss|feel|feels|believe|guess|enjoy|enjoyed|received|got|sent|paid|found|moved|forgot|left|took|made|changed|decided|lost|broke|saw|read|bought|let's|let|weigh|weighs|accept|accepts|cover|covers|include|includes|arrived|fits|fit)\b|\b(?:the|my|our) \p{L}+ (?:\p{L}+ )?\p{L}{3,}ed\b|['’](?:m|re|s|ll|ve|d)\b|\bI \p{L}+|\bwe \p{L}+|n['’]t\b|\byou \p{L}+|\bplease \p{L}+/iu;

function plain(text: string, reader: Reader): string | null {
  let said = bare(text);
  // An instruction that no pattern reads is not for the recipient's eyes.
  if (/^(?:tell|ask|say|remind|reject|request|explain|inform|complain|describe|mention|thank) /iu.test(said))
    return null;
  const short = /^(?:yes|no|ok(?:ay)?|sure|fine|perfect|great)\b/iu.exec(said)?.[0];
  if (short && said.length === short.length)
    return `${/^(?:no)/i.test(short) ? "Unfortunately not" : "Yes, that works for me"}.`;
  const rest = short ? bare(said.slice(short.length)) : said;
  if (short && !VERB.test(rest)) {
    if (/^no$/i.test(short)) return /^(?:thanks|thank you)$/iu.test(rest) ? "No, thank you." : null;
    return /^(?:please|thanks|thank you)$/iu.test(rest)
      ? `${said}.`
      : TIME.test(rest)
        ? `Yes, ${rest} works for me.`
        : null;
  }
  if (
    /^(?:can|can't|cannot|could|couldn't|will|won't|would|should|shouldn't|have|haven't|had|am|was|did|didn't|don't|must)\b/iu.test(
      said,
    ) &&
    !/\?\s*$/.test(text)
  ) {
    if (/^(?:can|could|would|will|have|did|am|was|should)\s+(?:you|i|we|he|she|they|the|it)\b/iu.test(said))
      return asked(toReader(said, reader));
    if (/^don't\b/iu.test(said)) return null;
    said = `I ${said.charAt(0).toLowerCase()}${said.slice(1)}`;
  } else if (
    /^(?:running|busy|away|ill|sick|late|happy|sorry|glad|not|still|on (?:holiday|vacation|leave|my way)|in a meeting)\b/iu.test(
      said,
    ) &&
    !/\b(?:I|we)\b/u.test(said.slice(0, 30))
  ) {
    said = `I am ${said.charAt(0).toLowerCase()}${said.slice(1)}`;
  } else if (!VERB.test(said)) return null;
  return `${toReader(said, reader)}${/\?\s*$/.test(text) ? "?" : "."}`;
}

/** Verbs that are no statement of the user's own plans at the start of an instruction. */
const NOT_MINE = oneOf(
  "describe discuss talk speak comment respond reply answer write draft compose explain mention say tell ask",
);
const MY_VERBS = oneOf(
  "send sign meet call pay bring come join visit check review finish deliver order book reserve prepare buy return look fix update forward pick wait cancel move let give share do try stay take make help transfer add get arrange attend support talk post print upload contact ring",
);

function render({ kind, text }: Act, reader: Reader): string | null {
  const said = bare(text);
  const you = toReader(said, reader);
  const sorry = "Unfortunately";
  switch (kind) {
    case "that":
    case "tell":
      return /^(?:yes|no|ok)\b/iu.test(said)
        ? plain(said, reader)
        : plain(said.replace(/^that /iu, "").replace(/,? and that /giu, " and "), reader);
    case "complain":
      return /^about\b/iu.test(you)
        ? `I am sorry to say that I am not happy ${you.replace(/^about/iu, "with")}.`
        : `Unfortunately, ${you.replace(/^that\s+/iu, "")}.`;
    case "glad":
      return `I would be happy to ${you}.`;
    case "may":
      return asked(`Could I please ${you}`);
    case "whether":
      return whether(you, reader);
    case "which":
      return reader.formal ||
        new RegExp(`\\b(?:and|or) ${WH}\\b`, "iu").test(you) ||
        !/^(?:how|what|when|where|who) (?:is|are|was|were|do|does|did|can|will|would|should)\b/iu.test(you)
        ? asked(`Could you tell me ${you}`)
        : asked(you.charAt(0).toUpperCase() + you.slice(1));
    case "do":
      return asked(
        `Could you please ${you
          .replace(/\b(?:and|or) (?:to )/giu, (m) => m.replace(/to $/i, ""))
          .replace(/^(not|never) /iu, "$1 ")
          .replace(/^not (?=\p{L})/iu, "not ")}`,
      );
    case "have":
      if (/^(?:help|advice|support|feedback)\b/iu.test(you)) return asked(`Could you give me some ${you}`);
      if (/\b(?:call|meeting|appointment|chat|talk|demo|visit|viewing)\b/iu.test(you))
        return asked(`Could we arrange ${you}`);
      return asked(SENDS.test(you) ? `Could you please send me ${you}` : `Could I please have ${you}`);
    case "about":
      return asked(`Could you tell me more about ${you}`);
    case "thank":
      if (said === "") return "Thank you very much.";
      return `Thank you ${/^(?:for|so|very)\b/iu.test(you) ? you : `for ${you}`}.`;
    case "accept":
      return accepting(you);
    case "decline":
      return declining(you, sorry);
    case "confirm":
      if (said === "") return "Yes, I can confirm that.";
      if (/^that\b/iu.test(you)) return `I confirm ${you}.`;
      if (TIME.test(you) && !/^(?:the|a|an|our|your|my)\b/iu.test(you))
        return /\b(?:is|works|suits|are)\b/iu.test(you) ? `I confirm that ${you}.` : `I confirm ${you}.`;
      return VERB.test(you) && !/^(?:the|our|your|my|a|an)\b[^,]*$/iu.test(you)
        ? `I confirm that ${you}.`
        : `I confirm ${you}.`;
    case "propose":
      if (said === "") return null;
      if (/^(?:that|we|to)\b/iu.test(you))
        return asked(
          you
            .replace(/^(?:that )?we /iu, "Shall we ")
            .replace(/^to /iu, "Would you like to ")
            .replace(/^that /iu, "I suggest that "),
        ).replace(/^(I suggest.*)\?$/, "$1.");
      return asked(`How about ${you}`);
    case "sorry":
      return said === ""
        ? "I am very sorry."
        : `I am sorry ${/^(?:for|about|that|if)\b/iu.test(you) ? you : `about ${you}`}.`;
    case "sorryThat":
      return `I am sorry that ${you}.`;
    case "congratulate":
      return said === ""
        ? "Congratulations!"
        : `Congratulations ${/^(?:on|for)\b/iu.test(you) ? you.replace(/^for/i, "on") : `on ${you}`}!`;
    case "wish":
      if (/\bbirthday\b/iu.test(you)) return "Happy birthday!";
      if (/^(?:all the )?(?:luck|success|good luck|the best|best of luck)/iu.test(you)) return `I wish you ${you}.`;
      return `I wish you ${you}.`;
    case "invite":
      return `I would like to invite you ${/^(?:to|for|over|on|along)\b/iu.test(you) ? you : `to ${you}`}.`;
    case "will":
      return `I will ${you}.`;
    case "manner":
      return "";
    case "vague":
      return null;
  }
}

const SENDS = new RegExp(
  `^(?:(?:a|an|the|some|your|our|my|another|all|two|three|new|updated|latest|final|signed|detailed|full|more) )*(?:[\\p{L}-]+ )?${SEND}\\b`,
  "iu",
);

function whether(you: string, reader: Reader): string {
  const match = new RegExp(`^you (${ADVERB})(\\p{L}+(?:['’]t)?)(.*)$`, "isu").exec(you);
  if (match && !reader.formal) {
    const [, adverb, verb, rest] = match;
    if (AUX.test(verb!)) return asked(`${verb!.charAt(0).toUpperCase()}${verb!.slice(1)} you ${adverb}${rest!.trim()}`);
    if (
      /^have$/iu.test(verb!) &&
      /^ (?:already |ever |\p{L}+ed\b|been|got|seen|had|found|sent|received|made)/iu.test(rest!)
    )
      return asked(`Have you ${adverb}${rest!.trim()}`);
    if (!PAST.test(verb!) && !/(?:n't|['’])/.test(verb!)) return asked(`Do you ${adverb}${verb}${rest}`);
  }
  return asked(`Could you tell me whether ${you}`);
}

function accepting(you: string): string | null {
  if (you === "") return "Yes, that works for me.";
  const what = you.replace(/^(?:to|for|with) /iu, "");
  if (/\binvit(?:ation|e)\b/iu.test(what))
    return `Thank you for ${what.replace(/^your\b|^the\b/iu, "the")}. I would be happy to come.`;
  if (/^(?:because|as|since)\b/iu.test(what)) return `Yes, I am happy to accept ${what}.`;
  if (
    /^(?:the |your |his |her |their )?(?:\p{L}+ )?(?:offer|quote|price|proposal|terms|estimate|job|role|position|apology|changes?|conditions?)\b/iu.test(
      what,
    )
  )
    return `I am happy to accept ${what}.`;
  if (/^(?:come|join|help|meet|give|speak|do|take|send|be|write|attend|present|host|review|sign)\b/iu.test(what))
    return `Yes, I would be happy to ${what}.`;
  return TIME.test(what)
    ? `${what.replace(/^(?:it|this|that)\b/iu, "That").replace(/^\p{Ll}/u, (a) => a.toUpperCase())} works for me.`
    : `I am happy to accept ${what}.`;
}

function declining(you: string, sorry: string): string {
  const what = you.replace(/^(?:to|for|with) /iu, "").replace(/^politely,?\s*/iu, "");
  if (what === "") return "Unfortunately I have to decline this time.";
  if (/^(?:because|as|since|for)\b/iu.test(what)) return `${sorry} I have to decline ${what}.`;
  if (/\binvit(?:ation|e)\b/iu.test(what))
    return `Thank you for ${what.replace(/ because .*/isu, "").replace(/^your\b/iu, "the")}. ${sorry} I cannot come${/ because .*/isu.exec(what)?.[0] ?? ""}.`;
  if (/\boffer|quote|proposal\b/iu.test(what))
    return `Thank you for ${what.replace(/ because .*/isu, "")}. ${sorry} I have to decline${/ because .*/isu.exec(what)?.[0] ?? ""}.`;
  if (TIME.test(what.replace(/ because .*/isu, "")) && !/^the\b/iu.test(what))
    return `${sorry} ${what.replace(/ because /iu, " doesn't work for me because ")}${/ because /iu.test(what) ? "" : " doesn't work for me"}.`;
  return `${sorry} I have to decline ${what}.`;
}

const ACT_START = `(?:please |also |then |politely )*(?!\\p{L}+ you\\b)(?:ask(?:ing)?|tell(?:ing)?|say(?:ing)?|thank(?:ing)?|decline|accept|confirm|apologi[sz]e|propos(?:e|ing)|suggest(?:ing)?|request|reject|turn down|point out|pass on|check that|mention|remind|explain|inform|congratulate|wish ${OBJ}|invite|offer|complain|volunteer|insist|stress|repeat|warn|let ${OBJ} know|find out|refuse|agree|express|promise|add that|check (?:if|whether|when|with)|(?:${MY_VERBS}) (?:${OBJ}|a|an|the|my|our)\\b(?! (?:is|are|was|works)))`;

/** English instructions and sentences. */
export const english: Grammar = {
  words:
    "the and of to is that you for it with are this have be not was your from will can they would there has we tell ask say thank her him his them if whether when because please accept decline suggest propose i'm i",
  again: pattern(`,? (?:and|or) (?<whether>if|whether) `),
  reader:
    /\b(?:tell|ask|thank|remind|let|inform|invite|give|send|wish|congratulate|answer|with|to|call|offer|promise|assure) (?:(?<m>him)|(?<f>her)|(?<p>them))\b/iu,
  split: new RegExp(
    `(?:\\s*[,;]\\s*(?:and |then |but |also )*|\\s+(?:and|then|but)(?: then| also)?\\s+)(?=${ACT_START})`,
    "iu",
  ),
  statement:
    /(?:\s*[,;:–—]\s*|\s-\s)(?:but |and )?(?=(?:I|we|it|he|she|they|you|there|that|my|our|his|her|their)(?:['’ ]))/iu,
  acts: [
    [
      act(
        `(?:keep it|make it|be|write it|stay|in a|use a|sound) (?:(?:very|a bit|rather|more) )?(?:short|brief|friendly|polite|formal|informal|casual|warm|nice|kind|firm|professional|concise)\\b.*$`,
      ),
      "manner",
    ],
    [act(`(?:write |reply |answer )?in (?:english|german|french|spanish|italian|portuguese|dutch)\\s*$`), "manner"],
    [
      act(
        `(?:politely )?(?:say no to|decline|refuse|reject|turn down|cancel on ${OBJ}|say no)(?: (?:politely|kindly|nicely))?(?= |$|[.,;:!–-])`,
      ),
      "decline",
    ],
    [act(`(?:politely )?turn (?:it |them |him |her |this )down\\b`), "decline"],
    [act(`(?:gladly |happily )?(?:accept|say yes to|agree to|agree with|approve)(?= |$|[.,;:!–-])`), "accept"],
    [act(`(?:say|tell ${OBJ}|answer|reply) (?:no|that (?:I|we) (?:decline|refuse))${SHORT_TAIL}`), "decline"],
    [act(`(?:say (?:yes|ok(?:ay)?)|tell ${OBJ} (?:yes|ok(?:ay)?)|agree|answer yes|reply yes)${SHORT_TAIL}`), "accept"],
    [
      act(`(?:say|tell ${OBJ}) (?:I'?m |I am |we are |we're )?sorry(?: to ${OBJ})?(?= for| about| that| if|$|[.,;!])`),
      "sorry",
    ],
    [act(`say (?:thanks|thank you)(?: to ${OBJ})?(?= |$|[.,;!])`), "thank"],
    [act(`(?:say|send ${OBJ}|give ${OBJ}) (?:congratulations|my congratulations)(?: to ${OBJ})?`), "congratulate"],
    [act(`(?:tell|remind) ${OBJ} to (?!(?:a|an|the|my|our)\\b)(?=\\p{L})`), "do"],
    [
      act(
        `(?:explain|describe|tell ${OBJ}|write|talk|mention|inform ${OBJ}|let ${OBJ} know|answer|respond|reply|say something|comment)(?: to ${OBJ})? (?:(?:(?:about|on|to|why|how) (?:(?!\\b(?:that)\\b).)*)|something|(?:the|my|our) (?:(?!\\b(?:is|are|was|were|has|have|will|can|cannot|can't|starts?|ends?|costs?|includes?|works?|takes?|does|doesn't|isn't|arrives?|needs?|comes?|fits?|fit|went|came|\\p{L}{3,}ed|looks?|sent|found|had|could|won't|got|broke|left|moved|stays?|changed|contains?)\\b).)*)$`,
      ),
      "vague",
    ],
    [
      act(
        `(?:explain|mention|add|write|reply|answer|respond|promise|point out|stress|clarify|note|announce|state)(?: to)?(?: ${OBJ})?(?: back)?(?:,)? that (?=\\S)`,
      ),
      "tell",
    ],
    [
      act(
        `(?:say|tell ${OBJ}|let ${OBJ} know|inform ${OBJ}|assure ${OBJ}|reassure ${OBJ}|promise ${OBJ}|answer ${OBJ}|warn ${OBJ}|write to ${OBJ}|write ${OBJ})(?: that|:|,)? (?!to\\b)(?=\\S)`,
      ),
      "tell",
    ],
    [act(`(?:say|mention|explain|answer|reply|respond|write|express)(?: that|:|,)? (?=\\S)`), "tell"],
    [act(`remind ${OBJ} (?=that\\b)`), "tell"],
    [act(`(?:ask|find out|check|inquire|enquire)(?: from)?(?: with)?(?: ${OBJ})? (?:if|whether) (?=\\S)`), "whether"],
    [act(`(?:ask|find out|check|inquire|enquire)(?: with)?(?: ${OBJ})? (?=${WH}\\b)`), "which"],
    [act(`(?:ask|inquire|enquire)(?: ${OBJ})? about (?=\\S)`), "about"],
    [
      act(`(?:ask|request|remind|tell|beg|invite|urge)(?: ${OBJ}) to (?!(?:dinner|lunch|a|an|the|my|our)\\b)(?=\\S)`),
      "do",
    ],
    [act(`(?:ask|request|beg)(?: ${OBJ})?(?: for)? (?=\\S)`), "have"],
    [act(`(?:thank)(?: ${OBJ})?(?: very much| a lot| warmly)?(?= for\\b|\\s*$|[.,;!])`), "thank"],
    [act(`(?:express|send) (?:my |our )?(?:thanks|gratitude)`), "thank"],
    [act(`confirm(?= |$|[.,;!])(?: to ${OBJ})?`), "confirm"],
    [act(`(?:apologi[sz]e|say sorry)(?: to ${OBJ})?(?: sincerely)?(?= for| that| about|\\s*$|[.,;!])`), "sorry"],
    [act(`(?:offer|volunteer|be happy|be glad|agree)(?: ${OBJ})? to (?=(?-i:\\p{Ll}))`), "glad"],
    [act(`complain(?: to ${OBJ})?(?= that\\b| about\\b)`), "complain"],
    [
      act(
        `(?:point out|pass on|insist|stress|emphasi[sz]e|repeat|admit|warn(?: ${OBJ})?|argue|confess|remark|declare|underline|highlight|make (?:it )?clear|reiterate)(?: to ${OBJ})? that (?=\\S)`,
      ),
      "tell",
    ],
    [act(`ask to (?!(?:dinner|lunch|a|an|the|my|our)\\b)(?=\\S)`), "may"],
    [
      act(
        `(?:propose|suggest|offer)(?: to)? (?:(?:him|her|them) )?(?=(?:(?!to help|to send|to pay|to come|to do|help)\\S))`,
      ),
      "propose",
    ],
    [act(`congratulate(?: ${OBJ})?(?= |$|[.,!])`), "congratulate"],
    [act(`wish(?: ${OBJ}) (?=\\S)`), "wish"],
    [act(`invite(?: ${OBJ}) (?=\\S)`), "invite"],
    [act(`(?:promise) to (?=\\S)`), "will"],
    [act(`(?=${MY_VERBS} (?!is\\b|works\\b|was\\b|are\\b)\\S)(?!${NOT_MINE}\\b)`), "will"],
  ],
  render,
  plain,
  address: (text, reader) => toReader(text, reader),
};
