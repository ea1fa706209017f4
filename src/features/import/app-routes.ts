import { Type } from "@sinclair/typebox";
import { readBytes } from "../../http/body.ts";
import { act, change, type Route, read } from "../../http/route.ts";
import { CHUNK_BYTES } from "../../mailbox/imports/upload-files.ts";
import { ImportList, ImportView, NewImport } from "./model.ts";
import { ImportService, type ImportServiceParts } from "./service.ts";

/** Defines the routes of the settings page that import mail from an uploaded file. */
export function importAppRoutes(parts: ImportServiceParts): Route[] {
  const service = new ImportService(parts);
  return [
    read({
      method: "GET",
      path: "/imports",
      audience: "session",
      response: ImportList,
      handle: ({ caller }) => service.list(caller),
    }),
    read({
      method: "GET",
      path: "/imports/:id",
      audience: "session",
      params: { id: "import" },
      response: ImportView,
      handle: ({ caller, params }) => service.get(caller, params.id),
    }),
    change({
      method: "POST",
      path: "/imports",
      audience: "session",
      body: NewImport,
      response: ImportView,
      status: 201,
      errors: ["import_running", "storage_full"],
      handle: ({ caller, body }) => service.begin(caller, body),
    }),
    act({
      method: "PUT",
      path: "/imports/:id/data",
      audience: "session",
      params: { id: "import" },
      query: Type.Object({ offset: Type.Integer({ minimum: 0, default: 0, description: "First byte of the part." }) }),
      response: ImportView,
      errors: ["upload_offset", "storage_full", "payload_too_large"],
      handle: async ({ caller, params, query, request }) => {
        service.get(caller, params.id);
        const bytes = await readBytes(request, CHUNK_BYTES);
        return service.receive(caller, params.id, query.offset, bytes);
      },
    }),
    change({
      method: "DELETE",
      path: "/imports/:id",
      audience: "session",
      params: { id: "import" },
      response: ImportView,
      handle: ({ caller, params }) => service.cancel(caller, params.id),
    }),
  ];
}
