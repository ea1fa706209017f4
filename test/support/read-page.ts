import { expect } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { faultsInBoth } from "./axe.ts";
import type { SettingsFixture } from "./settings-fixture.ts";

/** A thread of the sandbox, as GET /threads lists it. */
export interface ListedThread {
  id: string;
  subject: string;
  state: string;
  labels: string[];
  unread: boolean;
  starred: boolean;
}

/** The Read page in a browser, and the API behind it to compare with. */
export interface ReadPage {
  /** Opens a page and waits until no placeholder is left. */
  settled(hash: string): Promise<void>;
  /** Opens a page for the first time, so that it has no list from before. */
  fresh(hash: string): Promise<void>;
  /** Returns a thread by the beginning of its subject, wherever it is. @throws Error when there is none */
  thread(subject: string): Promise<ListedThread>;
  row(subject: string): Locator;
  button(name: string): Locator;
  toast(text: string): Locator;
  /** Undoes what a toast reports, and waits for the toast that confirms it. */
  undo(text: string, undone: string): Promise<void>;
  /** Expects no violation of accessibility in light and dark, and no page wider than the narrowest phone. */
  expectGoodPage(): Promise<void>;
}

const NARROWEST_PX = 320;
const STATES = ["inbox", "archived", "snoozed", "trash", "spam"];

/** @param key a key of the sandbox */
export function readPage(fixture: SettingsFixture, page: Page, key: string): ReadPage {
  const toast = (text: string) => page.locator(".toast").filter({ hasText: text });
  const settled = async (hash: string) => {
    await fixture.open(page, hash);
    await page.waitForFunction(() => document.querySelector("main .skeleton") === null);
  };
  return {
    settled,
    async fresh(hash) {
      await page.goto("about:blank");
      await settled(hash);
    },
    async thread(subject) {
      for (const state of STATES) {
        const { json } = await fixture.live.call("GET", `/threads?state=${state}&limit=100`, { key });
        const found = (json.data as ListedThread[]).find((one) => one.subject.startsWith(subject));
        if (found) return found;
      }
      throw new Error(`no thread: ${subject}`);
    },
    row: (subject) => page.locator(".thread").filter({ hasText: subject }),
    button: (name) => page.getByRole("button", { name, exact: true }),
    toast,
    async undo(text, undone) {
      await toast(text).getByRole("button", { name: "Undo" }).click();
      await toast(undone).waitFor();
    },
    async expectGoodPage() {
      expect(await faultsInBoth(page)).toEqual([]);
      const size = page.viewportSize()!;
      await page.setViewportSize({ width: NARROWEST_PX, height: size.height });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(NARROWEST_PX);
      await page.setViewportSize(size);
    },
  };
}
