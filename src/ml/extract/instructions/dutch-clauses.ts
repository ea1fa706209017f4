import { asked, oneOf, pattern, type Reader, table } from "./act.ts";

const FINITE = new Set(
  oneOf(
    "ben bent is zijn was waren heb hebt heeft hebben had hadden word wordt worden werd kan kun kunt kunnen kon konden moet moeten moest wil wilt willen wilde zal zult zullen zou zouden mag mogen mocht ga gaat gaan ging kom komt komen kwam doe doet doen blijf blijft blijven laat laten weet weten vind vindt past schikt lukt klopt kost duurt begint staat ligt",
  )
    .slice(3, -1)
    .split("|"),
);
export const isFiniteVerb = (word: string | undefined): word is string =>
  word !== undefined && FINITE.has(word.toLowerCase());
const mayBeVerb = (word: string | undefined): word is string =>
  word !== undefined &&
  (isFiniteVerb(word) || /^\p{Ll}{2,}(?:t|en)$/u.test(word)) &&
  !/^(?:niet|met|het|dat|wat|tegen|tussen|binnen|buiten|samen|morgen|vragen|kosten|mensen|kinderen|foto's|eten|een|geen|best|laatst|eerst|direct|altijd|laat|goed|mijn)$/u.test(
    word,
  );
/** Forms for "je" and "u" that differ from the third person. */
const JE = table(
  "heeft:hebt is:bent kan:kunt wil:wilt zal:zult hebben:hebt zijn:bent kunnen:kunt willen:wilt zullen:zult moeten:moet gaan:gaat komen:komt was:was mogen:mag",
);
const U = table(
  "is:bent kan:kunt wil:wilt zal:zult hebben:hebt zijn:bent kunnen:kunt willen:wilt zullen:zult moeten:moet gaan:gaat komen:komt mogen:mag",
);
/** Forms before "je": "kun je", "heb je". */
const BEFORE_JE = table(
  "hebt:heb bent:ben kunt:kun wilt:wil zult:zul gaat:ga komt:kom moet:moet doet:doe ziet:zie weet:weet vindt:vind wordt:word neemt:neem brengt:breng denkt:denk hoeft:hoef belt:bel stuurt:stuur werkt:werk maakt:maak krijgt:krijg gebruikt:gebruik zoekt:zoek houdt:houd",
);
const JULLIE = table(
  "heeft:hebben is:zijn kan:kunnen wil:willen zal:zullen moet:moeten gaat:gaan komt:komen mag:mogen weet:weten",
);

const wordsOf = (text: string): string[] => text.trim().split(/\s+/).filter(Boolean);
const PREFIX =
  /^(terug|samen|mee|langs|voor|door|over|op|aan|af|uit|in|bij|na|toe|weg|binnen|klaar|vast|om|neer)(?=\p{L}{3,})/u;
const WHOLE =
  /^(?:over(?:leg|lij|wo)|voor(?:kom)|onder|om(?:helz)|aanvaard|door(?:sta)|opti|inform|bijna|afri|voldo|aanbid|ontv)/u;

/** Whether the text before a pronoun speaks of someone else whom it may mean. */
const KIN = pattern(
  "\\b(?:mijn|onze|zijn|haar|de|een) (?:\\p{Ll}+ )?(?:moeder|vader|vrouw|man|zoon|dochter|broer|zus|baas|collega|vriend|vriendin|buurman|buurvrouw|partner|dokter|arts|kind|kinderen|klant|hond|kat|oma|opa|tante|oom)s?\\b",
);

export interface You {
  subject: string;
  object: string;
  own: string;
}
export const youOf = ({ formal, several }: Reader): You =>
  formal
    ? { subject: "u", object: "u", own: "uw" }
    : several
      ? { subject: "jullie", object: "jullie", own: "jullie" }
      : { subject: "je", object: "je", own: "je" };

/** Returns text about the reader as text addressed to the reader. */
export function toReader(text: string, reader: Reader, verbAt: "last" | "next"): string {
  const you = youOf(reader);
  const { sex } = reader;
  const words = text.split(/(\s+)/u);
  const core = (i: number) => words[i]?.replace(/[,.;:!?]+$/u, "") ?? "";
  const lastOf = (from: number) => {
    let end = words.length - 1;
    for (let i = from; i < words.length; i += 2)
      if (/,$/u.test(words[i]!) || /^(?:en|of|maar)$/u.test(core(i + 2))) {
        end = i;
        break;
      }
    for (let i = from + 2; i <= end; i += 2) if (isFiniteVerb(core(i))) return i;
    return mayBeVerb(core(end)) ? end : -1;
  };
  for (let i = 0; i < words.length; i += 2) {
    const word = core(i);
    const mark = words[i]!.slice(word.length);
    const before = words.slice(0, i).join("");
    if (KIN.test(before)) continue;
    // "Hij kan hem ophalen": who does something is not who it is done to.
    if (
      word === "hem" &&
      /(?:^|, |\ben )(?:je|u|jullie) [^,]*$/u.test(before) &&
      /(?:^|, |\ben )(?:hij) [^,]*$/u.test(text.slice(0, before.length + 8))
    )
      continue;
    if (/^(?:hij|zij|ze)$/u.test(word)) {
      const male = word === "hij";
      if (sex === "p" ? male : sex !== null && (sex === "m") !== male) continue;
      const sub =
        verbAt === "last" ||
        pattern("\\b(?:of|dat|als|omdat|wanneer|waar|hoe|wat|tot|zodra|hoeveel)\\s+$").test(before);
      const at = sub ? lastOf(i) : mayBeVerb(core(i + 2)) ? i + 2 : mayBeVerb(core(i - 2)) ? i - 2 : -1;
      if (at < 0) continue;
      const verb = core(at);
      if (sex !== "p" && !reader.formal && /^(?:zijn|hebben|kunnen|willen|zullen|moeten|gaan|komen)$/u.test(verb))
        continue;
      if (/^(?:staat|ligt|hangt|kost|werkt|past|duurt|begint|zit|weegt)$/u.test(verb)) continue;
      words[i] = you.subject + mark;
      const form = (reader.formal ? U : reader.several ? JULLIE : JE).get(verb) ?? verb;
      words[at] = form + words[at]!.slice(verb.length);
      for (let j = i + 2; j < words.length; j += 2)
        if (core(j) === "zich")
          words[j] = (reader.formal ? "zich" : reader.several ? "jullie" : "je") + words[j]!.slice(4);
    } else if (word === "hem" && sex !== "f" && sex !== "p") words[i] = you.object + mark;
    else if ((word === "hun" || word === "hen") && (sex === "p" || sex === null))
      words[i] =
        (word === "hun" &&
        /^\p{Ll}{3,}/u.test(core(i + 2)) &&
        /^(?:voor|van|met|aan|op|bij|naar|om|over|in|uit|of)$/u.test(core(i - 2))
          ? you.own
          : you.object) + mark;
    else if (word === "haar" && sex !== "m" && sex !== "p") {
      const next = core(i + 2);
      const own =
        mark === "" &&
        /^\p{L}{2,}/u.test(next) &&
        !mayBeVerb(next) &&
        !/^(?:de|het|een|dat|of|om|op|in|en|ook|niet|morgen|vandaag|wat|hoe|graag|weer|nog|met|voor|naar|te)$/u.test(
          next,
        );
      words[i] = (own ? you.own : you.object) + mark;
    } else if (
      word === "zijn" &&
      sex !== "f" &&
      sex !== "p" &&
      mark === "" &&
      /^(?:voor|van|met|aan|op|bij|naar|om|over|in|uit|of)$/u.test(core(i - 2)) &&
      /^\p{L}/u.test(core(i + 2))
    )
      words[i] = you.own;
  }
  return words.join("");
}

const TAIL =
  /,?\s(?:omdat|als|zodra|want|maar|zodat|terwijl|hoewel|tenzij|totdat|nadat|voordat|aangezien|dat|die|waar)\s/u;
export const SUBJECT = /^(?:ik|wij|we|het|dat|hij|zij|ze|je|u|jullie|men|alles|niets|iemand|niemand|dit)$/u;

export function mainClause(sub: string): string | null {
  const cut = TAIL.exec(sub)?.index ?? sub.length;
  const [head, tail] = [sub.slice(0, cut), sub.slice(cut)];
  if (head.includes(",")) return null;
  const parts: string[] = [];
  for (const part of head.split(/\s+en\s+/u)) {
    const before = parts.at(-1);
    if (
      before !== undefined &&
      !wordsOf(before)
        .slice(1)
        .some((word) => isFiniteVerb(word)) &&
      !mayBeVerb(wordsOf(before).at(-1))
    )
      parts[parts.length - 1] = `${before} en ${part}`;
    else parts.push(part.replace(/^dat\s+/u, ""));
  }
  const mains = parts.map((part, i) => oneMain(part, i > 0));
  return mains.includes(null) ? null : `${mains.join(" en ")}${tail}`;
}

const PREPOSITION = /^(?:naar|op|in|voor|met|bij|aan|tot|van|over|om|tijdens|na|vanaf|rond|binnen|tegen)$/u;

/** Where the finite verb of a subordinate clause is; it is the first or the last of the verbs at its end. */
function verbIn(words: readonly string[], from: number): number {
  // "… kunt verzetten naar volgende week": a phrase can follow the verbs.
  for (let i = from; i < words.length - 2; i++)
    if (
      isFiniteVerb(words[i]) &&
      /(?:en|gaan|staan|zien|doen)$|^ge/u.test(words[i + 1]!) &&
      PREPOSITION.test(words[i + 2]!)
    )
      return i;
  // "hoeft te maken": the verb before an infinitive with "te".
  const te = words.lastIndexOf("te");
  if (te > from && te === words.length - 2 && mayBeVerb(words[te - 1])) return te - 1;
  for (let i = Math.max(from, words.length - 4); i < words.length; i++)
    if (isFiniteVerb(words[i]) && !(words[i] === "zijn" && i < words.length - 2)) return i;
  return mayBeVerb(words.at(-1)) || (/^\p{Ll}{3,}$/u.test(words.at(-1) ?? "") && words[0] === "ik")
    ? words.length - 1
    : -1;
}

function oneMain(part: string, follows: boolean): string | null {
  const words = wordsOf(part);
  let length = 0;
  if (SUBJECT.test(words[0] ?? "")) length = 1;
  else if (/^(?:de|het|een|mijn|onze|ons|uw|je|jouw|jullie|dit|deze|die|alle|geen)$/u.test(words[0] ?? ""))
    length = /^\p{Ll}+e$/u.test(words[1] ?? "") && words.length > 3 ? 3 : 2;
  else if (/^\p{Lu}\p{L}+$/u.test(words[0] ?? "") && words[1] !== "en") length = 1;
  if (length === 0 && !follows) return null;
  const at = verbIn(words, length);
  if (at < length) return null;
  const verb = words[at]!;
  const prefix = isFiniteVerb(verb) || WHOLE.test(verb) ? "" : (PREFIX.exec(verb)?.[1] ?? "");
  const rest = [...words.slice(length, at), ...words.slice(at + 1)];
  return [...words.slice(0, length), verb.slice(prefix.length), ...rest, prefix].filter(Boolean).join(" ");
}

export function question(sub: string, word: string, reader: Reader): string {
  const cut = TAIL.exec(sub)?.index ?? sub.length;
  const [head, tail] = [sub.slice(0, cut), sub.slice(cut)];
  const words = wordsOf(head);
  const at = verbIn(words, 1);
  if (at > 0 && !head.includes(",") && !/\sen\s/u.test(head)) {
    let verb = words[at]!;
    const prefix = isFiniteVerb(verb) || WHOLE.test(verb) ? "" : (PREFIX.exec(verb)?.[1] ?? "");
    verb = verb.slice(prefix.length);
    if (words[0] === "je") {
      const form =
        BEFORE_JE.get(verb) ?? (/^(?:kan|wil|zal|mag|was|had|zou|kon|moest|wilde)$/u.test(verb) ? verb : null);
      if (form === null) return asked(`kun je me laten weten ${word || "of"} ${sub}`);
      verb = form;
    }
    return asked([word, verb, ...words.slice(0, at), ...words.slice(at + 1), prefix].filter(Boolean).join(" ") + tail);
  }
  return asked(
    `${reader.formal ? "kunt u" : reader.several ? "kunnen jullie" : "kun je"} me laten weten ${word || "of"} ${sub}`,
  );
}
