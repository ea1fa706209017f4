import { invalidParam } from "../kernel/errors.ts";

const MAX_NAME_CHARS = 200;

/** Returns the file of a multipart body. @throws ApiError invalid_params (`file`) */
export function uploadedFile(form: FormData): File {
  const file = form.get("file");
  if (!(file instanceof File)) throw invalidParam("file", "Send exactly one file, in the form field file.");
  return file;
}

/** Returns the name of an uploaded file: the last segment of a path, on one line; `fallback` if it has no name. */
export function uploadName(name: string, fallback: string): string {
  const plain = name
    .toWellFormed()
    .replace(/[\s\p{Cc}\u2028\u2029]+/gu, " ")
    .split(/[/\\]/)
    .at(-1)!
    .trim();
  return [...plain].slice(0, MAX_NAME_CHARS).join("") || fallback;
}
