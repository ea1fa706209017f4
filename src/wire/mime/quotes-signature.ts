/** Signatures: delimiter lines, the lines phones and mail programs add, closing formulas. */
import { beginsLike, threeLetters } from "./quotes-letters.ts";

/** "-- " of RFC 3676 §4.3, with the blank lost or the dash made typographic on the way. */
const SIGNATURE_DELIMITER = /^(?:--|—|––|―) ?$/;
const UNDERSCORES = /^_{3,}$/;
const RULE = /^(?:[-_*=~#+—–]\s?){3,}$|^--+$/;
/** What a delimiter or a rule begins with; nearly every line begins otherwise. */
const DRAWN = "-—–―_*=~#+";
const MAX_RULED_SIGNATURE_LINES = 8;
const MAX_TAG_LINE = 140;

const DEVICE =
  "(?:i ?phon|i ?pad|i ?pod|apple watch|android|galaxy|samsung|htc|nokia|lumia|blackberry|windows|huawei|xiaomi|oneplus|motorola|alcatel|pixel|xperia|mobil\\p{L}*|móvil|mobiel\\p{L}*|cell\\p{L}*|tablet\\p{L}*|smartphone|handy|phone|telefon\\p{L}*|téléphone|telefoon|telefono|device|outlook|mail\\b|yahoo|gmail|proton ?mail|mailbox|airmail|spark|k-9|gmx|web\\.de|ti-\\d+)";
const SENT =
  "(?:sent (?:from|via|with|by|on|using)|sent securely|get outlook|from my|typed on|written on|(?:von|mit|aus) (?:meinem|meiner|der|dem)|gesendet (?:von|mit|aus)|diese nachricht wurde (?:von|mit)|envoy[ée] (?:de|depuis|à partir)|t[ée]l[ée]charger? outlook|enviado (?:desde|do|de|a partir|pelo|com)|enviad[oa] (?:desde|do|de)|obtener outlook|obter o outlook|inviato d(?:a|al|allo|alla)|ottieni outlook|scarica outlook|verzonden (?:vanaf|met|via|vanuit)|verstuurd vanaf|outlook voor .* downloaden|skickat från|skickad från|sendt fra|hämta outlook|hent outlook|lähetetty|wysłane (?:z|za)|wysłano z|odesláno z|odesláno|odoslané z|отправлено (?:с|из|через)|надіслано з|відправлено з|изпратено от|iphone['’]umdan|gönderildi|trimis (?:de pe|din)|elküldve|στάλθηκε από|dikirim dari|được gửi từ|poslano (?:z|s|iz)|enviat des)";
const TAG_LINE = new RegExp(`^[\\s<([*_-]*${SENT}(?![\\p{L}]).{0,90}$`, "iu");
const HAS_DEVICE = new RegExp(DEVICE, "iu");
const DEVICE_THEN_SENT =
  /(?:iphone|ipad|android|galaxy|handy|mobil\p{L}*|telefon\p{L}*|outlook)[^\n]{0,60}(?:gesendet|gönderildi|傳送|发送|发出|送信|보냄|보냈|lähetetty|elküldve|versendet)/iu;
/** A line of ASCII that matches DEVICE_THEN_SENT has this: cheap, where that pattern is not. */
const SENT_ASCII = /sendet/i;
const ASCII = /^[\x20-\x7e]*$/;
/** The first three letters of every line of ASCII that SENT or SPECIAL_LATIN_LINES match. */
const BEGINS_TAG = threeLetters(
  "sen get fro typ wri von mit aus ges die env tel obt inv ott sca ver out hen iph tri dik pos som vir gar lib".split(
    " ",
  ),
);
/** What may stand before them. */
const TAG_MARKS = " <([*_-";
/** Patterns that need a letter outside ASCII. */
const SPECIAL_LINES = [
  /^(?:從|从|自)我的.{1,30}(?:傳送|发送|發送|寄出)$/u,
  /^(?:发自|發自|来自|來自|傳送自)我?的?.{1,30}$/u,
  /^.{0,20}(?:iPhone|iPad|Android).{0,12}(?:から送信|에서 보냄|에서 발송).{0,8}$/u,
  /^나의 .{1,30}에서 보냄$/u,
  /^(?:أُ?رسلت? من|مرسل من) .{1,40}$/u,
  /^נשלח מה.{1,40}$/u,
];
const SPECIAL_LATIN_LINES = [
  /^someone from mobile$|^<<\s*sent by .{1,30}>>$/iu,
  /^get \[?outlook for (?:ios|android).{0,90}$|^outlook (?:für|pour|para|per|voor|для) (?:ios|android).{0,90}$/iu,
  /^(?:virus-free|virenfrei|garanti sans virus|libre de virus)\.?.{0,60}(?:avast|avg|www\.).{0,60}$/iu,
];

/** True for one line that a phone or a mail program adds by itself ("Sent from my iPhone"), in many languages. */
export function isTagLine(line: string): boolean {
  if (line.length < 6 || line.length > MAX_TAG_LINE) return false;
  const ascii = ASCII.test(line);
  if (line.length <= 110 && (!ascii || SENT_ASCII.test(line)) && DEVICE_THEN_SENT.test(line)) return true;
  if (ascii && !beginsLike(line, lettersFrom(line), BEGINS_TAG)) return false;
  if (TAG_LINE.test(line) && HAS_DEVICE.test(line)) return true;
  if (SPECIAL_LATIN_LINES.some((pattern) => pattern.test(line))) return true;
  return !ascii && SPECIAL_LINES.some((pattern) => pattern.test(line));
}

function lettersFrom(line: string): number {
  let at = 0;
  while (at < line.length && TAG_MARKS.includes(line[at]!)) at += 1;
  return at;
}

/** True for a line of drawn characters. */
export const isRule = (line: string): boolean => isDrawn(line) && line.length <= 200 && RULE.test(line);

const isDrawn = (line: string): boolean => line !== "" && DRAWN.includes(line[0]!);

const CLOSING =
  /^(?:(?:(?:best|kind|warm|many|with) ?)+(?:regards|wishes|thanks)?|regards|thanks(?: again)?|thank you|thx|cheers|sincerely|yours.{0,20}|cordially|(?:mit |viele |liebe |beste |schöne |herzliche )+.{0,30}|grüße|gruß|lg|vg|mfg|danke|cordialement|bien à (?:vous|toi)|merci|salutations.{0,30}|saludos.{0,20}|un (?:saludo|abrazo)|gracias|atenciosamente|abraços?|obrigad[oa]|cordiali saluti|saluti|grazie|(?:met |vriendelijke )+groeten?|groet(?:en|jes)?|bedankt|mvh|med vänlig.{0,20}|hälsningar|tack|hilsen|med venlig.{0,20}|terveisin|pozdrawiam|s pozdravem|с уважением|спасибо|з повагою|saygılar.{0,20})[\s,.!]*$/iu;
const MAX_CLOSING_LINES = 4;

/** True where the non-blank `lines` are a closing formula and a name: no answer, though they follow a quote. */
export function isClosing(lines: string[]): boolean {
  if (lines.length === 0 || lines.length > MAX_CLOSING_LINES) return false;
  return CLOSING.test(lines[0]!) && lines.every((line) => line.length <= 80);
}

/**
 * Marks the signature lines among `lines` (trimmed, "" for blank, null for a line that is not the writer's own text):
 * delimiter to the end of the run of own lines, tag lines of phones, and rules left dangling at the end. Text inside
 * ``` fences is left alone.
 */
export function signatureLines(lines: ReadonlyArray<string | null>): boolean[] {
  const marked = new Array<boolean>(lines.length).fill(false);
  let fenced = false;
  let inSignature = false;
  const tags = lines.map((line) => line !== null && isTagLine(line));
  const left = remainingInRun(lines, tags);
  for (let i = 0; i < lines.length; i += 1) {
    const line = lines[i]!;
    if (line === null || line === undefined) {
      inSignature = false;
      continue;
    }
    if (line.startsWith("```")) fenced = !fenced;
    if (fenced) continue;
    if (!inSignature && isDrawn(line)) {
      const short = left[i]! <= MAX_RULED_SIGNATURE_LINES;
      const afterBlank = i === 0 || lines[i - 1] === "" || lines[i - 1] === null;
      inSignature =
        SIGNATURE_DELIMITER.test(line) ||
        (UNDERSCORES.test(line) && (short || afterBlank)) ||
        (isRule(line) && left[i] === 0);
    }
    marked[i] = line !== "" && (inSignature || tags[i]!);
  }
  return marked;
}

/** For each line, how many non-blank lines that are not rules or tag lines follow in the same run of own lines. */
function remainingInRun(lines: ReadonlyArray<string | null>, tags: readonly boolean[]): number[] {
  const left = new Array<number>(lines.length).fill(0);
  let n = 0;
  for (let i = lines.length - 1; i >= 0; i -= 1) {
    const line = lines[i]!;
    left[i] = line === null ? 0 : n;
    if (line === null) n = 0;
    else if (line !== "" && !tags[i] && !isRule(line)) n += 1;
  }
  return left;
}
