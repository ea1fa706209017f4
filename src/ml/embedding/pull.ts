import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { isoTime } from "../../kernel/clock.ts";
import { UserError } from "../../kernel/errors.ts";
import { directly } from "../../platform/egress/directly.ts";

/** The record that `postroom model pull` writes beside the files: the revision, and a hash of each file. */
export interface PulledModel {
  model: string;
  /** Commit of the model's repository. */
  revision: string;
  files: { name: string; bytes: number; sha256: string }[];
  pulled_at: string;
}

const MANIFEST = "postroom-model.json";

/** A model name on the hub: owner and model. */
const MODEL_NAME = /^[A-Za-z0-9][\w.-]{0,95}\/[A-Za-z0-9][\w.-]{0,95}$/;
const REVISION = /^[\w.-]{1,100}$/;
const COMMIT = /^[0-9a-f]{40}$/;
const REQUIRED = ["config.json", "tokenizer.json"];
const OPTIONAL = ["tokenizer_config.json", "special_tokens_map.json"];
/** Weights files by preference, small ones first: home machines usually have no graphics card. */
const WEIGHTS = ["onnx/model_quantized.onnx", "onnx/model_int8.onnx", "onnx/model.onnx"];
const MAX_BYTES = 4_000_000_000;
const MAX_REDIRECTS = 5;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** A file as the hub describes it (`GET /api/models/ID/revision/REV?blobs=true`). */
interface HubFile {
  rfilename: string;
  size?: number;
  /** For a small file: its git object id, SHA-1 of `blob SIZE\0` and the content. */
  blobId?: string;
  lfs?: { sha256: string; size: number };
}

export interface PullOptions {
  data_dir: string;
  model: string;
  /** Branch, tag or commit. */
  revision: string;
  /** Base address of the hub. */
  hub: string;
  nowMs: number;
  progress?: (file: string, done: number, total: number) => void;
}

/**
 * Downloads a model for `embedding.model` into `models/` of the data folder, from a hub with the API of Hugging Face.
 * The revision is first resolved to a commit. Each file is checked against the hub's hash for that commit, and all
 * files are put in place together. @returns the record of the installed model @throws UserError, with nothing changed
 */
export async function pullModel(options: PullOptions): Promise<PulledModel> {
  const { data_dir, model, revision, hub, nowMs, progress } = options;
  if (!MODEL_NAME.test(model) || model.includes("..")) {
    throw new UserError(
      `${model} is not the name of a model. Specify it as OWNER/NAME, for example Xenova/all-MiniLM-L6-v2.`,
    );
  }
  if (!REVISION.test(revision))
    throw new UserError(`${revision} is not a revision. Specify a branch, a tag or a commit.`);
  const base = hub.replace(/\/+$/, "");
  const described = await describe(`${base}/api/models/${model}/revision/${revision}?blobs=true`, model, revision);
  const target = join(data_dir, "models", model);
  const known = readManifest(target);
  if (known?.revision === described.sha && known.files.every((file) => isWhole(target, file))) return known;

  const temporary = `${target}.partial`;
  rmSync(temporary, { recursive: true, force: true });
  try {
    const files: PulledModel["files"] = [];
    for (const file of chooseFiles(model, described.siblings)) {
      const path = join(temporary, file.rfilename);
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      const url = `${base}/${model}/resolve/${described.sha}/${file.rfilename}`;
      files.push(await download(url, path, file, (done, total) => progress?.(file.rfilename, done, total)));
    }
    const pulled: PulledModel = { model, revision: described.sha, files, pulled_at: isoTime(nowMs) };
    writeFileSync(join(temporary, MANIFEST), `${JSON.stringify(pulled, null, 2)}\n`, { mode: 0o600 });
    rmSync(target, { recursive: true, force: true });
    renameSync(temporary, target);
    return pulled;
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    throw error;
  }
}

/** Returns the record of a model's folder; null if the model was not pulled. */
export function readManifest(folder: string): PulledModel | null {
  const path = join(folder, MANIFEST);
  if (!existsSync(path)) return null;
  try {
    return JSON.parse(readFileSync(path, "utf8")) as PulledModel;
  } catch {
    return null;
  }
}

function isWhole(folder: string, { name, sha256 }: PulledModel["files"][number]): boolean {
  const path = join(folder, name);
  return existsSync(path) && createHash("sha256").update(readFileSync(path)).digest("hex") === sha256;
}

async function describe(url: string, model: string, revision: string): Promise<{ sha: string; siblings: HubFile[] }> {
  const response = await ask(url);
  if (response.status === 401 || response.status === 404) {
    throw new UserError(`The hub has no public model ${model} at ${revision}.`);
  }
  if (!response.ok) throw new UserError(`The hub returned status ${response.status} for ${url}.`);
  const { sha, siblings } = (await response.json().catch(() => ({}))) as { sha?: unknown; siblings?: unknown };
  if (typeof sha !== "string" || !COMMIT.test(sha) || !Array.isArray(siblings)) {
    throw new UserError(`The response from ${url} does not describe a model.`);
  }
  return { sha, siblings: siblings as HubFile[] };
}

/** Chooses files by fixed names, so that no name from the hub becomes a local path. */
function chooseFiles(model: string, siblings: readonly HubFile[]): HubFile[] {
  const find = (name: string) => siblings.find(({ rfilename }) => rfilename === name);
  const weights = WEIGHTS.map(find).find((file) => file !== undefined);
  const missing = REQUIRED.filter((name) => !find(name));
  if (!weights || missing.length > 0) {
    const lacks = weights ? missing.join(" and ") : "an ONNX file (onnx/model_quantized.onnx)";
    throw new UserError(`${model} cannot be used, because it lacks ${lacks}.`);
  }
  return [...REQUIRED, ...OPTIONAL].flatMap((name) => find(name) ?? []).concat(weights);
}

async function download(
  url: string,
  path: string,
  { rfilename, size, blobId, lfs }: HubFile,
  progress: (done: number, total: number) => void,
): Promise<PulledModel["files"][number]> {
  const total = lfs?.size ?? size ?? 0;
  const response = await ask(url);
  if (!response.ok || !response.body) throw new UserError(`The hub returned status ${response.status} for ${url}.`);
  const sha256 = createHash("sha256");
  const git = createHash("sha1").update(`blob ${total}\0`);
  const out = openSync(path, "w", 0o600);
  let bytes = 0;
  try {
    for await (const chunk of response.body) {
      bytes += chunk.length;
      if (bytes > Math.min(total, MAX_BYTES))
        throw new UserError(`${rfilename} is larger than the hub announced. The file was deleted.`);
      sha256.update(chunk);
      git.update(chunk);
      writeSync(out, chunk);
      progress(bytes, total);
    }
    fsyncSync(out);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`The download of ${rfilename} was interrupted: ${(error as Error).message}`);
  } finally {
    closeSync(out);
  }
  const digest = sha256.digest("hex");
  const wanted = lfs ? lfs.sha256 : blobId;
  if (bytes !== total || wanted !== (lfs ? digest : git.digest("hex"))) {
    throw new UserError(`The hash of ${rfilename} differs from the hash that the hub announced. The file was deleted.`);
  }
  return { name: rfilename, bytes, sha256: digest };
}

/**
 * Sends a request whose redirects must stay encrypted. Uses a proxy from the environment (HTTPS_PROXY). @throws
 * UserError
 */
async function ask(url: string): Promise<Response> {
  let at = new URL(url);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    if (at.protocol !== "https:" && !(at.protocol === "http:" && LOOPBACK.test(at.hostname))) {
      throw new UserError(`${at.origin} does not use HTTPS.`);
    }
    const response = await fetch(at, { redirect: "manual", ...directly(at) }).catch((error: Error) => {
      throw new UserError(`${at.host} could not be reached: ${error.message}`);
    });
    const location = response.headers.get("location");
    if (response.status < 300 || response.status >= 400 || location === null) return response;
    at = new URL(location, at);
  }
  throw new UserError(`${url} redirects too many times.`);
}
