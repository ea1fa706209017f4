import { expect, test } from "bun:test";
import { createHarness } from "../../test/support/http-harness.ts";
import { llmsPage } from "./llms-txt.ts";

test("/llms.txt has the form of llmstxt.org and names the tool server only while it is on", async () => {
  let isOn = false;
  const h = createHarness({ pages: [llmsPage(() => isOn)] });
  const get = () => h.call("GET", "//llms.txt", { key: null });
  const off = await get();
  expect(off.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(off.text).toMatch(/^# Postroom\n\n> .+\n\n/);
  const links = (text: string) => [...text.matchAll(/^- \[.+\]\((.+?)\): .+$/gm)].map(([, link]) => link);
  expect(links(off.text)).toEqual(["v1/openapi.json", "v1/docs", "app/"]);
  isOn = true;
  expect(links((await get()).text)).toEqual(["mcp", "v1/openapi.json", "v1/docs", "app/"]);
  h.close();
});
