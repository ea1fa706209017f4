import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
// Installed as a dependency of transformers.js.
import sharp from "sharp";
import { TargetStore } from "../src/features/notifications/targets-store.ts";
import type { Platform } from "../src/platform/platform.ts";
import { IMPORTED, SHOTS, type Shot } from "./screenshot-pages.ts";
import { approvalFixture } from "./support/approval-fixture.ts";
import { createAuthority } from "./support/certificates.ts";
import { startReceiver } from "./support/https-receiver.ts";
import { importMbox } from "./support/imported-mail.ts";
import { mailText } from "./support/mail-text.ts";
import { connectAlice, type SettingsFixture, startMailServers, startSettings } from "./support/settings-fixture.ts";

/**
 * Writes docs/screenshots, every page of the settings page in light, in dark and on a phone, and docs/images, the two
 * images of the README. The pages are in screenshot-pages.ts. Runs the whole program with some mail in it. All: `bun test/screenshots.ts`. Some, by name:
 * `bun test/screenshots.ts today search`. The README's: `bun test/screenshots.ts readme`.
 */

const FOLDER = join(import.meta.dir, "../docs/screenshots");
const README_FOLDER = join(import.meta.dir, "../docs/images");
const README_VIEWPORT = { width: 1280, height: 820 };
const DESKTOP = { width: 1180, height: 800 };
const PHONE = { width: 360, height: 740 };
const DAY_MS = 86_400_000;

const THEMES = [
  { name: "light", viewport: DESKTOP, dark: false },
  { name: "dark", viewport: DESKTOP, dark: true },
  { name: "phone", viewport: PHONE, dark: false },
] as const;

const only = process.argv.slice(2);
const wanted = (name: string) => only.length === 0 || only.includes(name);

mkdirSync(FOLDER, { recursive: true });
if (only.length === 0) for (const name of readdirSync(FOLDER)) rmSync(join(FOLDER, name));
const authority = createAuthority();
const receiver = await startReceiver(authority.issue(["127.0.0.1"]));
receiver.behave = () => ({ status: 200, headers: { "Content-Type": "application/json" }, body: '{ "ok": true }' });
const servers = await startMailServers();
const mails = Array.from({ length: 120 }, (_, i) => ({
  raw: mailText({ id: `letter-${i}`, subject: `Letter ${i}` }),
}));
servers.dovecot.loadMaildir("alice", "INBOX", mails);
servers.dovecot.loadMaildir("alice", "Projects", mails.slice(0, 30));
// Its name is in the images.
const nas = join(tmpdir(), "nas", "postroom");
mkdirSync(nas, { recursive: true });
const fixture = await startSettings({
  "backup.to": nas,
  "mcp.enabled": "true",
  "webhooks.allow": "127.0.0.1",
  "webhooks.ca_file": authority.ca_file,
  "limits.autopilot.sends_per_day": "1000",
  "limits.autopilot.requests_per_day": "20000",
});
try {
  const { page } = await fixture.profile();
  await firstRun(page);
  await connectAlice(page, servers);
  await page.getByText("Live", { exact: true }).first().waitFor();
  await page.getByRole("button", { name: "Verify" }).click();
  await page.getByRole("heading", { name: /messages are here/ }).waitFor();
  await fill(fixture);
  for (const { name, viewport, dark } of THEMES) {
    const { context, page: own } = await fixture.profile({ dark });
    await own.setViewportSize(viewport);
    await own.goto(`${fixture.origin}/app/`);
    await own.getByRole("heading", { name: "Sign in" }).waitFor();
    await take(own, `sign-in-${name}`);
    await fixture.signIn(own);
    for (const shot of SHOTS) if (wanted(shot.name)) await shoot(own, shot, name);
    await context.close();
  }
  if (wanted("readme")) await readmePictures();
} finally {
  await fixture.close();
  rmSync(nas, { recursive: true, force: true });
  await servers.stop();
  await receiver.stop();
  authority.remove();
}
const files = readdirSync(FOLDER);
const bytes = files.reduce((sum, name) => sum + statSync(join(FOLDER, name)).size, 0);
console.log(`${files.length} images, ${(bytes / 1e6).toFixed(1)} MB`);

/** Writes the images of the README: the Today page, and a search of the sandbox's sample mail. */
async function readmePictures(): Promise<void> {
  mkdirSync(README_FOLDER, { recursive: true });
  const { context, page } = await fixture.profile();
  await page.setViewportSize(README_VIEWPORT);
  await fixture.signIn(page);
  await page.getByRole("switch", { name: "Sandbox" }).check();
  await page.locator(".brief-section").first().waitFor();
  await page.waitForFunction(() => document.querySelector("main .skeleton") === null);
  await write(page, join(README_FOLDER, "today.png"));
  await fixture.open(page, "#/search");
  await page.getByLabel("Search your mail").fill("invoice");
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await page.locator(".result").first().waitFor();
  await page.mouse.move(0, 0);
  await write(page, join(README_FOLDER, "search.png"));
  await context.close();
}

async function write(page: Page, path: string): Promise<void> {
  const picture = await page.screenshot({ animations: "disabled" });
  await sharp(picture).png({ palette: true, colours: 256, effort: 8, compressionLevel: 9 }).toFile(path);
}

/** Captures the pages before there is an account, in all themes and widths. */
async function firstRun(page: Page): Promise<void> {
  await page.goto(fixture.live.app.setupUrl!);
  const email = page.getByLabel("Email address");
  await email.fill("ada@home.example");
  await page.getByLabel("Password").fill("a quiet morning in May");
  await dressed(page, "setup-account");
  await page.getByRole("button", { name: "Continue" }).click();
  await dressed(page, "setup-key");
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByRole("heading", { name: "Your recovery key" }).waitFor();
  await dressed(page, "setup-recovery");
  await page.getByLabel("I saved the recovery key in a safe place").check();
  await page.getByRole("button", { name: "Connect first mailbox" }).click();
}

async function dressed(page: Page, name: string): Promise<void> {
  for (const { name: theme, viewport, dark } of THEMES) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme: dark ? "dark" : "light" });
    await take(page, `${name}-${theme}`);
  }
  await page.setViewportSize(DESKTOP);
  await page.emulateMedia({ colorScheme: "light" });
}

async function shoot(page: Page, { name, hash, sandbox, prepare }: Shot, theme: string): Promise<void> {
  await page.evaluate((on) => {
    if (on) localStorage.setItem("postroom.sandbox", "1");
    else localStorage.removeItem("postroom.sandbox");
  }, sandbox ?? false);
  await page.goto("about:blank");
  await fixture.open(page, hash);
  await page.waitForFunction(() => document.querySelector("main .skeleton") === null);
  await prepare?.(page, fixture);
  await page.waitForFunction(() => document.querySelector("main .skeleton") === null);
  await take(page, `${name}-${theme}`);
}

async function take(page: Page, name: string): Promise<void> {
  if (!wanted(name.replace(/-(light|dark|phone)$/, ""))) return;
  await page.evaluate(() => scrollTo(0, 0));
  const dialog = (await page.locator("dialog[open]").count()) > 0;
  const picture = await page.screenshot({ fullPage: !dialog, animations: "disabled" });
  // A flat page needs few colors, which make the file two thirds smaller.
  await sharp(picture)
    .png({ palette: true, colours: 128, effort: 8, compressionLevel: 9 })
    .toFile(join(FOLDER, `${name}.png`));
}

/** Creates some of everything: keys, webhooks, rules, people, imported mail, and a month of usage. */
async function fill({ live }: SettingsFixture): Promise<void> {
  const { platform } = live.app;
  const owner = platform.users.findByEmail("ada@home.example")!;
  await importMbox(live, owner.id, IMPORTED);
  const test = live.newKey({ test: true });
  platform.keys.create({
    name: "laptop",
    user_id: owner.id,
    scopes: ["mail:read", "search:read", "drafts:read", "brief:read"],
    test: false,
  });
  platform.keys.create({
    name: "home assistant",
    user_id: owner.id,
    scopes: ["mail:read", "webhooks:manage"],
    test: false,
    expires_at: platform.clock.now() + 90 * DAY_MS,
  });
  const claude = platform.keys.create({ user_id: owner.id, name: "Claude", scopes: ["mail:send"], test: false }).key;
  approvalFixture(platform, owner.id, { id: claude.id, name: "Claude" }).ask({
    subject: "Offer for the boathouse",
    body: "Dear Zoe,\n\nyour offer is fine with us. Please send the contract by Friday.\n\nAda",
    to: ["Zoe Winter <zoe@harbourline.example>"],
  });
  await live.call("POST", "/webhooks", {
    body: { url: `${receiver.origin}/postroom`, events: ["message.received", "send.failed"] },
  });
  addTargets(platform, owner.id);
  for (const [field, value, label, name, enabled] of [
    ["from_domain", "harbourline.example", "Harbourline", "Mail from Harbourline", true],
    ["subject", "invoice", "Invoices", null, true],
    ["list_id", "sailing", "Sailing club", "Sailing club, until the season starts", false],
  ] as const) {
    const body = {
      name,
      enabled,
      conditions: [{ field, op: "contains", value }],
      actions: [{ type: "addLabel", value: label }, { type: "markRead" }],
    };
    await live.call("POST", "/rules", { key: test, body });
  }
  const leave = {
    kind: "agent",
    conditions: [{ field: "from", op: "contains", value: "@" }],
    actions: [{ type: "setMode", value: "suggest" }],
  };
  await live.call("POST", "/rules", { key: test, body: leave });
  await live.call("POST", "/agent/run", { key: test, body: {} });
  const { json } = await live.call("GET", "/threads?q=subject:vehicle", { key: test });
  await live.call("POST", "/drafts", {
    key: test,
    body: { reply_to_thread_id: json.data[0].id, use_ai: true, instructions: "Thursday at two works for me." },
  });
  await live.call("POST", "/brief/generate", { key: test, body: {} });
  platform.users.add({ email: "bo@home.example", plan: "pro", role: "member", timezone: "Europe/Lisbon" });
  // The keys of this script itself.
  const own = platform.keys
    .list([owner.id, platform.users.sandboxOf(owner.id).id])
    .filter(({ name }) => name === "test");
  for (const { id } of own) platform.grants.remove("api_keys", { id });
  const insert = platform.db.sql.query(
    "INSERT OR REPLACE INTO meters (user_id, meter, period, used) VALUES (?, ?, ?, ?)",
  );
  for (let day = 1; day < 30; day++) {
    const period = new Date(platform.clock.now() - day * DAY_MS).toISOString().slice(0, 10);
    insert.run(owner.id, "requests", period, Math.round(900 + 600 * Math.sin(day / 2.2) + 40 * (day % 7)));
    insert.run(owner.id, "sends", period, day % 7 < 2 ? 1 : 4 + ((day * 5) % 9));
  }
}

/** Adds a target of notifications that works, and one whose server refuses it. */
function addTargets(platform: Platform, user_id: string): void {
  const targets = new TargetStore(platform);
  const address = {
    url: receiver.origin,
    topic: "postroom-3q9x7m2k",
    urls: "",
    tag: "",
    credentials: { auth: "none" },
  } as const;
  const wishes = { detail: "sender", digest: "off", digest_hours: 4, digest_at: "18:00" } as const;
  const kinds = { mail: "on", approval: "always", send: "on", brief: "off", health: "always" } as const;
  targets.insert(user_id, { ...wishes, kinds, address: { ...address, name: "My phone", service: "ntfy" } });
  const chat = targets.insert(user_id, {
    ...wishes,
    kinds: { ...kinds, mail: "off" },
    digest: "daily",
    address: { ...address, name: "Family chat", service: "apprise", topic: "family" },
  });
  const at = platform.clock.now();
  for (let i = 0; i < 3; i++) targets.fail(chat.id, at, at);
  targets.setStatus(chat.id, "failing");
  const error = "the server answered 424: One or more notifications could not be sent";
  targets.noteOutcome(chat, { at, ok: false, test: false, response_status: 424, error, response_body: "" });
}
