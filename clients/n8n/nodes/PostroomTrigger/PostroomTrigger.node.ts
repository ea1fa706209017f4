import type {
  IDataObject,
  IHookFunctions,
  INodeType,
  INodeTypeDescription,
  IWebhookFunctions,
  IWebhookResponseData,
} from "n8n-workflow";
import { NodeConnectionTypes } from "n8n-workflow";
import { eventsField } from "../../api/events";
import { isSigned } from "../../api/signature";
import { createEndpoint, type Endpoint, endpointWorks, removeEndpoint } from "./endpoint";

/** Events whose repetitions are recognized. */
const REMEMBERED = 200;

export class PostroomTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Postroom Trigger",
    name: "postroomTrigger",
    icon: { light: "file:../../icons/postroom.svg", dark: "file:../../icons/postroom.dark.svg" },
    group: ["trigger"],
    version: [1],
    subtitle: '={{$parameter["events"].join(", ")}}',
    description: "Starts the workflow when Postroom sends an event to n8n, such as new mail",
    defaults: { name: "Postroom Trigger" },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: "postroomApi", required: true }],
    webhooks: [{ name: "default", httpMethod: "POST", responseMode: "onReceived", path: "webhook" }],
    properties: [
      {
        displayName:
          "Postroom must reach n8n. If n8n has a private address or plain HTTP, list its host name in webhooks.allow of Postroom, or use the node Postroom Event Log Trigger instead.",
        name: "notice",
        type: "notice",
        default: "",
      },
      eventsField,
    ],
  };

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        const data = this.getWorkflowStaticData("node");
        const endpoint = data[slotOf(this)] as Endpoint | undefined;
        return endpoint !== undefined && (await endpointWorks(this, endpoint));
      },
      async create(this: IHookFunctions): Promise<boolean> {
        this.getWorkflowStaticData("node")[slotOf(this)] = await createEndpoint(this);
        return true;
      },
      async delete(this: IHookFunctions): Promise<boolean> {
        const data = this.getWorkflowStaticData("node");
        const endpoint = data[slotOf(this)] as Endpoint | undefined;
        if (endpoint) await removeEndpoint(this, endpoint.id);
        delete data[slotOf(this)];
        return true;
      },
    },
  };

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const data = this.getWorkflowStaticData("node");
    const endpoint = data[slotOf(this)] as Endpoint | undefined;
    const { rawBody } = this.getRequestObject();
    const header = String(this.getHeaderData()["x-service-signature"] ?? "");
    if (!endpoint || !rawBody || !isSigned(rawBody, header, endpoint.secret, Date.now())) {
      this.getResponseObject().status(401).json({ error: "The signature is missing, wrong or too old." });
      return { noWebhookResponse: true };
    }
    const event = JSON.parse(rawBody.toString()) as IDataObject;
    const test = this.getMode() === "manual";
    const seen = (data.seen ?? []) as string[];
    // Deliveries can be repeated. A test event has no data for a workflow, except while one is being built.
    if (!test && (event.event === "webhook.test" || seen.includes(String(event.id)))) {
      return { webhookResponse: { received: true } };
    }
    if (!test) data.seen = [...seen, String(event.id)].slice(-REMEMBERED);
    return { workflowData: [[{ json: event }]] };
  }
}

/** The endpoint for "Listen for test event" is separate from that of the active workflow. */
function slotOf(functions: IHookFunctions | IWebhookFunctions): "test" | "production" {
  return functions.getMode() === "manual" ? "test" : "production";
}
