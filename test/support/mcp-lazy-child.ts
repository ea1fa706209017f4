/** Prints which modules of the tool server's libraries are loaded after the start, and after the first request to /mcp. */
import { startLiveApp } from "./live-app.ts";

const loaded = () => Object.keys(require.cache).some((path) => path.includes("/@modelcontextprotocol/"));
const live = await startLiveApp({ "mcp.enabled": "true" });
const after_start = loaded();
const headers = {
  Authorization: `Bearer ${live.key}`,
  "Content-Type": "application/json",
  Accept: "application/json, text/event-stream",
};
const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
const { status } = await fetch(`${live.app.server.url}/mcp`, { method: "POST", headers, body });
const result = { after_start, status, after_request: loaded() };
await live.close();
console.info(JSON.stringify(result));
process.exit(0);
