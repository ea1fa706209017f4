import type { Browser, BrowserContext, Page } from "playwright-core";
import type { OptionKey } from "../../src/platform/config/table.ts";
import { openBrowser } from "./browser.ts";
import { type Dovecot, startDovecot } from "./dovecot.ts";
import { type LiveApp, startLiveApp } from "./live-app.ts";
import { type ScriptedSmtp, startScriptedSmtp } from "./smtp-server.ts";

/** The owner that `setUp` creates. */
export const OWNER = { email: "ada@home.example", password: "a quiet morning in May" } as const;

export type Flags = Partial<Record<OptionKey, string>>;

/** The settings page in a real browser, with the whole program behind it. */
export interface SettingsFixture {
  live: LiveApp;
  browser: Browser;
  /** "http://localhost:PORT" and the base path: a host name, because an IP address has no passkeys. */
  origin: string;
  /** Addresses of other origins that any page requested. */
  strays: string[];
  /** Errors of pages: scripts that failed, and requests that the policy refused. */
  complaints: string[];
  /** Creates another browser profile, signed out. @param trusting accepts the certificates of test servers */
  profile(options?: {
    width?: number;
    dark?: boolean;
    trusting?: boolean;
  }): Promise<{ context: BrowserContext; page: Page }>;
  /** Opens a page by its hash: "#/keys". */
  open(page: Page, hash: string): Promise<void>;
  /** Completes the first-run pages. @returns the recovery key */
  setUp(page: Page): Promise<string>;
  signIn(page: Page, email?: string, password?: string): Promise<void>;
  close(): Promise<void>;
}

export async function startSettings(flags: Flags = {}): Promise<SettingsFixture> {
  const live = await startLiveApp(flags);
  const browser = await openBrowser().catch(async (error) => {
    await live.close();
    throw error;
  });
  const origin = live.app.browserUrl;
  const strays: string[] = [];
  const complaints: string[] = [];

  const open: SettingsFixture["open"] = async (page, hash) => {
    await page.goto(`${origin}/app/${hash}`);
    // When only the fragment changes, the previous page remains until the next frame.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    await page.locator("h1").first().waitFor();
  };
  return {
    live,
    browser,
    origin,
    strays,
    complaints,
    async profile({ width = 1280, dark = false, trusting = false } = {}) {
      const viewport = { width, height: width < 600 ? 780 : 860 };
      const context = await browser.newContext({
        viewport,
        colorScheme: dark ? "dark" : "light",
        reducedMotion: "reduce",
        ignoreHTTPSErrors: trusting,
      });
      context.on("request", (request) => {
        const url = request.url();
        if (!url.startsWith(`${new URL(origin).origin}/`) && !url.startsWith("data:") && !url.startsWith("blob:")) {
          strays.push(url);
        }
      });
      const page = await context.newPage();
      page.on("pageerror", (error) => complaints.push(String(error)));
      page.on("console", (message) => {
        if (message.type() === "error" && /Content Security Policy|Refused to/.test(message.text())) {
          complaints.push(message.text());
        }
      });
      return { context, page };
    },
    open,
    async setUp(page) {
      await page.goto(live.app.setupUrl!);
      await page.getByLabel("Email address").fill(OWNER.email);
      await page.getByLabel("Password").fill(OWNER.password);
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByRole("button", { name: "Create account" }).click();
      await page.getByRole("heading", { name: "Your recovery key" }).waitFor();
      const recovery_key = (await page.locator(".copy-box code").textContent()) ?? "";
      await page.getByLabel("I saved the recovery key in a safe place").check();
      await page.getByRole("button", { name: "Connect first mailbox" }).click();
      await page.getByRole("heading", { name: "Connect a mailbox" }).waitFor();
      return recovery_key;
    },
    async signIn(page, email = OWNER.email, password = OWNER.password) {
      await page.goto(`${origin}/app/`);
      await page.getByLabel("Email address").fill(email);
      await page.getByLabel("Password").fill(password);
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await page.getByRole("heading", { name: "Today", level: 1 }).waitFor();
    },
    async close() {
      await browser.close();
      await live.close();
    },
  };
}

/** A mail server for the page to connect to: IMAP by Dovecot, and an SMTP server that accepts everything. */
export interface MailServers {
  dovecot: Dovecot;
  smtp: ScriptedSmtp;
  stop(): Promise<void>;
}

export async function startMailServers(): Promise<MailServers> {
  const dovecot = await startDovecot();
  const smtp = await startScriptedSmtp();
  return {
    dovecot,
    smtp,
    async stop() {
      await dovecot.stop();
      await smtp.stop();
    },
  };
}

/** Enters the servers of Alice's mailbox in the page's form and presses the button. */
export async function connectAlice(page: Page, { dovecot, smtp }: MailServers, password?: string): Promise<void> {
  await page.getByLabel("Email address").fill("alice@mail.test");
  await page.getByRole("button", { name: "Find servers" }).click();
  await page.getByLabel("Mailbox password").waitFor();
  const edit = page.getByRole("button", { name: "Edit servers" });
  if (await edit.isVisible()) await edit.click();
  const { username, password: right } = dovecot.logins.alice;
  await page.getByLabel("Username").fill(username);
  await server(page, "Incoming mail (IMAP)", "127.0.0.1", dovecot.imapPort);
  await server(page, "Outgoing mail (SMTP)", smtp.login.host, smtp.login.port);
  await page.getByLabel("Mailbox password").fill(password ?? right);
  await page.getByRole("button", { name: "Test and connect" }).click();
}

async function server(page: Page, group: string, host: string, port: number): Promise<void> {
  const fields = page.getByRole("group", { name: group });
  await fields.getByLabel("Server").fill(host);
  await fields.getByLabel("Port").fill(String(port));
  await fields.getByLabel("Encryption").selectOption("none");
}
