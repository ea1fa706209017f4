/**
 * Sends requests at a fixed rate regardless of answers (open loop), so that a stall affects every request during it:
 * bun load.ts URL KEY PER_SECOND SECONDS. Prints latencies in ms by kind as JSON.
 */
const [url, key, per_second, duration_s] = process.argv.slice(2) as [string, string, string, string];
const headers = { authorization: `Bearer ${key}` };
const intervalMs = 1000 / Number(per_second);
const total = Math.round(Number(per_second) * Number(duration_s));

async function get<T>(path: string): Promise<T> {
  const response = await fetch(`${url}/v1${path}`, { headers });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

interface Page {
  data: { id: string }[];
  next_cursor: string | null;
}

// Pages throughout the list, and threads from them.
const pages = ["/threads?limit=25"];
const threads: string[] = [];
for (let i = 0; i < 40; i++) {
  const page = await get<Page>(pages.at(-1)!);
  threads.push(...page.data.map(({ id }) => id));
  if (!page.next_cursor) break;
  pages.push(`/threads?limit=25&cursor=${encodeURIComponent(page.next_cursor)}`);
}

const latencies: { list: number[]; messages: number[]; failed: number } = { list: [], messages: [], failed: 0 };
const running: Promise<void>[] = [];
const began = performance.now();
for (let n = 0; n < total; n++) {
  const due = began + n * intervalMs;
  while (performance.now() < due) await Bun.sleep(Math.max(0, due - performance.now() - 0.5));
  const kind = n % 2 === 0 ? "list" : "messages";
  const path =
    kind === "list" ? pages[(n / 2) % pages.length]! : `/threads/${threads[(n * 31) % threads.length]}/messages`;
  running.push(
    get(path).then(
      () => void latencies[kind].push(performance.now() - due),
      () => void latencies.failed++,
    ),
  );
}
await Promise.all(running);
console.log(JSON.stringify(latencies));

export {};
