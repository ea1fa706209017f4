import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DOVECOT } from "../support/dovecot.ts";
import { mailText } from "../support/mail-text.ts";
import { between, type Campaign, type CampaignOptions, pick } from "./campaign.ts";
import { damage } from "./damage.ts";
import { damageIndex } from "./damaged-index.ts";
import { damageSnapshots, searchOnDamagedSnapshots } from "./damaged-snapshots.ts";
import { openInstallation, Workload } from "./installation.ts";
import { live } from "./served.ts";

const ATTACHMENTS = 6;

/**
 * Random bit flips, truncations and foreign bytes in files that can be rebuilt: cached parts, snapshots of vectors and
 * the full-text index. Damaged data is never trusted and never ends the program; requested content is fetched again
 * from its source.
 */
export const damagedFilesCampaign: Campaign = async (options) => {
  const snapshots = damageSnapshots(options);
  const searches = await searchOnDamagedSnapshots(options);
  const index = await damageIndex(options);
  if (!DOVECOT) options.say("without cached files: Debian's dovecot-imapd is not installed");
  const cache = DOVECOT ? await damageCache(options) : null;
  return {
    figures: {
      ...snapshots.figures,
      ...searches.figures,
      ...index.figures,
      with_cached_files: cache ? "yes" : "no",
      ...cache?.figures,
    },
    misses: [...snapshots.misses, ...searches.misses, ...index.misses, ...(cache?.misses ?? [])],
  };
};

async function damageCache({ short, random, say }: CampaignOptions) {
  const installation = await openInstallation({ history: 2, sample_mail: false });
  const contents: Uint8Array[] = [];
  for (let i = 0; i < ATTACHMENTS; i++) {
    // Some longer than a frame of a sealed file, some of exactly one.
    const size = [1, 700, 65_536, 65_537, 200_000, 131_072][i]!;
    const bytes = Uint8Array.from({ length: size }, () => between(random, 0, 256));
    contents.push(bytes);
    await installation.dovecot.deliver("alice", withAttachment(`File ${i}`, bytes));
  }
  const misses: string[] = [];
  let damaged = 0;
  let recovered = 0;
  let served = await installation.serve();
  const workload = new Workload(installation, served, random);
  try {
    await live(installation.folder);
    const ids = await attachmentPaths(workload);
    if (ids.length !== ATTACHMENTS) misses.push(`${ids.length} of ${ATTACHMENTS} attachments are there`);
    const turns = short ? 8 : 120;
    for (let turn = 0; turn < turns; turn++) {
      const n = between(random, 0, ids.length);
      await fetchFile(served.port, installation.folder.key, ids[n]!);
      const files = cached(installation.folder.data_dir);
      if (files.length === 0) {
        misses.push("what was fetched is not in the cache");
        continue;
      }
      const how = damage(pick(random, files), random);
      damaged++;
      // Now and then the server restarts on damaged files.
      if (random() < 0.1) {
        await served.stop();
        served = await installation.serve();
        workload.served = served;
      }
      for (const [index, id] of ids.entries()) {
        const right = ({ bytes }: Fetched) => bytes !== null && Buffer.from(bytes).equals(contents[index]!);
        const first = await fetchFile(served.port, installation.folder.key, id);
        if (right(first)) {
          recovered++;
          continue;
        }
        // A frame in its middle is detected when it is read: then the reply is cut or refused, and the next one is
        // complete.
        if (first.bytes !== null) misses.push(`${how}: wrong bytes were given as the whole file`);
        const second = await fetchFile(served.port, installation.folder.key, id);
        if (right(second)) recovered++;
        else misses.push(`${how}: the attachment does not come back (${first.end}, then ${second.end})`);
      }
      if (served.exit_code !== null) {
        misses.push(`${how}: the server ended with ${served.exit_code}`);
        break;
      }
    }
    await workload.settle();
    await served.stop();
    await workload.judge();
    if (misses.length > 0) say(served.log().slice(-1_500));
    return {
      figures: { cached_files_damaged: damaged, files_right: recovered },
      misses: [...misses, ...workload.misses],
    };
  } finally {
    await served.stop();
    await installation.close();
  }
}

function withAttachment(subject: string, bytes: Uint8Array): string {
  const [head, body] = mailText({ id: subject.replace(" ", "-"), subject }).split("\r\n\r\n") as [string, string];
  const encoded = Buffer.from(bytes)
    .toString("base64")
    .replace(/(.{76})/g, "$1\r\n");
  const type = "Content-Type: multipart/mixed; boundary=part";
  return [
    head.replace(/Content-Type: .*/, type),
    "",
    "--part",
    "Content-Type: text/plain",
    "",
    body,
    "--part",
    'Content-Type: application/octet-stream; name="file.bin"',
    'Content-Disposition: attachment; filename="file.bin"',
    "Content-Transfer-Encoding: base64",
    "",
    encoded,
    "--part--",
    "",
  ].join("\r\n");
}

/** Their paths, in the order of the files. */
async function attachmentPaths(workload: Workload): Promise<string[]> {
  const list = await workload.request("GET", "/threads?limit=50");
  const threads = (list?.json?.data ?? []) as { id: string; subject: string }[];
  const ids: string[] = [];
  for (let i = 0; i < ATTACHMENTS; i++) {
    const thread = threads.find(({ subject }) => subject === `File ${i}`);
    const messages = thread && (await workload.request("GET", `/threads/${thread.id}/messages`));
    const message = messages?.json?.data?.[0];
    const id: string | undefined = message?.attachments?.[0]?.id;
    if (id) ids.push(`messages/${message.id}/attachments/${id}`);
  }
  return ids;
}

interface Fetched {
  /** Returns the whole file; null when the reply was cut or refused. */
  bytes: Uint8Array | null;
  /** Describes the result. */
  end: string;
}

async function fetchFile(port: number, key: string, id: string): Promise<Fetched> {
  try {
    const headers = { Authorization: `Bearer ${key}` };
    const response = await fetch(`http://127.0.0.1:${port}/v1/${id}`, { headers });
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (!response.ok) return { bytes: null, end: `${response.status} ${new TextDecoder().decode(bytes)}` };
    // A cut that the client's library does not report.
    const whole = bytes.length === Number(response.headers.get("content-length") ?? bytes.length);
    return { bytes: whole ? bytes : null, end: `${bytes.length} bytes` };
  } catch (error) {
    return { bytes: null, end: (error as Error).message };
  }
}

function cached(data_dir: string): string[] {
  const root = join(data_dir, "cache", "parts");
  try {
    return readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  } catch {
    return [];
  }
}
