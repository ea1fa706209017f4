/** How an assistant reaches the tool server. */
type Reach = "local" | "network" | "public";

/** How an assistant proves whose it is: a sign-in in the browser with the consent page, or an API key. */
export type SignIn = "browser" | "key";

export interface Client {
  id: string;
  name: string;
  reach: Reach;
  signIns: readonly [SignIn, ...SignIn[]];
  /** Where the text is entered, and what to do after that. */
  steps(signIn: SignIn): readonly string[];
  /** The text to copy. @param url of the tool server */
  snippet(url: string, signIn: SignIn): string;
}

const DATA_FOLDER = "If Postroom does not use the default data folder, add the arguments --data and the folder.";
const KEY = "YOUR_API_KEY";
const BEARER = { Authorization: `Bearer ${KEY}` };
const json = (value: unknown) => JSON.stringify(value, null, 2);
const withKey = (signIn: SignIn) => (signIn === "key" ? { headers: BEARER } : {});

/** The assistants with known settings, in the formats that they read in November 2026. */
export const CLIENTS: readonly Client[] = [
  {
    id: "claude-desktop",
    name: "Claude Desktop, on this computer",
    reach: "local",
    signIns: ["key"],
    steps: () => [
      "In Claude Desktop, open Settings, Developer, Edit config.",
      "Add this to claude_desktop_config.json. If “postroom” is not found, enter the full path of the executable.",
      DATA_FOLDER,
      "Quit Claude Desktop and open it again.",
    ],
    snippet: () =>
      json({ mcpServers: { postroom: { command: "postroom", args: ["mcp"], env: { POSTROOM_API_KEY: KEY } } } }),
  },
  {
    id: "claude",
    name: "Claude (web, desktop and mobile)",
    reach: "public",
    signIns: ["browser"],
    steps: () => [
      "In Claude, open Settings, Connectors, and choose Add custom connector.",
      "Enter this address and connect.",
    ],
    snippet: (url) => url,
  },
  {
    id: "claude-code",
    name: "Claude Code",
    reach: "network",
    signIns: ["browser", "key"],
    steps: (signIn) => [
      "Run this command in a terminal.",
      signIn === "browser"
        ? "In Claude Code, run /mcp, choose postroom and sign in."
        : "In Claude Code, run /mcp to check.",
    ],
    snippet: (url, signIn) =>
      `claude mcp add --scope user --transport http postroom ${url}` +
      (signIn === "key" ? ` \\\n  --header "Authorization: Bearer ${KEY}"` : ""),
  },
  {
    id: "chatgpt",
    name: "ChatGPT",
    reach: "public",
    signIns: ["browser"],
    steps: () => [
      "In ChatGPT on the web, open Settings, Apps (or Connectors), Advanced settings, and turn on Developer mode.",
      "Create an app with this address and OAuth authentication.",
    ],
    snippet: (url) => url,
  },
  {
    id: "cursor",
    name: "Cursor",
    reach: "network",
    signIns: ["browser", "key"],
    steps: (signIn) => [
      "Add this to ~/.cursor/mcp.json.",
      signIn === "browser" ? "In Cursor, open the settings of MCP servers and sign in to postroom." : "Restart Cursor.",
    ],
    snippet: (url, signIn) => json({ mcpServers: { postroom: { url, ...withKey(signIn) } } }),
  },
  {
    id: "vscode",
    name: "VS Code",
    reach: "network",
    signIns: ["browser", "key"],
    steps: (signIn) => [
      "Run “MCP: Open User Configuration” from the command palette.",
      signIn === "browser"
        ? "Add this to mcp.json, start the server there, and sign in."
        : "Add this to mcp.json and start the server there. VS Code asks for the key and stores it.",
    ],
    snippet: (url, signIn) =>
      json(
        signIn === "browser"
          ? { servers: { postroom: { type: "http", url } } }
          : {
              inputs: [{ type: "promptString", id: "postroom-key", description: "Postroom API key", password: true }],
              servers: {
                // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of VS Code
                postroom: { type: "http", url, headers: { Authorization: "Bearer ${input:postroom-key}" } },
              },
            },
      ),
  },
  {
    id: "gemini-cli",
    name: "Gemini CLI",
    reach: "network",
    signIns: ["browser", "key"],
    steps: (signIn) => [
      "Add this to ~/.gemini/settings.json and restart Gemini CLI.",
      signIn === "browser" ? "Run /mcp auth postroom and sign in." : "Run /mcp to check.",
    ],
    snippet: (httpUrl, signIn) => json({ mcpServers: { postroom: { httpUrl, ...withKey(signIn) } } }),
  },
  {
    id: "lm-studio",
    name: "LM Studio",
    reach: "network",
    signIns: ["key"],
    steps: () => ["In LM Studio, open the Program tab, Install, Edit mcp.json.", "Add this and save."],
    snippet: (url) => json({ mcpServers: { postroom: { url, headers: BEARER } } }),
  },
  {
    id: "open-webui",
    name: "Open WebUI",
    reach: "network",
    signIns: ["key", "browser"],
    steps: (signIn) => [
      "In Open WebUI, open Admin Settings, External Tools, and add a server of type MCP (Streamable HTTP).",
      signIn === "key"
        ? "Enter this address, choose Bearer authentication, and enter the key."
        : "Enter this address, choose OAuth 2.1 authentication, and register the client.",
      "If Open WebUI runs in a container, replace 127.0.0.1 or localhost with host.docker.internal.",
    ],
    snippet: (url) => url,
  },
  {
    id: "home-assistant",
    name: "Home Assistant",
    reach: "network",
    signIns: ["browser"],
    steps: () => [
      "In Home Assistant, open Settings, Devices & services, Add integration, Model Context Protocol.",
      "Enter this address and sign in. Home Assistant must be able to register itself, as recent releases do.",
    ],
    snippet: (url) => url,
  },
  {
    id: "other-local",
    name: "Another program on this computer",
    reach: "local",
    signIns: ["key"],
    steps: () => [
      "Configure the program to start this command, which speaks MCP over standard input and output.",
      DATA_FOLDER,
    ],
    snippet: () => `POSTROOM_API_KEY=${KEY} postroom mcp`,
  },
  {
    id: "other",
    name: "Another program over HTTP",
    reach: "network",
    signIns: ["browser", "key"],
    steps: (signIn) => [
      signIn === "browser"
        ? "Enter this address. The program registers itself and opens the browser."
        : `Enter this address, and the header “Authorization: Bearer ${KEY}”.`,
    ],
    snippet: (url) => url,
  },
];

/** Returns whether other machines on the internet can reach an address over HTTPS, as far as the address shows. */
export function isPublicHttps(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return (
    protocol === "https:" &&
    hostname.includes(".") &&
    !/^[\d.]+$/.test(hostname) &&
    !/\.(local|lan|home|internal|localhost)$/.test(hostname)
  );
}

/** Returns whether an address works only on the computer on which Postroom runs. */
export function isLoopback(url: string): boolean {
  return /^(localhost|127\..*|\[::1\])$/.test(new URL(url).hostname);
}
