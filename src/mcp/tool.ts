import type { Static, TObject } from "@sinclair/typebox";
import type { CallRoute } from "../http/internal-call.ts";
import type { Scope } from "../kernel/scopes.ts";
import type { AssistantSender, ConfirmedSends } from "../outbound/approvals/service.ts";
import type { MailText } from "./mail-text.ts";

/**
 * The effects of a tool, as hints for the client (MCP, `ToolAnnotations`). `read` changes nothing, `write` can be
 * undone, `destructive` should be confirmed by the user first.
 */
type ToolKind = "read" | "write" | "destructive";

/** The person's answer to a question in the assistant's program. `unavailable`: the program cannot ask, or no one answered. */
export type Answer = "accepted" | "declined" | "unavailable";

/** The services that the tools for sending use. */
interface Sending {
  sends: ConfirmedSends;
  sender: AssistantSender;
}

/** Facts that the API does not return, or not by this id. All are scoped to the caller. */
export interface Lookups {
  /** @throws ApiError not_found */
  contact(id: string): { vip: boolean; notes: string };
  /** The variables of a client profile by key. @throws ApiError not_found */
  profileVariables(id: string): Readonly<Record<string, string>>;
  /** Returns the input that creates an event again; null for an event of a series. @throws ApiError not_found */
  event(id: string): { title: string; start: string; end: string; attendees: string[] } | null;
  /** Returns the kind of a rule. @throws ApiError not_found */
  ruleKind(id: string): string;
  /** The message that an attachment belongs to. @throws ApiError not_found */
  messageOfAttachment(id: string): string;
}

/** Everything that a tool call may use. */
export interface ToolContext {
  /** Calls a route of the API as this connection. */
  call: CallRoute;
  /** Marks texts of other people, with the nonce of this call. */
  mail: MailText;
  scopes: readonly Scope[];
  sending: Sending;
  /** State before a change, for its undo. */
  before: Lookups;
  /** Records in the audit log that a change was refused. @param input of which the ids are recorded */
  refused(code: string, input: object): void;
  /** Returns the address on the settings page of the thing with this id. */
  pageUrl(id: string): string;
  /**
   * Asks the person a yes-or-no question in the assistant's program (MCP, "Elicitation").
   * @param confirmation checked confirmation of the send. The answer counts only for it, and while it is valid
   */
  ask(question: string, confirmation: string): Promise<Answer>;
}

/** A tool of the tool server, with its types erased. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  /** Scope that shows the tool and that a call requires. Parts of a tool can require further scopes. */
  scope: Scope;
  kind: ToolKind;
  /** Whether it can reach people or servers outside this machine. */
  reachesOthers: boolean;
  /** Whether the tool records its refused calls itself. */
  recordsRefusals: boolean;
  input: TObject;
  output: TObject;
  run(input: never, context: ToolContext): Promise<object>;
}

interface ToolSpec<I extends TObject, O extends TObject>
  extends Omit<Tool, "input" | "output" | "run" | "reachesOthers" | "recordsRefusals"> {
  reachesOthers?: true;
  recordsRefusals?: true;
  input: I;
  output: O;
  run(input: Static<I>, context: ToolContext): Promise<Readonly<Static<O>>>;
}

/** Declares a tool. Names, shapes and scopes are stable: a golden file holds them. */
export function tool<const I extends TObject, const O extends TObject>(spec: ToolSpec<I, O>): Tool {
  return { reachesOthers: false, recordsRefusals: false, ...spec };
}
