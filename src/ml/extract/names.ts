const HELLO =
  "(?:[Hh]i|[Hh]ey|[Hh]ello|[Dd]ear|[Hh]allo|[Ll]iebe[rs]?|[Bb]onjour|[Ss]alut|[Cc]her|[Cc]hère|[Hh]ola|[Qq]uerid[oa]|[Oo]lá|[Oo]i|[Cc]ar[oa]|[Cc]iao|[Bb]este|[Hh]oi|[Gg]ood (?:morning|afternoon)|[Gg]uten (?:Morgen|Tag)|[Bb]om dia|[Bb]oa tarde|[Bb]uongiorno|[Tt]hanks|@)";
const AND = "(?:,? (?:and|und|et|y|e|en|&) |, |\\/)";
const NAME = "\\p{Lu}[\\p{L}'’-]+";
/** "Bob, could you …", "Hi Bob and Zoe,". */
const AT_START = new RegExp(`^(?:${HELLO}[ ,]*)?@?(${NAME}(?:${AND}${NAME})*)\\s*(?:[,:!–—-](?:\\s|$)|$)`, "u");

/** Returns the names at the beginning of a sentence, in lower case. */
export function spokenTo(sentence: string): string[] {
  const match = AT_START.exec(sentence);
  return match ? match[1]!.split(/[^\p{L}'’-]+/u).flatMap(nameWords) : [];
}

const MODAL =
  "(?:can|could|would|will|please|do|did|are|have|kannst|könntest|könnten|hast|bist|peux|pourrais|as|puedes|podrías|podes|pode|consegues|puoi|potresti|kun|heb)";
const BY_NAME = new RegExp(
  `(?:^|[\\s(])@(${NAME})|^(${NAME}) ${MODAL}(?!\\p{L})|(?:^|[,;:.] |\\b(?:and|but|so|und|aber) )(?:[Cc]an|[Cc]ould|[Ww]ould|[Ww]ill|[Kk]ann|[Kk]önnte|[Pp]eut|[Pp]ourrait|[Pp]uede|[Pp]uò|[Kk]an) (${NAME})(?!\\p{L}|'s)|, (${NAME})\\s*[?!.…]*\\s*$`,
  "gu",
);

/**
 * Returns the names that a sentence asks in other places, in lower case: "@bob", "Bob can you …", "could Bob …",
 * "what do you think, Bob?".
 */
export function askedByName(sentence: string): string[] {
  return [...sentence.matchAll(BY_NAME)].flatMap(([, at, first, modal, last]) =>
    nameWords(at ?? first ?? modal ?? last ?? ""),
  );
}

/** Returns the words of a name, a text or of the local part of an address, in lower case. */
export function nameWords(name: string): string[] {
  const bare = /^\S+@\S+$/.test(name) ? name.slice(0, name.indexOf("@")) : name;
  return bare
    .toLowerCase()
    .split(/[^\p{L}'’-]+/u)
    .filter((word) => word.length > 1);
}
