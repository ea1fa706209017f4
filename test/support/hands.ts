import type { Page } from "playwright-core";

type Role = "button" | "link" | "textbox" | "checkbox" | "combobox" | "switch" | "radio";

/** How a person operates a page: with a mouse, or with the keyboard alone. */
export interface Hands {
  /** Activates a control with an exact name. */
  press(role: Role, name: string | RegExp): Promise<void>;
  /** Replaces the text of a field. @param group the group of fields that has it, if several have one of this name */
  type(name: string, text: string, group?: string): Promise<void>;
  /** Chooses an option of a list. */
  choose(name: string, value: string, group?: string): Promise<void>;
}

/** More stops than any page has. */
const MAX_STOPS = 400;

const control = (page: Page, role: Role, name: string | RegExp) =>
  page.getByRole(role, { name, exact: typeof name === "string" }).first();

function field(page: Page, name: string, group?: string) {
  const within = group === undefined ? page : page.getByRole("group", { name: group });
  return within.getByLabel(name, { exact: true });
}

export function mouse(page: Page): Hands {
  return {
    press: (role, name) => control(page, role, name).click(),
    type: (name, text, group) => field(page, name, group).fill(text),
    choose: async (name, value, group) => void (await field(page, name, group).selectOption(value)),
  };
}

/** Moves from control to control with Tab, as a person without a mouse does. */
export function keyboard(page: Page): Hands {
  const reach = async (target: ReturnType<typeof control>) => {
    await target.waitFor();
    for (let stop = 0; stop < MAX_STOPS; stop++) {
      if (await target.evaluate((element) => element === document.activeElement)) return;
      await page.keyboard.press("Tab");
    }
    throw new Error(`the Tab key does not reach ${target}`);
  };
  return {
    async press(role, name) {
      await reach(control(page, role, name));
      await page.keyboard.press(role === "link" || role === "button" ? "Enter" : "Space");
    },
    async type(name, text, group) {
      await reach(field(page, name, group));
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.insertText(text);
    },
    async choose(name, value, group) {
      const list = field(page, name, group);
      await reach(list);
      const options = await list
        .locator("option")
        .evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value));
      await page.keyboard.press("Home");
      for (let i = 0; i < options.indexOf(value); i++) await page.keyboard.press("ArrowDown");
    },
  };
}
