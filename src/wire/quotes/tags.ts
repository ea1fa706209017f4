/** Recognizes the lines that phones and mail programs add automatically: "Sent from my iPhone", in many languages. */
import { beginsLike, threeLetters } from "./three-letters.ts";

const MAX_TAG_LINE = 140;

const DEVICE =
  "(?:i ?phon|i ?pad|i ?pod|apple watch|android|galaxy|samsung|htc|nokia|lumia|blackberry|windows|huawei|xiaomi|oneplus|motorola|alcatel|pixel|xperia|mobil\\p{L}*|móvil|mobiel\\p{L}*|cell\\p{L}*|tablet\\p{L}*|smartphone|handy|phone|telefon\\p{L}*|téléphone|telefoon|telefono|device|outlook|mail\\b|yahoo|gmail|proton ?mail|mailbox|airmail|spark|k-9|gmx|web\\.de|ti-\\d+)";
const SENT =
  "(?:sent (?:from|via|with|by|on|using)|sent wirelessly|envoy[ée] sans fil|sent securely|get outlook|from my|typed on|written on|(?:von|mit|aus) (?:meinem|meiner|der|dem)|gesendet (?:von|mit|aus)|diese nachricht wurde (?:von|mit)|envoy[ée] (?:de|depuis|à partir)|t[ée]l[ée]charger? outlook|enviado (?:desde|do|de|a partir|pelo|com|via|por)|enviad[oa] (?:desde|do|de)|obtener outlook|obter o outlook|inviato d(?:a|al|allo|alla)|ottieni outlook|scarica outlook|verzonden (?:vanaf|met|via|vanuit)|verstuurd vanaf|outlook voor .* downloaden|skickat från|skickad från|sendt fra|hämta outlook|hent outlook|lähetetty|wysłane (?:z|za)|wysłano z|odesláno z|odesláno|odoslané z|отправлено (?:с|из|через)|надіслано з|відправлено з|изпратено от|iphone['’]umdan|gönderildi|trimis (?:de pe|din)|elküldve|στάλθηκε από|dikirim dari|được gửi từ|poslano (?:z|s|iz)|enviat des)";
const TAG_LINE = new RegExp(`^[\\s<([*_-]*${SENT}(?![\\p{L}]).{0,90}$`, "iu");
const SENT_FIRST = /^[\s<([*_-]*sent/i;
const HAS_DEVICE = new RegExp(DEVICE, "iu");
const DEVICE_THEN_SENT =
  /(?:iphone|ipad|android|galaxy|handy|mobil\p{L}*|telefon\p{L}*|outlook)[^\n]{0,60}(?:gesendet|gönderildi|傳送|发送|发出|送信|보냄|보냈|lähetetty|elküldve|versendet)/iu;
/** Occurs in every ASCII line that matches DEVICE_THEN_SENT. This test is cheap, unlike that pattern. */
const SENT_ASCII = /sendet/i;
const ASCII = /^[\x20-\x7e]*$/;
/** The first three letters of every ASCII line that SENT or SPECIAL_LATIN_LINES match. */
const BEGINS_TAG = threeLetters(
  "sen get fro typ wri von mit aus ges die env tel obt inv ott sca ver out hen iph tri dik pos som vir gar lib".split(
    " ",
  ),
);
/** Characters that may precede them. */
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

/** Lines without a word for a device, which count only at the end of a text. */
const SENT_WITH =
  /^[\s<([*_-]*(?:sent (?:from|via|with|by|using|through|(?:wirelessly|securely)(?: from| via| with| using| by)?)|gesendet (?:von|mit|aus|über)|drahtlos gesendet|envoy[ée] (?:de|depuis|à partir|avec|par|via|sans fil)|enviad[oa] (?:desde|do|da|de|a partir|pelo|com|con|via|por)|inviat[oa] (?:da|dal|dallo|dalla|con|tramite)|(?:verzonden|verstuurd) (?:vanaf|met|via|vanuit|door)|skicka[td] (?:från|med|via)|sendt (?:fra|med|via)|lähetetty|wysłan[eo] (?:z|za|przez)|odesláno (?:z|pomocí|přes)|odoslané (?:z|pomocou)|отправлено (?:с|из|через)|(?:надіслано|відправлено) (?:з|через)|изпратено (?:от|чрез)|trimis (?:de pe|din|prin)|poslano (?:z|s|iz|sa)|dikirim dari)\s+(.{2,100})$/iu;
const POSSESSIVE =
  /^(?:my|mobile|a |an |the |mon|ma|mi|mein|meu|minha|mio|mia|mijn|min|mitt|mitt|mojego|mojej|mého|моего|мого|on|le|la|el|il)/iu;
/** Words of a sentence that do not occur in the name of a program. */
const SENTENCE =
  /(?<!\p{L})(?:is|are|was|were|it|you|did|does|have|had|should|would|will|yesterday|today|tomorrow|ago|because|when|i|we|ist|war|est|era|fue)(?!\p{L})/iu;
const EXCUSE =
  /excuse|pardon|sorry|apolog|forgive|brevity|typo|spelling|entschuldig|tippfehler|désolé|fautes|disculp|scus/i;
const MAX_PROGRAM_WORDS = 12;

/** True for a line such as "Sent from Spike" that is the last of a text. */
export function isLastTagLine(line: string): boolean {
  if (line.length > MAX_TAG_LINE) return false;
  if (isTagLine(line)) return true;
  const rest = SENT_WITH.exec(line)?.[1];
  if (rest === undefined || isSentence(line)) return false;
  return /^[\p{Lu}\p{Lo}\d["<(]/u.test(rest) || POSSESSIVE.test(rest);
}

function isSentence(line: string): boolean {
  if (EXCUSE.test(line)) return false;
  return line.split(" ").length > MAX_PROGRAM_WORDS || /\?$/.test(line) || SENTENCE.test(line);
}

/** True for one line that a phone or a mail program adds automatically ("Sent from my iPhone"), in many languages. */
export function isTagLine(line: string): boolean {
  if (line.length < 6 || line.length > MAX_TAG_LINE) return false;
  const ascii = ASCII.test(line);
  if (line.length <= 110 && (!ascii || SENT_ASCII.test(line)) && DEVICE_THEN_SENT.test(line)) return true;
  if (ascii && !beginsLike(line, lettersFrom(line), BEGINS_TAG)) return false;
  if (TAG_LINE.test(line) && HAS_DEVICE.test(line)) return !SENT_FIRST.test(line) || !isSentence(line);
  if (SPECIAL_LATIN_LINES.some((pattern) => pattern.test(line))) return true;
  return !ascii && SPECIAL_LINES.some((pattern) => pattern.test(line));
}

function lettersFrom(line: string): number {
  let at = 0;
  while (at < line.length && TAG_MARKS.includes(line[at]!)) at += 1;
  return at;
}
