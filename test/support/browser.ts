import { existsSync } from "node:fs";
import { type Browser, chromium, type Frame, type Page, type Request } from "playwright-core";

/** Path of a Chromium to drive: $CHROMIUM, or where Debian puts it; null when there is none. */
export const CHROMIUM: string | null =
  [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser"].find(
    (path): path is string => path !== undefined && path !== "" && existsSync(path),
  ) ?? null;

/** Switches for a quiet browser: no sandbox (containers), no GPU, and no request that a page did not ask for. */
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
  // A process for each sandboxed frame would double the time of tests that show hundreds.
  "--disable-features=IsolateSandboxedIframes,Translate,OptimizationHints,MediaRouter",
];

/** For `test.skipIf(noBrowser("what is not checked"))`: says plainly, once, that something is skipped and why. */
export function noBrowser(what: string): boolean {
  if (CHROMIUM === null) console.info(`skipped: ${what}. No Chromium here; install it, or set CHROMIUM to its path`);
  return CHROMIUM === null;
}

/** Starts a headless Chromium. The caller closes it; tests of one file share one. */
export async function openBrowser(): Promise<Browser> {
  if (CHROMIUM === null) throw new Error("no Chromium; guard the test with noBrowser()");
  return await chromium.launch({ executablePath: CHROMIUM, args: SWITCHES, timeout: 60_000 });
}

/** What a document did in the browser besides being shown. */
export interface Conduct {
  /** Addresses of all requests other than the document's own. */
  requests: string[];
  /** Calls of alert, confirm, prompt, print and open, dialogs, new windows and navigations. */
  actions: string[];
}

/** A document and the response headers it comes with. */
export interface Served {
  html: string;
  headers?: Record<string, string>;
}

/** A page under observation, to which documents are given one after another. */
export interface Observer {
  page: Page;
  /** Loads a document with response headers, lets it settle, and tells what it did. */
  watch: (html: string, headers?: Record<string, string>) => Promise<Conduct>;
  /** The same for many documents at once, each in a frame of its own: a tenth of the time. One answer for each. */
  watchAll: (documents: Served[]) => Promise<Conduct[]>;
  close: () => Promise<void>;
}

const ORIGIN = "http://mail.test";
/** Frames loaded at once by `watchAll`. */
const FRAMES = 40;

/**
 * Opens a page in which every request is answered here (a document, or a 204 that loads nothing) and recorded, and
 * every way a script could show itself is recorded. Nothing reaches a network.
 */
export async function openObserver(browser: Browser, options: { width?: number } = {}): Promise<Observer> {
  const context = await browser.newContext({ viewport: { width: options.width ?? 800, height: 700 } });
  /** Documents by path; "/0" is the first. What a document did is kept under the same path. */
  let served = new Map<string, Served>();
  let conduct = new Map<string, Conduct>();
  /** Frames lose their address when a document navigates them, so the first one is remembered. */
  const owner = new WeakMap<Frame, string>();
  const of = (path: string): Conduct => {
    const known = conduct.get(path) ?? { requests: [], actions: [] };
    conduct.set(path, known);
    return known;
  };
  await context.addInitScript(() => {
    for (const name of ["alert", "confirm", "prompt", "print", "open"]) {
      // The console reaches us from any frame and under any policy.
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
    // Recorded here and not in a "request" event, which also tells of requests that the policy then refused.
    const path = requestPath(request, owner);
    of(path ?? "/0").requests.push(request.url());
    // A new window gets an empty page, so that it comes into being and is seen; nothing else gets anything.
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
        // All in sight, one above the other: a browser leaves lazy pictures out of frames that are far away.
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

/** The document that a request is to be laid to; null for the first request of a new window, which has no frame yet. */
function requestPath(request: Request, owner: WeakMap<Frame, string>): string | null {
  try {
    return pathOf(request.frame(), owner);
  } catch {
    return null;
  }
}

/** The document a frame was given, or that of the nearest frame around it that was given one. */
function pathOf(frame: Frame, owner: WeakMap<Frame, string>): string {
  for (let at: Frame | null = frame; at !== null; at = at.parentFrame()) {
    const path = owner.get(at);
    if (path !== undefined) return path;
    const own = URL.parse(at.url());
    if (own?.origin === ORIGIN) return own.pathname;
  }
  return "/0";
}

/** Layout and two frames: error handlers, images and refreshes without delay have had their turn. */
async function settle(page: Page, scripts: boolean): Promise<void> {
  await page.evaluate(() => document.documentElement.getBoundingClientRect().height);
  // In a sandbox without scripts no frame callback ever runs.
  if (scripts)
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  else await page.evaluate(() => document.readyState);
}
