/** File extensions for attachments without a name. */

const EXTENSIONS: Record<string, string> = {
  "application/gzip": "gz",
  "application/ics": "ics",
  "application/msword": "doc",
  "application/ms-tnef": "dat",
  "application/octet-stream": "bin",
  "application/pgp-encrypted": "asc",
  "application/pgp-keys": "asc",
  "application/pgp-signature": "asc",
  "application/pkcs7-mime": "p7m",
  "application/pkcs7-signature": "p7s",
  "application/postscript": "ps",
  "application/vnd.ms-excel": "xls",
  "application/vnd.ms-powerpoint": "ppt",
  "application/vnd.ms-tnef": "dat",
  "application/vnd.openxmlformats-officedocument.presentationml.presentation": "pptx",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
  "application/x-pkcs7-mime": "p7m",
  "application/x-pkcs7-signature": "p7s",
  "audio/mpeg": "mp3",
  "audio/x-wav": "wav",
  "image/jpeg": "jpg",
  "image/pjpeg": "jpg",
  "image/svg+xml": "svg",
  "image/tiff": "tif",
  "image/x-icon": "ico",
  "message/delivery-status": "txt",
  "message/disposition-notification": "txt",
  "message/feedback-report": "txt",
  "message/global": "eml",
  "message/partial": "eml",
  "message/rfc822": "eml",
  "text/calendar": "ics",
  "text/directory": "vcf",
  "text/enriched": "txt",
  "text/markdown": "md",
  "text/plain": "txt",
  "text/rfc822-headers": "txt",
  "text/richtext": "rtx",
  "text/vcard": "vcf",
  "text/x-vcard": "vcf",
  "video/quicktime": "mov",
};

/**
 * Returns the usual extension for a media type, without the dot. A short subtype is its own extension; any other type
 * gives "bin".
 */
export function extensionOf(mime: string): string {
  const known = EXTENSIONS[mime];
  if (known) return known;
  const subtype = mime.slice(mime.indexOf("/") + 1).replace(/^x-/, "");
  return /^[a-z0-9]{2,5}$/.test(subtype) ? subtype : "bin";
}
