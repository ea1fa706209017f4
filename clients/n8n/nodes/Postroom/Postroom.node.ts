import type {
  IDataObject,
  IExecuteFunctions,
  ILoadOptionsFunctions,
  INodeExecutionData,
  INodePropertyOptions,
  INodeType,
  INodeTypeDescription,
  JsonObject,
} from "n8n-workflow";
import { NodeApiError, NodeConnectionTypes, NodeOperationError } from "n8n-workflow";
import { type ApiFailure, call, list } from "../../api/request";
import { draftFields } from "./fields/draft";
import { messageFields } from "./fields/message";
import { labelFields, mailFields, sendFields } from "./fields/other";
import { threadFields } from "./fields/thread";
import { idempotencyKey } from "./idempotency-key";
import { OPERATIONS, type Parameters } from "./operations";

export class Postroom implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Postroom",
    name: "postroom",
    icon: { light: "file:../../icons/postroom.svg", dark: "file:../../icons/postroom.dark.svg" },
    group: ["transform"],
    version: [1],
    subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
    description: "Read, sort, search, draft and send mail with your Postroom server",
    defaults: { name: "Postroom" },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: "postroomApi", required: true }],
    properties: [
      {
        displayName: "Resource",
        name: "resource",
        type: "options",
        noDataExpression: true,
        options: [
          { name: "Draft", value: "draft" },
          { name: "Label", value: "label" },
          { name: "Mail", value: "mail", description: "Search all mail, or ask a question" },
          { name: "Message", value: "message" },
          { name: "Send", value: "send", description: "A message that is being sent or was sent" },
          { name: "Thread", value: "thread" },
        ],
        default: "thread",
      },
      ...draftFields,
      ...labelFields,
      ...mailFields,
      ...messageFields,
      ...sendFields,
      ...threadFields,
    ],
  };

  methods = {
    loadOptions: {
      async getAccounts(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
        const { data } = await call(this, { method: "GET", path: "/accounts" });
        return (data as IDataObject[]).map(({ id, email }) => ({ name: String(email), value: String(id) }));
      },
    },
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const results: INodeExecutionData[] = [];
    for (const [itemIndex] of this.getInputData().entries()) {
      try {
        const answers = await runItem(this, itemIndex);
        results.push(...answers.map((json) => ({ json, pairedItem: { item: itemIndex } })));
      } catch (error) {
        if (!this.continueOnFail()) {
          // The constructor returns an error of the API unchanged.
          if (error instanceof NodeApiError) throw new NodeApiError(this.getNode(), error as unknown as JsonObject);
          throw new NodeOperationError(this.getNode(), error as Error, { itemIndex });
        }
        const { message, context } = error as NodeApiError;
        const failure = context?.postroom as ApiFailure | undefined;
        results.push({ json: { error: message, ...failure }, pairedItem: { item: itemIndex } });
      }
    }
    return [results];
  }
}

/** Runs the operation of an item. @returns the objects of the answer */
async function runItem(functions: IExecuteFunctions, itemIndex: number): Promise<IDataObject[]> {
  const parameter = (name: string) => parameterOf(functions, name, itemIndex);
  const name = `${parameter("resource")}:${parameter("operation")}`;
  const operation = OPERATIONS[name];
  if (!operation) throw new NodeOperationError(functions.getNode(), `Unknown operation ${name}`, { itemIndex });
  const parameters: Parameters = { get: parameter, timeZone: functions.getTimezone() };
  const request = operation.request(parameters);
  if (operation.once) {
    const given = String(parameter("options.idempotencyKey") ?? "").trim();
    request.idempotencyKey = given || idempotencyKey(functions, itemIndex);
  }
  if (!operation.answer) return [await call(functions, request, itemIndex)];
  const most = parameter("returnAll") === true ? null : Number(parameter("limit") ?? 50);
  if (operation.answer === "pages") return list(functions, request, most, itemIndex);
  const { data } = await call(functions, request, itemIndex);
  return most === null ? (data as IDataObject[]) : (data as IDataObject[]).slice(0, most);
}

/** Returns a parameter or, by "collection.name", a field of a collection; undefined if it is not set. */
function parameterOf(functions: IExecuteFunctions, name: string, itemIndex: number): unknown {
  const [first = "", field] = name.split(".");
  // n8n throws for a parameter without a value and without a default.
  const value = functions.getNodeParameter(first, itemIndex, null) ?? undefined;
  return field === undefined ? value : (value as IDataObject | undefined)?.[field];
}
