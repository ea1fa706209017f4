/** What is known of a remote image without loading it. */
export interface RemoteImage {
  url: URL;
  /** Declared size in CSS px; null when not declared. Percentages and unknown units count as 100. */
  width: number | null;
  height: number | null;
  /** True when the image or an element around it is not displayed. */
  hidden: boolean;
}

/** An image this small in one direction shows nothing; it is a counter or a spacer. */
const INVISIBLE_PX = 3;
/** With a declared size of at least this the image is content, unless its address is an open-counter beyond doubt. */
const VISIBLE_PX = 5;
/** Counters that declare a size declare a small one; nobody loads a big picture only to count. */
const CERTAIN_COUNTER_MAX_PX = 64;

/** Whole words of a host label or a path segment by which open counters are called in the trade. */
const COUNTER_WORDS = new Set(
  (
    "analytic analytics appserve beacon beacons bcn blank clear click clicks clk count counter countopened ctrk ddm " +
    "emailopen emailopened emailtrack emailtracking emimp emltrk etrac event events hidden hit hits imgping imp " +
    "impression impressions log logging ltrack mailopen mailtrack mktopen msgopen onepixel open opened opener " +
    "opening openings openlog openrate opens opentrack opentracker opentracking ouv ping pixel pixels pixelserver " +
    "ptrack px pxl readed readreceipt receipt receipts scribe seen signals spacer stat statistics stats telemetry " +
    "tr trace track tracked tracker trackers tracking trackingpixel transparent trk trkn unopened view viewed watermark webbeacon xpixel"
  ).split(" "),
);
/** Words of addresses that serve pictures to be looked at. */
const CONTENT_WORDS = new Set(
  (
    "asset assets attachment attachments avatar avatars badge badges banner banners barcode button buttons captcha cdn " +
    "chart charts content cover covers creative emoji facebook favicon files footer gallery gravatar header hero icon " +
    "icons image images img imgs instagram linkedin logo logos map maps media newsletter photo photos pic pics picture " +
    "pictures poster product products profile qr qrcode resize screenshot screenshots static staticmap template " +
    "templates theme thumb thumbnail thumbnails thumbs twitter upload uploads userpic wp youtube"
  ).split(" "),
);
/** Addresses that are open counters whatever stands around them. */
const CERTAIN = [
  /\/wf\/open\b/i,
  /\/(?:track|tracking|trk|email|mail|e|t|api)[-_/]open(?:s|ed)?(?:[./?]|$)/i,
  /\/open(?:s|ed)?\.(?:gif|png|php|aspx?|jsp|html?|action|ashx|cgi)\b/i,
  /(?:^|[/_.-])(?:pixel|1x1|1px|beacon|clear|o|ho)\.(?:gif|png)(?:$|\?)/i,
  /(?:email|mail)[-_]?(?:open(?:ed)?|beacon|tracking|track|tracker)(?:[-_./?]|$)/i,
  /(?:open|read)[-_]?(?:track(?:er|ing)?|tracking[-_]?pixel|receipts?|beacon)(?:[-_./?]|$)/i,
  /(?:track(?:er|ing)?|trk|spy|web)[-_]?(?:pixel|beacon|open(?:s|ed)?|gif)(?:[-_./?]|$)/i,
  /\/(?:ss|mpss|e[0-9]t|[a-z]{1,2})\/o{1,2}\/[\w.~-]{8,}/i,
];
const RASTER = /\.(?:png|jpe?g|jfif|webp|avif|bmp)$/i;
const PROGRAM = /\.(?:php[0-9]?|aspx?|ashx|jsp|jspx?|do|action|cgi|pl|dll|html?|serv|cfm|axd)$/i;
/** A size written into the address ("w=600", "300x250", "=s96"): the server is asked to draw something of that size. */
const SIZED_ADDRESS = /(?:\b(?:w|h|s|sz|width|height|size|maxw|wid|hei)[=_]\d{2,4}\b|\d{2,4}x\d{2,4}|=[swh]\d{2,4}\b)/i;

/**
 * Whether loading a remote image would do nothing but report that the mail was opened. `senderDomain` is the domain of
 * the From address. A rule about shapes, without a list of vendors: size and style first, then the address.
 */
export function isTracker(image: RemoteImage, senderDomain: string | null): boolean {
  if (image.hidden || isInvisible(image.width, image.height)) return true;
  const largest = Math.max(image.width ?? 0, image.height ?? 0);
  if (largest >= CERTAIN_COUNTER_MAX_PX) return false;
  const address = `${image.url.pathname}${image.url.search}`;
  if (CERTAIN.some((shape) => shape.test(address))) return true;
  return largest < VISIBLE_PX && suspicion(image.url, senderDomain) >= 3;
}

/** True when the declared size is too small to see anything in. */
export function isInvisible(width: number | null, height: number | null): boolean {
  if (width === 0 || height === 0) return true;
  if (width !== null && height !== null)
    return Math.min(width, height) <= INVISIBLE_PX && Math.max(width, height) <= 64;
  return (width ?? height ?? Number.POSITIVE_INFINITY) <= INVISIBLE_PX;
}

/** Points for an image of undeclared size: 3 and more mean a counter. */
function suspicion(url: URL, senderDomain: string | null): number {
  const path = decode(url.pathname);
  const hostWords = words(url.hostname.replace(/\.[^.]+$/, ""));
  const pathWords = words(path);
  const tokens = [...path.split("/"), ...[...url.searchParams.values()]].filter(isToken).length;
  let points = 0;
  if (hostWords.some((word) => COUNTER_WORDS.has(word) || word === "t")) points += 2;
  if (pathWords.some((word) => COUNTER_WORDS.has(word))) points += 2;
  if (/^\/(?:[a-z0-9]{1,2}\/)+/i.test(path)) points += 1;
  if (tokens > 0) points += 2;
  if (url.search.length > 1) points += 1;
  if (isThirdParty(url.hostname, senderDomain)) points += 1;
  if (PROGRAM.test(path)) points += 1;
  if (/(?:^|\/)[\w-]{1,2}\.gif$/i.test(path)) points += 2;
  if (/\/[a-z]\.png$/i.test(path) && url.search.length > 1) points += 2;
  else if (RASTER.test(path)) points -= 3;
  else if (isNamedGif(path) && url.search.length <= 1) points -= 2;
  if (pathWords.some((word) => CONTENT_WORDS.has(word))) points -= 2;
  if (hostWords.some((word) => CONTENT_WORDS.has(word))) points -= 3;
  if (SIZED_ADDRESS.test(`${path}${url.search}`)) points -= 3;
  return points;
}

/** A GIF whose file name somebody chose, and for people ("bullet_3.gif", not "o.gif" and not "9f1b2c3d.gif"). */
function isNamedGif(path: string): boolean {
  const name = /([^/]*)\.gif$/i.exec(path)?.[1];
  return name !== undefined && name.length > 2 && turns(name) < 3;
}

/** Lower-case words of an address; "emailOpened" and "email_opened" give "email" and "opened" and the whole. */
function words(text: string): string[] {
  const found: string[] = [];
  for (const part of text.split(/[^A-Za-z0-9]+/)) {
    if (part === "" || part.length > 40) continue;
    found.push(part.toLowerCase(), part.toLowerCase().replace(/\d+$/, ""));
    for (const word of part.split(/(?<=[a-z])(?=[A-Z])/)) found.push(word.toLowerCase());
  }
  return found;
}

/**
 * A string that nobody chose: long hexadecimal or decimal, an address, or letters, digits and cases in turn. A file
 * name such as "components_03" changes between letters and digits once.
 */
function isToken(text: string): boolean {
  const bare = text.replace(/\.[a-z]{2,5}$/i, "");
  if (/^[0-9a-f-]{16,}$/i.test(bare) || /^\d{7,}$/.test(bare) || /.@.+\./.test(bare)) return true;
  if (bare.length < 12 || !/^[\w.~=+:,%-]+$/.test(bare)) return false;
  return turns(bare) >= 3;
}

/** How often letters change to digits or back, and small letters to capitals. */
function turns(text: string): number {
  return text.match(/[A-Za-z](?=\d)|\d(?=[A-Za-z])|[a-z](?=[A-Z])/g)?.length ?? 0;
}

function isThirdParty(host: string, senderDomain: string | null): boolean {
  if (senderDomain === null || senderDomain === "") return true;
  return site(host) !== site(senderDomain.toLowerCase());
}

/** The last two labels, or three under a short second level ("co.uk"): enough to compare two hosts of one owner. */
function site(host: string): string {
  const labels = host.split(".");
  const short = labels.length > 2 && (labels.at(-2)?.length ?? 0) <= 3 && (labels.at(-1)?.length ?? 0) === 2;
  return labels.slice(short ? -3 : -2).join(".");
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
