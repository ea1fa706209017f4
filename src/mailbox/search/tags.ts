/** The properties that `has:` finds besides attachments of any kind: kinds of files, and links in the text. */
export const TAGS = ["pdf", "image", "document", "spreadsheet", "presentation", "link"] as const;
export type TagName = (typeof TAGS)[number];
type FileTag = Exclude<TagName, "link">;

/** By file extension. Without .key, which is more often a private key than a presentation. */
const EXTENSIONS: Record<FileTag, readonly string[]> = {
  pdf: ["pdf"],
  image: [
    ...["avif", "bmp", "gif", "heic", "heif", "jfif", "jpe", "jpeg", "jpg", "jxl", "png", "psd", "svg", "tif", "tiff"],
    "webp",
  ],
  document: ["doc", "docm", "docx", "dot", "dotm", "dotx", "fodt", "odt", "ott", "pages", "rtf", "wpd", "wps"],
  spreadsheet: ["csv", "fods", "numbers", "ods", "ots", "tsv", "xls", "xlsb", "xlsm", "xlsx", "xlt", "xltm", "xltx"],
  presentation: ["fodp", "odp", "otp", "pot", "potm", "potx", "pps", "ppsm", "ppsx", "ppt", "pptm", "pptx"],
};
/** By the beginning of the MIME type. */
const TYPES: Record<FileTag, readonly string[]> = {
  pdf: ["application/pdf", "application/x-pdf"],
  image: ["image/"],
  document: [
    "application/msword",
    "application/rtf",
    "application/vnd.apple.pages",
    "application/vnd.ms-word",
    "application/vnd.oasis.opendocument.text",
    "application/vnd.openxmlformats-officedocument.wordprocessingml",
    "application/vnd.wordperfect",
    "application/x-iwork-pages",
    "text/rtf",
  ],
  spreadsheet: [
    "application/csv",
    "application/vnd.apple.numbers",
    "application/vnd.ms-excel",
    "application/vnd.oasis.opendocument.spreadsheet",
    "application/vnd.openxmlformats-officedocument.spreadsheetml",
    "application/x-iwork-numbers",
    "text/csv",
    "text/tab-separated-values",
  ],
  presentation: [
    "application/vnd.apple.keynote",
    "application/vnd.ms-powerpoint",
    "application/vnd.oasis.opendocument.presentation",
    "application/vnd.openxmlformats-officedocument.presentationml",
    "application/x-iwork-keynote",
  ],
};
const FILE_TAGS = Object.keys(EXTENSIONS) as FileTag[];
const TAGS_BY_EXTENSION = new Map(
  FILE_TAGS.flatMap((tag) => EXTENSIONS[tag].map((extension): [string, FileTag] => [extension, tag])),
);

const AUTHORITY = "://";
const LONGEST_SCHEME = "https";
/** A host name or an address starts after the scheme. */
const HOST_START = /[\p{L}\p{N}[]/u;
/** Start tags that contain a link in the text; those of style sheets do not count. */
const LINK_TAG = /^<a(?:rea)?[\s/]/i;
const LONGEST_LINK_TAG = "<area ".length;
const LETTER_A = 97;
/** The bit that distinguishes ASCII lower-case letters from upper-case ones. */
const LOWER_CASE = 32;
const REFERENCE = /href/gi;
const URL_START = /^https?:\/\//i;
const BLANKS = " \t\r\n\f";
const BLANKS_AND_QUOTES = `${BLANKS}"'`;

/**
 * Returns the tags of a message: kinds of attachments by MIME type or extension, and "link" where the text has an http
 * or https URL or a link of the HTML leads to one. Takes time linear in the text, and stops at the first link.
 * @returns in the order of `TAGS`
 */
export function tagsOf(message: {
  attachments: readonly { name: string; mime?: string }[];
  text: string;
  html?: string | null;
}): TagName[] {
  const found = new Set<TagName>();
  for (const attachment of message.attachments) {
    const byName = TAGS_BY_EXTENSION.get(extensionOf(attachment.name));
    if (byName) found.add(byName);
    const mime = attachment.mime?.trim().toLowerCase() ?? "";
    const byType = FILE_TAGS.find((tag) => TYPES[tag].some((start) => mime.startsWith(start)));
    if (byType) found.add(byType);
  }
  if (hasUrl(message.text) || (message.html && hasLink(message.html))) found.add("link");
  return TAGS.filter((tag) => found.has(tag));
}

/** Returns the extension without the dot, in lower case; "" where the name has none. */
function extensionOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot < 0
    ? ""
    : name
        .slice(dot + 1)
        .trimEnd()
        .toLowerCase();
}

function hasUrl(text: string): boolean {
  for (let at = text.indexOf(AUTHORITY); at >= 0; at = text.indexOf(AUTHORITY, at + AUTHORITY.length)) {
    if (isUrlAround(text, at)) return true;
  }
  return false;
}

/** Returns whether http or https precedes this "://" and something that can be a host follows it. */
function isUrlAround(text: string, at: number): boolean {
  const scheme = text.slice(Math.max(0, at - LONGEST_SCHEME.length), at).toLowerCase();
  return (scheme === "https" || scheme.endsWith("http")) && isHostAt(text, at + AUTHORITY.length);
}

function isHostAt(text: string, at: number): boolean {
  const code = text.codePointAt(at);
  return code !== undefined && HOST_START.test(String.fromCodePoint(code));
}

/** Returns whether an `<a>` or `<area>` leads to a URL. */
function hasLink(html: string): boolean {
  for (let at = html.indexOf("<"); at >= 0; ) {
    if ((html.charCodeAt(at + 1) | LOWER_CASE) !== LETTER_A || !LINK_TAG.test(html.slice(at, at + LONGEST_LINK_TAG))) {
      at = html.indexOf("<", at + 1);
      continue;
    }
    const end = html.indexOf(">", at);
    const tag = html.slice(at, end < 0 ? html.length : end);
    if (hasUrlReference(tag)) return true;
    at = end < 0 ? -1 : html.indexOf("<", end);
  }
  return false;
}

function hasUrlReference(tag: string): boolean {
  for (const { index } of tag.matchAll(REFERENCE)) {
    const equals = skip(tag, index + "href".length, BLANKS);
    if (tag[equals] !== "=") continue;
    const value = skip(tag, equals + 1, BLANKS_AND_QUOTES);
    const scheme = URL_START.exec(tag.slice(value, value + LONGEST_SCHEME.length + AUTHORITY.length))?.[0];
    if (scheme !== undefined && isHostAt(tag, value + scheme.length)) return true;
  }
  return false;
}

/** Returns the index of the first character at or after `from` that is none of these. */
function skip(text: string, from: number, chars: string): number {
  let at = from;
  while (at < text.length && chars.includes(text[at]!)) at++;
  return at;
}
