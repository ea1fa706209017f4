import { existsSync } from "node:fs";
import { type Browser, chromium, type Frame, type Page, type Request } from "playwright-core";

/** Path of the Chromium to drive: $CHROMIUM or Debian's location; null when neither exists. */
export const CHROMIUM: string | null =
  [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser"].find(
    (path): path is string => path !== undefined && path !== "" && existsSync(path),
  ) ?? null;

/** Switches for a quiet browser: no sandbox (containers), no GPU, and no requests other than those of a page. */
const SWITCHES = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-default-apps",
  "--disable-extensions",
  "--disable-sync",
  "--no-first-run",
  "--mute-audio",
  // A process for each sandboxed frame would double the time of tests that show hundreds of frames.
  "--disable-features=IsolateSandboxedIframes,Translate,OptimizationHints,MediaRouter",
];

/** For `test.skipIf(noBrowser("what is not checked"))`: prints once what is skipped and why. */
export function noBrowser(what: string): boolean {
  if (CHROMIUM === null) console.info(`skipped: ${what}. No Chromium found; install it, or set CHROMIUM to its path`);
  return CHROMIUM === null;
}

/** Starts a headless Chromium. The caller closes it; the tests of one file share one. */
export async function openBrowser(): Promise<Browser> {
  if (CHROMIUM === null) throw new Error("No Chromium found. Guard the test with noBrowser().");
  return await chromium.launch({ executablePath: CHROMIUM, args: SWITCHES, timeout: 60_000 });
}

/** What a document did in the browser besides being displayed. */
export interface Conduct {
  /** Addresses of all requests except the document's own. */
  requests: string[];
  /** Calls of alert, confirm, prompt, print and open, dialogs, new windows and navigations. */
  actions: string[];
}

/** A document and its response headers. */
export interface Served {
  html: string;
  headers?: Record<string, string>;
}

/** A page under observation that loads one document after another. */
export interface Observer {
  page: Page;
  /** Loads a document with response headers, lets it settle, and returns what it did. */
  watch: (html: string, headers?: Record<string, string>) => Promise<Conduct>;
  /** Loads many documents at once, each in its own frame, in a tenth of the time. Returns one result for each. */
  watchAll: (documents: Served[]) => Promise<Conduct[]>;
  close: () => Promise<void>;
}

const ORIGIN = "http://mail.test";
/** Number of frames that `watchAll` loads at once. */
const FRAMES = 40;

/**
 * Opens a page that answers every request locally (with a document, or a 204 that loads nothing). Records requests and
 * every observable effect of a script. Nothing reaches a network.
 */
export async function openObserver(browser: Browser, options: { width?: number } = {}): Promise<Observer> {
  const context = await browser.newContext({ viewport: { width: options.width ?? 800, height: 700 } });
  /** Documents by path; "/0" is the first. The actions of a document are kept under the same path. */
  let served = new Map<string, Served>();
  let conduct = new Map<string, Conduct>();
  /** Frames lose their address when a document navigates them, so the first address is kept. */
  const owner = new WeakMap<Frame, string>();
  const of = (path: string): Conduct => {
    const known = conduct.get(path) ?? { requests: [], actions: [] };
    conduct.set(path, known);
    return known;
  };
  await context.addInitScript(() => {
    for (const name of ["alert", "confirm", "prompt", "print", "open"]) {
      // Console messages arrive from any frame and under any policy.
      const value = () => console.debug(`postroom-action ${location.pathname} ${name}`);
      Object.defineProperty(globalThis, name, { value, writable: false, configurable: false });
    }
  });
  await context.route("**/*", async (route) => {
    const request = route.request();
    const url = new URL(request.url());
    const document = url.origin === ORIGIN && request.isNavigationRequest() ? served.get(url.pathname) : undefined;
    if (document !== undefined) {
      await route.fulfill({ contentType: "text/html; charset=utf-8", headers: document.headers, body: document.html });
      return;
    }
    // Recorded here and not in a "request" event, which also reports requests that the policy then refuses.
    const path = requestPath(request, owner);
    of(path ?? "/0").requests.push(request.url());
    // A new window gets an empty page so that it opens and is recorded; every other request gets nothing.
    if (path === null) await route.fulfill({ contentType: "text/html", body: "" });
    else await route.fulfill({ status: 204, body: "" });
  });
  const page = await context.newPage();
  context.on("page", (opened) => {
    of("/0").actions.push("new window");
    void opened.close();
  });
  page.on("console", (message) => {
    const [mark, path, name] = message.text().split(" ");
    if (mark === "postroom-action") of(path ?? "/0").actions.push(name ?? "");
  });
  page.on("dialog", (dialog) => {
    of("/0").actions.push(`dialog ${dialog.type()}`);
    void dialog.dismiss();
  });
  page.on("framenavigated", (frame) => {
    const url = URL.parse(frame.url());
    if (url?.origin === ORIGIN && served.has(url.pathname)) owner.set(frame, url.pathname);
    else if (owner.has(frame)) of(pathOf(frame, owner)).actions.push(`navigated to ${frame.url()}`);
  });

  async function load(documents: Map<string, Served>, scripts: boolean): Promise<void> {
    served = documents;
    conduct = new Map();
    await page.goto(`${ORIGIN}/0`, { waitUntil: "load" });
    await settle(page, scripts);
  }

  return {
    page,
    async watch(html, headers = {}) {
      const scripts = !/\bsandbox\b/.test(headers["Content-Security-Policy"] ?? "");
      await load(new Map([["/0", { html, headers }]]), scripts);
      return of("/0");
    },
    async watchAll(documents) {
      const answers: Conduct[] = [];
      for (let start = 0; start < documents.length; start += FRAMES) {
        const batch = documents.slice(start, start + FRAMES);
        // All frames are visible, one above the other: a browser leaves lazy images out of distant frames.
        const frames = batch
          .map((_, i) => `<iframe src="/${i + 1}" style="position:absolute;inset:0"></iframe>`)
          .join("");
        const entries = [{ html: frames }, ...batch].map((document, i) => [`/${i}`, document] as const);
        await load(new Map(entries), true);
        answers.push(...batch.map((_, i) => of(`/${i + 1}`)));
      }
      return answers;
    },
    close: () => context.close(),
  };
}

/**
 * Returns the document to which a request is attributed; null for the first request of a new window, which has no frame
 * yet.
 */
function requestPath(request: Request, owner: WeakMap<Frame, string>): string | null {
  try {
    return pathOf(request.frame(), owner);
  } catch {
    return null;
  }
}

/** Returns the document of a frame, or of the nearest enclosing frame that was given one. */
function pathOf(frame: Frame, owner: WeakMap<Frame, string>): string {
  for (let at: Frame | null = frame; at !== null; at = at.parentFrame()) {
    const path = owner.get(at);
    if (path !== undefined) return path;
    const own = URL.parse(at.url());
    if (own?.origin === ORIGIN) return own.pathname;
  }
  return "/0";
}

/** Waits for layout and two frames, so that error handlers, images and immediate refreshes have run. */
async function settle(page: Page, scripts: boolean): Promise<void> {
  await page.evaluate(() => document.documentElement.getBoundingClientRect().height);
  // In a sandbox without scripts, frame callbacks never run.
  if (scripts)
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  else await page.evaluate(() => document.readyState);
}
