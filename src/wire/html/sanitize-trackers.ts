/** The facts about a remote image that are available without loading it. */
export interface RemoteImage {
  url: URL;
  /** Declared size in CSS px; null when not declared. Percentages and unknown units count as 100. */
  width: number | null;
  height: number | null;
  /** True when the image or an enclosing element is not displayed. */
  hidden: boolean;
}

/** Why a remote picture is removed. For an address, the strongest evidence. */
export type Reason =
  /** Not displayed. */
  | "hidden"
  /** Declared too small to show anything. */
  | "size"
  /** An address that reports "opened". */
  | "open-address"
  /** A file with a typical pixel name: "1x1.gif", "beacon.png". */
  | "pixel-file"
  /** A tracking word in the host or in the path. */
  | "host-word"
  | "path-word"
  /** Long strings that no person chose, in an address that names no picture. */
  | "token"
  /** Short paths and one-letter files, programs and parameters. */
  | "shape";

/** An image this small in one direction shows nothing; it is a counter or a spacer. */
const INVISIBLE_PX = 3;
/** An image declared at least this large in both directions is meant to be seen: strong evidence for content. */
const VISIBLE_PX = 10;
/** A line or a gap of a layout. */
const LINE_PX = 5;
/** Pictures of this size are never counters, regardless of their address. */
const LARGE_PX = 160;
/** Number of points that make an address a counter. */
const MIN_COUNTER_POINTS = 3;

/** Whole words of a host label or a path segment that are common names for open counters. */
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
/** Words in addresses of pictures that are meant to be seen. */
const CONTENT_WORDS = new Set(
  (
    "asset assets attachment attachments avatar avatars badge badges banner banners barcode button buttons captcha cdn " +
    "chart charts content cover covers creative emoji facebook favicon files footer gallery gravatar header hero icon " +
    "icons image images img imgs instagram linkedin logo logos map maps media newsletter photo photos pic pics picture " +
    "pictures poster product products profile qr qrcode resize screenshot screenshots static staticmap template " +
    "templates theme thumb thumbnail thumbnails thumbs twitter upload uploads userpic wp youtube"
  ).split(" "),
);
/** Words of hosts that serve only pictures. */
const CONTENT_HOSTS = new Set(
  (
    "asset assets avatar avatars barcode cdn content files gallery googleusercontent gravatar image images img imgs map maps media photo photos pic " +
    "pics picture pictures qr qrcode static thumb thumbnail thumbnails thumbs upload uploads userpic"
  ).split(" "),
);

/** Paths that report an opening in any context. They end in a program, a token or nothing, not in a picture. */
const OPEN_ADDRESS = [
  /\/wf\/open\b/i,
  /\/(?:track|tracking|trk|email|mail|e|t|api)[-_/]open(?:s|ed)?(?:[./?]|$)/i,
  /\/open(?:s|ed)?\.(?:php|aspx?|jsp|html?|action|ashx|cgi)\b/i,
  /(?:email|mail)[-_]?(?:events?\/)?(?:open(?:ed)?|beacon|tracking|track|tracker)(?:[-_./?]|$)/i,
  /(?:open|read)[-_]?(?:track(?:er|ing)?|tracking[-_]?pixel|receipts?|beacon|pixel)(?:[-_./?]|$)/i,
  /(?:track(?:er|ing)?|trk|spy|web)[-_]?(?:pixel|beacon|open(?:s|ed)?|gif)(?:[-_./?]|$)/i,
  // "/e/o/<token>", "/o/<token>": short folders, "o" for "opened".
  /\/(?:[a-z0-9]{1,4}\/)?(?:o|oo|op|op\/sh)\/[\w.~=+-]{8,}(?:[/?]|$)/i,
  // "/pixel/<token>", "/seen/<number>/<token>.gif"
  /\/(?:pixel|beacon|open(?:s|ed)?|impressions?|emimp|seen)\/(?:[^/]+\/)*[\w~=+-]{8,}(?:\.[\w.~=+-]+)?$/i,
  // "/d-o-<token>/o.gif", "/click/o?x=": a file or program named "o".
  /\/h?o(?:\.gif)?$/i,
];
/** Names of files that show nothing. */
const PIXEL_FILE =
  /^(?:(?:tracking|track|trk|web|open|email|mail)?[-_]?(?:pixel|px|beacon|1x1|1px|1pix|onepixel|blank|spacer|clear|hidden|transparent|transp)\d*|open(?:s|ed)?|track(?:ing|er)?|seen|h?o|p|t)\.(?:gif|png)$/i;
const RASTER = /\.(?:png|jpe?g|jfif|webp|avif|bmp|svg)$/i;
const PROGRAM = /\.(?:php[0-9]?|aspx?|ashx|jsp|jspx?|do|action|cgi|pl|dll|html?|serv|cfm|axd)$/i;
/**
 * A size written into the address ("w=600", "300x250", "=s96"), which asks the server to draw something of that size.
 */
const SIZED_ADDRESS =
  /(?:\b(?:w|h|s|sz|width|height|size|maxw|wid|hei)[=_]\d{2,4}\b|(?<![\da-f])\d{2,4}x\d{2,4}(?![\da-f])|=[swh]\d{2,4}\b)/i;

/** True when loading a remote image would only report that the mail was opened. */
export function isTracker(image: RemoteImage, senderDomain: string | null): boolean {
  return removalReason(image, senderDomain) !== null;
}

/**
 * Returns why an image is treated as an open counter; null when it is content. `senderDomain` is the domain of the From
 * address. The checks run in this order: invisible images are removed, images declared large are kept, and for all
 * others the evidence of the address is added up, with a declared visible size counting against it. The evidence
 * consists of URL shapes and typical words, not of a list of vendors.
 */
export function removalReason(image: RemoteImage, senderDomain: string | null): Reason | null {
  const { width, height } = image;
  if (image.hidden) return "hidden";
  if (isInvisibleImage(width, height)) return "size";
  if (Math.max(width ?? 0, height ?? 0) >= LARGE_PX) return null;
  const declared = Math.max(width ?? 0, height ?? 0) >= LINE_PX;
  const evidence = evidenceOf(image.url, senderDomain, declared);
  let points = sizePoints(width, height);
  let reason: Reason = "shape";
  let most = 0;
  for (const [kind, weight] of evidence) {
    points += weight;
    if (kind !== "content" && weight > most) {
      reason = kind;
      most = weight;
    }
  }
  return points >= MIN_COUNTER_POINTS ? reason : null;
}

/** Returns the points that a declared visible size contributes for content, against the evidence of the address. */
function sizePoints(width: number | null, height: number | null): number {
  if (width === null && height === null) return 0;
  if (width === null || height === null) return (width ?? height)! >= VISIBLE_PX ? -3 : 0;
  if (Math.min(width, height) >= VISIBLE_PX) return -5;
  return Math.max(width, height) >= LINE_PX ? -4 : 0;
}

/** Returns the evidence in an address, each with its weight. */
function evidenceOf(
  url: URL,
  senderDomain: string | null,
  declared: boolean,
): [kind: Reason | "content", weight: number][] {
  const path = decode(url.pathname);
  const file = /[^/]*$/.exec(path)![0];
  const folders = path.slice(0, path.length - file.length);
  const query = url.search.length > 1;
  const hostWords = words(url.hostname.replace(/\.[^.]+$/, ""));
  const pathWords = words(path);
  const isPixelFile = PIXEL_FILE.test(file);
  // A picture with a file name that a person chose: its words name its content ("mail-open.png", "c/o/cotton.jpg").
  const isNamed = !isPixelFile && (RASTER.test(file) ? !isToken(file) : isNamedGif(file));
  const tokens = [...(isNamed ? folders : path).split("/"), ...url.searchParams.values()].filter(isToken).length;
  const found: [Reason | "content", number][] = [];
  const add = (when: boolean, kind: Reason | "content", weight: number) => {
    if (when) found.push([kind, weight]);
  };
  const isPhoto = /\.(?:jpe?g|jfif|webp|avif|svg)$/i.test(file);
  // "spacer.gif" as the gap of a layout is the same for every reader.
  if (isPixelFile && declared && !query && tokens === 0) return [];
  const reportsOpening = !isNamed && !isPhoto && OPEN_ADDRESS.some((shape) => shape.test(path));
  add(reportsOpening, "open-address", tokens > 0 || query ? 6 : 4);
  add(isPixelFile, "pixel-file", 4);
  add(
    hostWords.some((word) => COUNTER_WORDS.has(word) || word === "t"),
    "host-word",
    2,
  );
  add(
    (isNamed ? words(folders) : pathWords).some((word) => COUNTER_WORDS.has(word)),
    "path-word",
    2,
  );
  add(tokens > 0, "token", 2);
  add(/^\/(?:[a-z0-9]{1,2}\/)+/i.test(path), "shape", 1);
  add(query, "shape", 1);
  add(isThirdParty(url.hostname, senderDomain), "shape", 1);
  add(PROGRAM.test(path), "shape", 1);
  add(/^[a-z]{1,2}\.php$/i.test(file), "shape", 1);
  add(/^[\w-]{1,2}\.gif$/i.test(file), "shape", 2);
  if (/^[a-z]\.png$/i.test(file) && query) add(true, "shape", 2);
  else if (!isPixelFile) {
    add(RASTER.test(file), "content", -3);
    add(isNamedGif(file) && !query, "content", -2);
  }
  add(
    pathWords.some((word) => CONTENT_WORDS.has(word)),
    "content",
    -2,
  );
  add(
    hostWords.some((word) => CONTENT_HOSTS.has(word)),
    "content",
    -3,
  );
  add(!reportsOpening && SIZED_ADDRESS.test(`${path}${url.search}`) && !isPixelFile, "content", -3);
  return found;
}

/** True when the declared size is too small to see anything. */
export function isInvisibleImage(width: number | null, height: number | null): boolean {
  if (width === 0 || height === 0) return true;
  if (width !== null && height !== null)
    return Math.min(width, height) <= INVISIBLE_PX && Math.max(width, height) <= 64;
  return (width ?? height ?? Number.POSITIVE_INFINITY) <= INVISIBLE_PX;
}

/** True for a GIF whose file name a person chose ("bullet_3.gif", but not "o.gif" or "9f1b2c3d.gif"). */
function isNamedGif(file: string): boolean {
  const name = /^(.*)\.gif$/i.exec(file)?.[1];
  return name !== undefined && name.length > 2 && turns(name) < 3;
}

/**
 * Returns the lower-case words of an address; "emailOpened" and "email_opened" give "email", "opened" and the whole.
 */
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
 * True for a string that no person chose: long hexadecimal or decimal, an address, or alternating letters, digits and
 * cases. A file name such as "components_03" changes between letters and digits only once.
 */
function isToken(text: string): boolean {
  const bare = text.replace(/\.[a-z]{2,5}$/i, "");
  if (/^[0-9a-f-]{16,}$/i.test(bare) || /^\d{7,}$/.test(bare) || /.@.+\./.test(bare)) return true;
  if (bare.length < 12 || !/^[\w.~=+:,%-]+$/.test(bare)) return false;
  return turns(bare) >= 3;
}

/** Counts the changes between letters and digits, and from small letters to capitals. */
function turns(text: string): number {
  return text.match(/[A-Za-z](?=\d)|\d(?=[A-Za-z])|[a-z](?=[A-Z])/g)?.length ?? 0;
}

function isThirdParty(host: string, senderDomain: string | null): boolean {
  if (senderDomain === null || senderDomain === "") return true;
  return site(host) !== site(senderDomain.toLowerCase());
}

/**
 * Returns the last two labels, or three under a short second level ("co.uk"): enough to compare two hosts of one owner.
 */
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
