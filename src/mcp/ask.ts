import type { ClientCapabilities, InputRequiredResult, McpServer, ServerContext } from "@modelcontextprotocol/server";
import type { Sdk } from "./sdk.ts";
import type { ToolContext } from "./tool.ts";

const NAME = "confirm";
const SCHEMA = {
  type: "object" as const,
  properties: { confirm: { type: "boolean" as const, title: "Yes, send this message" } },
  required: ["confirm"],
};

/** Signs the state of a question, so that an answer counts only for the question that was asked. */
export type QuestionCodec = ReturnType<Sdk["createRequestStateCodec"]>;

/** Thrown by a tool to end the call with a question; the client repeats the call with the answer (revision 2026-07-28). */
export class InputNeeded extends Error {
  constructor(readonly result: InputRequiredResult) {
    super("the client is asked");
  }
}

/**
 * Returns a function that asks the person a yes-or-no question in the assistant's program (MCP, "Elicitation"): by an
 * `input_required` result in the newest revision, by a request of the server in earlier ones where the connection stays
 * open.
 */
export function asker(sdk: Sdk, server: McpServer, codec: QuestionCodec, context: ServerContext): ToolContext["ask"] {
  const { envelope, inputResponses, requestState, elicitInput } = context.mcpReq;
  return async (question, about) => {
    const declared = capabilitiesIn(sdk, envelope) ?? server.server.getClientCapabilities();
    if (!declared?.elicitation) return "unavailable";
    if (!envelope) {
      const { action, content } = await elicitInput({ mode: "form", message: question, requestedSchema: SCHEMA });
      return action === "accept" && content?.confirm === true ? "accepted" : "declined";
    }
    const digest = new Bun.CryptoHasher("sha256").update(JSON.stringify([about, question])).digest("base64url");
    const response = sdk.inputResponse(inputResponses, NAME);
    if (response.kind === "elicit" && requestState<{ digest: string }>()?.digest === digest) {
      return response.action === "accept" && response.content?.confirm === true ? "accepted" : "declined";
    }
    const inputRequests = { [NAME]: sdk.inputRequired.elicit({ message: question, requestedSchema: SCHEMA }) };
    throw new InputNeeded(sdk.inputRequired({ inputRequests, requestState: await codec.mint({ digest }, context) }));
  };
}

/** The capabilities that a request declares; the SDK hands them over as received. */
function capabilitiesIn(sdk: Sdk, envelope: object | undefined): ClientCapabilities | undefined {
  return (envelope as Record<string, ClientCapabilities> | undefined)?.[sdk.CLIENT_CAPABILITIES_META_KEY];
}
