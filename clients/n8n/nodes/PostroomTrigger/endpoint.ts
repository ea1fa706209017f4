import type { IDataObject, IHookFunctions } from "n8n-workflow";
import { call, isNotFound, list } from "../../api/request";

/** A webhook endpoint of Postroom, as stored in the data of the workflow. */
export interface Endpoint extends IDataObject {
  id: string;
  secret: string;
}

/** Returns true if an endpoint exists for this address and these events. Enables it if it was disabled. */
export async function endpointWorks(functions: IHookFunctions, { id, secret }: Endpoint): Promise<boolean> {
  const found = await call(functions, { method: "GET", path: `/webhooks/${id}` }).catch((error: unknown) => {
    if (isNotFound(error)) return null;
    throw error;
  });
  if (!found || !secret) return false;
  const { url, events, status } = found.data as IDataObject & { events: string[] };
  if (url !== functions.getNodeWebhookUrl("default")) return false;
  if ([...events].sort().join() !== [...eventsOf(functions)].sort().join()) return false;
  if (status === "disabled") {
    await call(functions, { method: "PATCH", path: `/webhooks/${id}`, body: { status: "active" } });
  }
  return true;
}

/** Creates an endpoint, and removes endpoints for the same address whose secret was lost in a crash. */
export async function createEndpoint(functions: IHookFunctions): Promise<Endpoint> {
  const url = functions.getNodeWebhookUrl("default") as string;
  for (const { id, url: existing } of await list(functions, { method: "GET", path: "/webhooks" }, null)) {
    if (existing === url) await removeEndpoint(functions, String(id));
  }
  const { data } = await call(functions, {
    method: "POST",
    path: "/webhooks",
    body: { url, events: eventsOf(functions) },
  });
  const { id, secret } = data as IDataObject;
  return { id: String(id), secret: String(secret) };
}

/** Deletes an endpoint. Does nothing if it no longer exists. */
export async function removeEndpoint(functions: IHookFunctions, id: string): Promise<void> {
  await call(functions, { method: "DELETE", path: `/webhooks/${id}` }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
}

const eventsOf = (functions: IHookFunctions) => functions.getNodeParameter("events") as string[];
