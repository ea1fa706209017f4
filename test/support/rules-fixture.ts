import { expect } from "bun:test";
import type { Page } from "playwright-core";
import type { RuleItem } from "../../src/features/rules/model.ts";
import { type SettingsFixture, startSettings } from "./settings-fixture.ts";

/** The settings page in sandbox mode, with rules that the API created. */
export interface RulesFixture {
  settings: SettingsFixture;
  page: Page;
  /** Requests about rules that the server refused since the last `given`. */
  refused: string[];
  /** Replaces all rules. @returns their ids */
  given(...bodies: object[]): Promise<string[]>;
  rules(): Promise<RuleItem[]>;
  /** Names of all rules, in order. */
  names(): Promise<(string | null)[]>;
  remove(id: string): Promise<unknown>;
  /** Opens a page that is read anew, also if it is the current one. */
  show(hash: string): Promise<void>;
  /** Waits until a live region has this text. */
  announced(text: RegExp): Promise<void>;
  /** Waits for the response to a new order. */
  reordered(): Promise<unknown>;
}

export async function startRules(): Promise<RulesFixture> {
  const settings = await startSettings();
  const { page } = await settings.profile();
  await settings.setUp(page);
  await page.evaluate(() => localStorage.setItem("postroom.sandbox", "1"));
  await page.reload();
  await page.getByText("You are in the sandbox").waitFor();
  const key = settings.live.newKey({ test: true });
  const refused: string[] = [];
  page.on("response", (response) => {
    if (response.status() < 400 || !response.url().includes("/v1/rules")) return;
    refused.push(`${response.request().method()} ${response.url()}`);
  });
  const rules = async (): Promise<RuleItem[]> => (await settings.live.call("GET", "/rules", { key })).json.data;
  return {
    settings,
    page,
    refused,
    rules,
    names: async () => (await rules()).map(({ name }) => name),
    async given(...bodies) {
      for (const { id } of await rules()) await settings.live.call("DELETE", `/rules/${id}`, { key });
      const ids: string[] = [];
      for (const body of bodies) {
        const { status, json } = await settings.live.call("POST", "/rules", { key, body });
        expect(status).toBe(200);
        ids.push(json.id);
      }
      refused.length = 0;
      return ids;
    },
    remove: (id) => settings.live.call("DELETE", `/rules/${id}`, { key }),
    async show(hash) {
      await settings.open(page, "#/nothing-here");
      await settings.open(page, hash);
    },
    announced: (text) => page.getByRole("status").filter({ hasText: text }).waitFor(),
    reordered: () => page.waitForResponse((response) => response.url().endsWith("/rules/order")),
  };
}

/** Mail from one company gets a label. */
export const sorting = (name: string | null, more = {}) => ({
  name,
  conditions: [{ field: "from_domain", op: "contains", value: "harbourline" }],
  actions: [{ type: "addLabel", value: "Harbourline" }],
  ...more,
});

/** The agent may handle mail from senders that contain a text, which by default are all. */
export const permits = (name: string | null, mode: string, value = "@", more = {}) => ({
  kind: "agent",
  name,
  conditions: [{ field: "from", op: "contains", value }],
  actions: [{ type: "setMode", value: mode }],
  ...more,
});
