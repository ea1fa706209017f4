import { uploadedFile, uploadName } from "../../http/upload.ts";
import { invalidParam } from "../../kernel/errors.ts";
import type { Upload } from "../../outbound/drafts/files.ts";

const MIME = /^[a-z0-9][\w.+-]{0,80}\/[a-z0-9][\w.+-]{0,80}$/;
const CONTENT_ID = /^[\x21\x23-\x3b\x3d\x3f-\x5b\x5d-\x7e]{1,200}$/;

/** Returns the file of a multipart body. @throws ApiError invalid_params (`file`, `content_id`) */
export function uploadOf(form: FormData): Upload {
  const file = uploadedFile(form);
  const content_id = form.get("content_id");
  if (content_id !== null && (typeof content_id !== "string" || !CONTENT_ID.test(content_id))) {
    throw invalidParam(
      "content_id",
      "A Content-ID has 1–200 printable ASCII characters, without <, >, quotes or spaces.",
    );
  }
  const mime = file.type.split(";")[0]!.trim().toLowerCase();
  return {
    name: uploadName(file.name, "attachment"),
    mime: MIME.test(mime) ? mime : "application/octet-stream",
    size: file.size,
    content_id,
    stream: () => file.stream(),
  };
}
