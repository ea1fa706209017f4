/** The SDK, which is loaded at the first use of the tool server: start-up and memory stay as they are without it. */
export type Sdk = typeof import("@modelcontextprotocol/server");
