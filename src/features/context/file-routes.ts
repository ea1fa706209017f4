import { Type } from "@sinclair/typebox";
import { contentDisposition } from "../../http/disposition.ts";
import { cutPage, listOf, pageQuery } from "../../http/paging.ts";
import { act, change, type Route, read } from "../../http/route.ts";
import { uploadedFile, uploadName } from "../../http/upload.ts";
import { ApiError, notFound } from "../../kernel/errors.ts";
import { EXAMPLE_FILE } from "./examples.ts";
import { type ContextFiles, FILE_BYTES, type FileInput } from "./files.ts";
import { Deleted, FileItem, viewFile } from "./model.ts";

const TAG = "Personal context";

/** Returns the routes for context files. */
export function fileRoutes(files: ContextFiles): Route[] {
  return [
    read({
      method: "GET",
      path: "/context/files",
      scope: "context:read",
      operationId: "listContextFiles",
      tag: TAG,
      summary: "List context files",
      description: "Lists context files, newest first.",
      query: Type.Object({
        profile_id: Type.Optional(Type.String({ description: "Only files of this profile." })),
        ...pageQuery,
      }),
      response: listOf(FileItem, "ContextFileList"),
      errors: ["not_found"],
      examples: { response: { data: [EXAMPLE_FILE], has_more: false } },
      handle: ({ query: { limit, cursor, profile_id }, caller, pager }) => {
        const after = pager.after("context-files", cursor);
        const rows = files.list(caller.user_id, profile_id ?? null, after, limit + 1);
        return pager.reply(
          "context-files",
          cutPage(rows, limit, (row) => [row.id]),
          viewFile,
        );
      },
    }),
    act({
      method: "POST",
      path: "/context/files",
      scope: "context:write",
      operationId: "addContextFile",
      tag: TAG,
      summary: "Upload a context file",
      description:
        `Stores a file of at most ${FILE_BYTES / 1024 / 1024} MiB. With \`profile_id\`, the file belongs to that ` +
        "profile; otherwise it applies to all mail.",
      form: Type.Object({ file: Type.String({ format: "binary" }), profile_id: Type.Optional(Type.String()) }),
      response: FileItem,
      errors: ["not_found"],
      examples: { response: EXAMPLE_FILE },
      handle: async ({ form, caller, commit }) => {
        const file = await givenFile(form);
        return await files.add(caller, file, (write) => commit(() => viewFile(write())));
      },
    }),
    read({
      method: "GET",
      path: "/context/files/:id/content",
      scope: "context:read",
      operationId: "getContextFileContent",
      tag: TAG,
      summary: "Download a context file",
      description: "Returns the file as it was uploaded.",
      params: { id: "contextFile" },
      produces: "*/*",
      handle: async ({ params, caller, openStream }) => {
        const { file, body } = await files.content(caller.user_id, params.id);
        openStream();
        return new Response(body, {
          headers: {
            "Content-Type": file.mime,
            "Content-Disposition": contentDisposition(file.name),
            "Cache-Control": "private, no-cache",
            "Content-Security-Policy": "sandbox; default-src 'none'",
            "X-Content-Type-Options": "nosniff",
          },
        });
      },
    }),
    change({
      method: "DELETE",
      path: "/context/files/:id",
      scope: "context:write",
      operationId: "deleteContextFile",
      tag: TAG,
      summary: "Delete a context file",
      description: "Deletes a context file.",
      params: { id: "contextFile" },
      response: Deleted("ContextFileDeleted"),
      examples: { response: { id: EXAMPLE_FILE.id, deleted: true } },
      handle: ({ params, caller }) => {
        files.remove(caller, params.id);
        return { id: params.id, deleted: true as const };
      },
    }),
  ];
}

/** Returns the uploaded file of a form. @throws ApiError invalid_params, payload_too_large */
async function givenFile(form: FormData): Promise<FileInput> {
  const file = uploadedFile(form);
  const profile_id = form.get("profile_id");
  if (profile_id !== null && typeof profile_id !== "string") throw notFound("profile", "profile_id");
  if (file.size > FILE_BYTES) {
    throw new ApiError("payload_too_large", `A file can have at most ${FILE_BYTES} bytes. Send a smaller one.`, {
      param: "file",
    });
  }
  const type = /^[\w.+-]{1,80}\/[\w.+-]{1,80}(?:;[\x20-\x7e]{0,100})?$/.test(file.type)
    ? file.type
    : "application/octet-stream";
  return { name: uploadName(file.name, "file"), type, bytes: new Uint8Array(await file.arrayBuffer()), profile_id };
}
