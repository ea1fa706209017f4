import { invalidParam } from "../../kernel/errors.ts";
import type { Upload } from "../../outbound/draft-files.ts";

const MIME = /^[a-z0-9][\w.+-]{0,80}\/[a-z0-9][\w.+-]{0,80}$/;
const CONTENT_ID = /^[\x21\x23-\x3b\x3d\x3f-\x5b\x5d-\x7e]{1,200}$/;
const MAX_NAME_CHARS = 200;

/** The file of a multipart body. @throws ApiError invalid_params (`file`, `content_id`) */
export function uploadOf(form: FormData): Upload {
  const file = form.get("file");
  if (!(file instanceof File)) throw invalidParam("file", "Send one file in the part `file`.");
  const content_id = form.get("content_id");
  if (content_id !== null && (typeof content_id !== "string" || !CONTENT_ID.test(content_id))) {
    throw invalidParam(
      "content_id",
      "A Content-ID is 1–200 printable ASCII characters without <, >, quotes or spaces.",
    );
  }
  const mime = file.type.split(";")[0]!.trim().toLowerCase();
  return {
    name: fileName(file.name),
    mime: MIME.test(mime) ? mime : "application/octet-stream",
    size: file.size,
    content_id,
    stream: () => file.stream(),
  };
}

/** The last step of a path, on one line. */
function fileName(name: string): string {
  const plain = name
    .toWellFormed()
    .replace(/[\s\p{Cc}\u2028\u2029]+/gu, " ")
    .split(/[/\\]/)
    .at(-1)!
    .trim();
  return [...plain].slice(0, MAX_NAME_CHARS).join("") || "attachment";
}
