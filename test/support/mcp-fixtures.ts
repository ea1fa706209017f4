import type {
  CallToolResult,
  InputRequest,
  InputRequiredResult,
  McpServer,
  ServerContext,
  Tool,
} from "@modelcontextprotocol/server";
import { CATALOG } from "../../src/mcp/catalog.ts";
import type { Extension } from "../../src/mcp/server.ts";

type Result = CallToolResult | InputRequiredResult;
type Sdk = Parameters<Extension>[0];

interface Fixture {
  properties?: Record<string, object>;
  run(call: FixtureCall): Result | Promise<Result>;
}

/** The services that a fixture tool may use. */
interface FixtureCall {
  sdk: Sdk;
  input: Record<string, unknown>;
  context: ServerContext;
  /** Signs the state of a question. */
  sign(state: object): Promise<string>;
}

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
/** A WAV file without samples. */
const SILENCE = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";

const text = (value: string) => ({ type: "text" as const, text: value });
const image = () => ({ type: "image" as const, data: PIXEL, mimeType: "image/png" });
const said = (value: string): CallToolResult => ({ content: [text(value)] });
const resource = (uri: string, value: string, mimeType = "text/plain") => ({
  type: "resource" as const,
  resource: { uri, mimeType, text: value },
});

/** A form with one required field. */
function form(sdk: Sdk, message: string, field: string, type: "string" | "boolean" = "string") {
  const properties = { [field]: { type } as { type: "string" } };
  return sdk.inputRequired.elicit({ message, requestedSchema: { type: "object", properties, required: [field] } });
}

function sampling(sdk: Sdk, question: string) {
  const messages = [{ role: "user" as const, content: text(question) }];
  return sdk.inputRequired.createMessage({ messages, maxTokens: 50 });
}

const accepted = ({ sdk, context }: FixtureCall, name: string) =>
  sdk.acceptedContent(context.mcpReq.inputResponses, name);
const capabilities = ({ sdk, context }: FixtureCall): Record<string, object> => {
  const envelope = context.mcpReq.envelope as Record<string, Record<string, object>> | undefined;
  return envelope?.[sdk.CLIENT_CAPABILITIES_META_KEY] ?? {};
};

/** A tool that asks for a confirmation with a signed state. */
async function confirm(call: FixtureCall): Promise<Result> {
  const { sdk, context, sign } = call;
  if (accepted(call, "confirm") && context.mcpReq.requestState<object>()) return said("state-ok");
  const inputRequests = { confirm: form(sdk, "Please confirm", "ok", "boolean") };
  return sdk.inputRequired({ inputRequests, requestState: await sign({ step: 1 }) });
}

const TOOLS: Record<string, Fixture> = {
  test_simple_text: { run: () => said("A text for the test.") },
  test_image_content: { run: () => ({ content: [image()] }) },
  test_audio_content: { run: () => ({ content: [{ type: "audio", data: SILENCE, mimeType: "audio/wav" }] }) },
  test_embedded_resource: { run: () => ({ content: [resource("test://embedded-resource", "An embedded text.")] }) },
  test_multiple_content_types: {
    run: () => ({
      content: [text("Three kinds:"), image(), resource("test://mixed-content-resource", "{}", "application/json")],
    }),
  },
  test_error_handling: {
    run: () => {
      throw new Error("This tool always fails.");
    },
  },
  test_tool_with_progress: {
    async run({ context }) {
      const progressToken = context.mcpReq._meta?.progressToken ?? 0;
      for (const progress of [0, 50, 100]) {
        await context.mcpReq.notify({
          method: "notifications/progress",
          params: { progressToken, progress, total: 100 },
        });
      }
      return said("done");
    },
  },
  test_tool_with_logging: {
    async run({ context }) {
      for (const data of ["started", "working", "finished"]) {
        await context.mcpReq.notify({ method: "notifications/message", params: { level: "info", data } });
      }
      return said("done");
    },
  },
  test_logging_tool: { run: () => said("Nothing was logged.") },
  test_streaming_elicitation: {
    run: ({ sdk }) => sdk.inputRequired({ inputRequests: { user_name: form(sdk, "Your name?", "name") } }),
  },
  test_missing_capability: {
    run(call) {
      const { inputRequired } = call.sdk;
      return inputRequired({ inputRequests: { greeting: sampling(call.sdk, "Write a greeting.") } });
    },
  },
  test_input_required_result_elicitation: {
    run(call) {
      const name = accepted(call, "user_name")?.name;
      if (typeof name === "string") return said(`Hello, ${name}!`);
      const inputRequests = { user_name: form(call.sdk, "What is your name?", "name") };
      return call.sdk.inputRequired({ inputRequests });
    },
  },
  test_input_required_result_sampling: {
    run({ sdk, context }) {
      const answer = sdk.inputResponse(context.mcpReq.inputResponses, "capital_question");
      if (answer.kind === "sampling") return said(JSON.stringify(answer));
      const inputRequests = { capital_question: sampling(sdk, "What is the capital of France?") };
      return sdk.inputRequired({ inputRequests });
    },
  },
  test_input_required_result_list_roots: {
    run({ sdk, context }) {
      const answer = sdk.inputResponse(context.mcpReq.inputResponses, "client_roots");
      if (answer.kind === "roots") return said(JSON.stringify(answer));
      return sdk.inputRequired({ inputRequests: { client_roots: sdk.inputRequired.listRoots() } });
    },
  },
  test_input_required_result_request_state: { run: confirm },
  test_input_required_result_tampered_state: { run: confirm },
  test_input_required_result_multiple_inputs: {
    async run(call) {
      const { sdk, sign } = call;
      if (accepted(call, "user_name")) return said("All answers arrived.");
      const inputRequests = {
        user_name: form(sdk, "What is your name?", "name"),
        greeting: sampling(sdk, "Write a greeting."),
        client_roots: sdk.inputRequired.listRoots(),
      };
      return sdk.inputRequired({ inputRequests, requestState: await sign({ step: 1 }) });
    },
  },
  test_input_required_result_multi_round: {
    async run(call) {
      const { sdk, context, sign } = call;
      const step = context.mcpReq.requestState<{ step: number }>()?.step ?? 0;
      if (step === 2 && accepted(call, "step2")) return said("Both steps are done.");
      const isSecond = step === 1 && accepted(call, "step1") !== undefined;
      const inputRequests: Record<string, InputRequest> = isSecond
        ? { step2: form(sdk, "Step 2: Which color?", "color") }
        : { step1: form(sdk, "Step 1: Which name?", "name") };
      return sdk.inputRequired({ inputRequests, requestState: await sign({ step: isSecond ? 2 : 1 }) });
    },
  },
  test_input_required_result_capabilities: {
    run(call) {
      const declared = capabilities(call);
      return call.sdk.inputRequired({
        inputRequests: {
          ...(declared.sampling && { greeting: sampling(call.sdk, "Write a greeting.") }),
          ...(declared.elicitation && { user_name: form(call.sdk, "What is your name?", "name") }),
        },
      });
    },
  },
};

/** Registers the tools, resources and prompts that the conformance suite calls, beside those of the product. */
export const conformanceFixtures: Extension = (sdk, server, questions) => {
  const listed: Tool[] = [];
  for (const [name, { properties = {}, run }] of Object.entries(TOOLS)) {
    const schema = { type: "object" as const, properties };
    const inputSchema = sdk.fromJsonSchema<Record<string, unknown>>(schema);
    const description = `Fixture ${name} of the conformance suite.`;
    listed.push({ name, description, inputSchema: schema as Tool["inputSchema"] });
    server.registerTool(name, { description, inputSchema }, (input: Record<string, unknown>, context) => {
      const sign = (state: object) => questions.mint(state as never, context);
      return run({ sdk, input, context, sign });
    });
  }
  const own = [...CATALOG.values()].map((entry) => entry.listed);
  server.server.setRequestHandler("tools/list", () => ({ tools: [...own, ...listed] as Tool[] }));
  registerResources(sdk, server);
  registerPrompts(sdk, server);
};

function registerResources(sdk: Sdk, server: McpServer): void {
  server.registerResource("static-text", "test://static-text", { mimeType: "text/plain" }, ({ href }) => ({
    contents: [{ uri: href, mimeType: "text/plain", text: "A text resource." }],
  }));
  server.registerResource("static-binary", "test://static-binary", { mimeType: "image/png" }, ({ href }) => ({
    contents: [{ uri: href, mimeType: "image/png", blob: PIXEL }],
  }));
  const template = new sdk.ResourceTemplate("test://template/{id}/data", { list: undefined });
  server.registerResource("template", template, { mimeType: "application/json" }, ({ href }, { id }) => ({
    contents: [{ uri: href, mimeType: "application/json", text: JSON.stringify({ id }) }],
  }));
}

function registerPrompts(sdk: Sdk, server: McpServer): void {
  const takes = (...names: string[]) =>
    sdk.fromJsonSchema<Record<string, string>>({
      type: "object",
      properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
      required: names,
    });
  const user = <T>(content: T) => ({ role: "user" as const, content });
  server.registerPrompt("test_simple_prompt", { description: "A prompt." }, () => ({
    messages: [user(text("A prompt for the test."))],
  }));
  server.registerPrompt(
    "test_prompt_with_arguments",
    { description: "A prompt with two arguments.", argsSchema: takes("arg1", "arg2") },
    ({ arg1, arg2 }: Record<string, string>) => ({ messages: [user(text(`arg1 is '${arg1}', arg2 is '${arg2}'`))] }),
  );
  server.registerPrompt(
    "test_prompt_with_embedded_resource",
    { description: "A prompt with a resource.", argsSchema: takes("resourceUri") },
    ({ resourceUri }: Record<string, string>) => ({ messages: [user(resource(resourceUri!, "An embedded text."))] }),
  );
  server.registerPrompt("test_prompt_with_image", { description: "A prompt with an image." }, () => ({
    messages: [user(image())],
  }));
  server.registerPrompt("test_input_required_result_prompt", { description: "A prompt that asks." }, (context) => {
    const answer = sdk.acceptedContent((context as ServerContext).mcpReq.inputResponses, "user_context");
    if (answer) return { messages: [user(text(JSON.stringify(answer)))] };
    return sdk.inputRequired({ inputRequests: { user_context: form(sdk, "Which context?", "context") } }) as never;
  });
  server.server.registerCapabilities({ completions: {}, logging: {} });
  server.server.setRequestHandler("completion/complete", () => ({ completion: { values: [], total: 0 } }));
}
