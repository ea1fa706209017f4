import type { ClientCapabilities, InputRequiredResult, McpServer, ServerContext } from "@modelcontextprotocol/server";
import type { Clock } from "../kernel/clock.ts";
import { expiryOf } from "../outbound/approvals/confirmation.ts";
import type { Sdk } from "./sdk.ts";
import type { Answer, ToolContext } from "./tool.ts";

const NAME = "confirm";
/** Time that stays for the send to wait for an approval, after no one has answered. */
const REST_MS = 5_000;
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

interface AskerParts {
  sdk: Sdk;
  server: McpServer;
  codec: QuestionCodec;
  clock: Clock;
}

/**
 * Returns a function that asks the person a yes-or-no question in the assistant's program (MCP, "Elicitation"): by an
 * `input_required` result in the newest revision, by a request of the server in earlier ones where the connection stays
 * open.
 */
export function asker({ sdk, server, codec, clock }: AskerParts, context: ServerContext): ToolContext["ask"] {
  const { envelope, inputResponses, requestState } = context.mcpReq;
  return async (question, confirmation) => {
    const declared = capabilitiesIn(sdk, envelope) ?? server.server.getClientCapabilities();
    if (!showsForms(declared)) return "unavailable";
    if (!envelope) {
      const timeout = Math.max(1, expiryOf(confirmation) - clock.now() - REST_MS);
      return askNow(sdk, context, question, timeout);
    }
    const digest = new Bun.CryptoHasher("sha256").update(`${confirmation}\n${question}`).digest("base64url");
    const response = sdk.inputResponse(inputResponses, NAME);
    if (response.kind === "elicit" && requestState<{ digest: string }>()?.digest === digest) {
      return response.action === "accept" && response.content?.confirm === true ? "accepted" : "declined";
    }
    const inputRequests = { [NAME]: sdk.inputRequired.elicit({ message: question, requestedSchema: SCHEMA }) };
    throw new InputNeeded(sdk.inputRequired({ inputRequests, requestState: await codec.mint({ digest }, context) }));
  };
}

/** Asks over an open connection, and waits for the answer. */
async function askNow(sdk: Sdk, { mcpReq }: ServerContext, message: string, timeout: number): Promise<Answer> {
  const { elicitInput, signal } = mcpReq;
  try {
    const { action, content } = await elicitInput(
      { mode: "form", message, requestedSchema: SCHEMA },
      { timeout, signal },
    );
    return action === "accept" && content?.confirm === true ? "accepted" : "declined";
  } catch (error) {
    // A call that the client has canceled must not ask for an approval.
    if (signal.aborted || !isUnanswered(sdk, error)) throw error;
    return "unavailable";
  }
}

/** Returns whether the client could not ask, or gave no valid answer in time. */
function isUnanswered(sdk: Sdk, error: unknown): boolean {
  if (error instanceof sdk.ProtocolError) return true;
  const { RequestTimeout, CapabilityNotSupported, InvalidResult } = sdk.SdkErrorCode;
  return error instanceof sdk.SdkError && [RequestTimeout, CapabilityNotSupported, InvalidResult].includes(error.code);
}

/** Returns whether a client can show a form. One that names no kind of question can (MCP, revision 2025-06-18). */
function showsForms(declared: ClientCapabilities | undefined): boolean {
  const kinds: unknown = declared?.elicitation;
  if (typeof kinds !== "object" || kinds === null) return false;
  return "form" in kinds || Object.keys(kinds).length === 0;
}

/** The capabilities that a request declares; the SDK hands them over as received. */
function capabilitiesIn(sdk: Sdk, envelope: object | undefined): ClientCapabilities | undefined {
  return (envelope as Record<string, ClientCapabilities> | undefined)?.[sdk.CLIENT_CAPABILITIES_META_KEY];
}
