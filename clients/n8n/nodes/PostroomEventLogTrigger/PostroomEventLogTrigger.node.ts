import type { IDataObject, INodeExecutionData, INodeType, INodeTypeDescription, IPollFunctions } from "n8n-workflow";
import { NodeApiError, NodeConnectionTypes } from "n8n-workflow";
import { eventsField } from "../../api/events";
import { type ApiFailure, call } from "../../api/request";

/** Pages of 100 events that one poll reads at most. The next poll reads the others. */
const MOST_PAGES = 20;

/** Position in the event log, as stored in the data of the workflow. A cursor belongs to the events of its requests. */
interface Position {
  cursor?: string;
  types?: string;
}

export class PostroomEventLogTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Postroom Event Log Trigger",
    name: "postroomEventLogTrigger",
    icon: { light: "file:../../icons/postroom.svg", dark: "file:../../icons/postroom.dark.svg" },
    group: ["trigger"],
    version: [1],
    subtitle: '={{$parameter["events"].join(", ")}}',
    description: "Starts the workflow for new events of Postroom's event log. Postroom need not reach n8n.",
    defaults: { name: "Postroom Event Log Trigger" },
    polling: true,
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: "postroomApi", required: true }],
    properties: [eventsField],
  };

  async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
    const types = [...(this.getNodeParameter("events") as string[])].sort().join(",");
    const test = this.getMode() === "manual";
    const position = this.getWorkflowStaticData("node") as Position;
    const resumes = position.cursor !== undefined && position.types === types;
    if (test) return itemsOf((await read(this, types, undefined, 10)).data as IDataObject[]);
    if (!resumes) {
      await start(this, types, position);
      return null;
    }
    const events: IDataObject[] = [];
    let cursor = position.cursor as string;
    for (let page = 0; page < MOST_PAGES; page++) {
      const answer = await read(this, types, cursor, 100).catch(async (error: unknown) => {
        if (page > 0 || !isRefusedCursor(error)) throw error;
        this.logger.warn("Postroom refused the stored position in its event log. Continuing with new events.");
        return null;
      });
      if (!answer) {
        await start(this, types, position);
        return null;
      }
      events.push(...(answer.data as IDataObject[]));
      cursor = String(answer.cursor);
      if (!answer.has_more) break;
    }
    position.cursor = cursor;
    return itemsOf(events);
  }
}

/** Stores the present end of the log, so that only new events start the workflow. */
async function start(functions: IPollFunctions, types: string, position: Position): Promise<void> {
  position.cursor = String((await read(functions, types, "latest", 1)).cursor);
  position.types = types;
}

function read(functions: IPollFunctions, types: string, after: string | undefined, limit: number) {
  return call(functions, { method: "GET", path: "/events", query: { types, after, limit } });
}

const itemsOf = (events: IDataObject[]): INodeExecutionData[][] | null =>
  events.length === 0 ? null : [events.map((json) => ({ json }))];

function isRefusedCursor(error: unknown): boolean {
  const failure = error instanceof NodeApiError ? (error.context.postroom as ApiFailure) : null;
  return failure?.code === "invalid_params" && failure.param === "after";
}
