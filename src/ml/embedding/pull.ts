import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { isoTime } from "../../kernel/clock.ts";
import { UserError } from "../../kernel/errors.ts";
import { type DownloadedFile, downloadFile, Interrupted, sizeOf } from "./download.ts";
import { describeModel, type HubFile, type NoteRequest } from "./hub.ts";

/** The record that `postroom model pull` writes beside the files: the revision, and a hash of each file. */
export interface PulledModel {
  model: string;
  /** Commit of the model's repository. */
  revision: string;
  files: DownloadedFile[];
  pulled_at: string;
}

const MANIFEST = "postroom-model.json";
/** Suffix of the folder of an unfinished download. */
const PARTIAL = ".partial";

/** A model name on the hub: owner and model. */
const MODEL_NAME = /^[A-Za-z0-9][\w.-]{0,95}\/[A-Za-z0-9][\w.-]{0,95}$/;
const REVISION = /^[\w.-]{1,100}$/;
const REQUIRED = ["config.json", "tokenizer.json"];
const OPTIONAL = ["tokenizer_config.json", "special_tokens_map.json"];
/** Weights files by preference, small ones first: home machines usually have no graphics card. */
const WEIGHTS = ["onnx/model_quantized.onnx", "onnx/model_int8.onnx", "onnx/model.onnx"];
/** Names the revision of an unfinished download. */
const UNFINISHED = "postroom-download";
/** Free space that remains after a download. */
const SPARE_BYTES = 100_000_000;

export interface PullOptions {
  data_dir: string;
  model: string;
  /** Branch, tag or commit. */
  revision: string;
  /** Base address of the hub. */
  hub: string;
  nowMs: number;
  /** Hashes that the program knows; they count more than those of the hub. */
  pinned?: PulledModel["files"];
  progress?: (file: string, done: number, total: number) => void;
  /** Records each request before its first byte leaves. */
  note?: NoteRequest;
  /** Returns the free space of a folder, bytes; for tests. */
  freeBytes?: (folder: string) => number;
}

/**
 * Downloads a model for `embedding.model` into `models/` of the data folder, from a hub with the API of Hugging Face.
 * The revision is first resolved to a commit. Each file is checked against the hub's hash for that commit, and all
 * files are put in place together. What was downloaded before an interruption is kept beside the model, and the next
 * call continues with it. @returns the record of the installed model @throws UserError, with the installed model as it was
 */
export async function pullModel(options: PullOptions): Promise<PulledModel> {
  const { data_dir, model, revision, hub, nowMs, pinned, progress, note = () => () => {} } = options;
  if (!MODEL_NAME.test(model) || model.includes("..")) {
    throw new UserError(
      `${model} is not the name of a model. Specify it as OWNER/NAME, for example Xenova/all-MiniLM-L6-v2.`,
    );
  }
  if (!REVISION.test(revision))
    throw new UserError(`${revision} is not a revision. Specify a branch, a tag or a commit.`);
  const base = hub.replace(/\/+$/, "");
  const { sha, siblings } = await describeModel(base, model, revision, note);
  const target = join(data_dir, "models", model);
  const known = readManifest(target);
  if (known?.revision === sha && known.files.every((file) => isWhole(target, file))) return known;

  const wanted = chooseFiles(model, siblings);
  if (pinned) checkAnnounced(wanted, pinned);
  const temporary = `${target}${PARTIAL}`;
  try {
    begin(temporary, sha);
    checkSpace(temporary, wanted, options.freeBytes ?? freeBytesOf);
    const files: DownloadedFile[] = [];
    for (const file of wanted) {
      const path = join(temporary, file.rfilename);
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      const url = `${base}/${model}/resolve/${sha}/${file.rfilename}`;
      const report = (done: number, total: number) => progress?.(file.rfilename, done, total);
      const pulled = await downloadFile({ url, path, file, note, progress: report });
      checkPin(pulled, pinned);
      files.push(pulled);
    }
    const pulled: PulledModel = { model, revision: sha, files, pulled_at: isoTime(nowMs) };
    writeFileSync(join(temporary, MANIFEST), `${JSON.stringify(pulled, null, 2)}\n`, { mode: 0o600 });
    rmSync(join(temporary, UNFINISHED), { force: true });
    rmSync(target, { recursive: true, force: true });
    renameSync(temporary, target);
    return pulled;
  } catch (error) {
    if (!(error instanceof Interrupted)) rmSync(temporary, { recursive: true, force: true });
    throw error;
  }
}

/** Makes the folder of a download. What it has of the same revision stays. */
function begin(temporary: string, sha: string): void {
  const mark = join(temporary, UNFINISHED);
  const isSame = existsSync(mark) && readFileSync(mark, "utf8").trim() === sha;
  if (!isSame) rmSync(temporary, { recursive: true, force: true });
  mkdirSync(temporary, { recursive: true, mode: 0o700 });
  writeFileSync(mark, `${sha}\n`, { mode: 0o600 });
}

/** @throws UserError if the rest of the files does not fit on the disk */
function checkSpace(temporary: string, files: readonly HubFile[], freeBytes: (folder: string) => number): void {
  const rest = files.reduce((sum, file) => {
    const path = join(temporary, file.rfilename);
    return sum + Math.max(0, sizeOf(file) - (existsSync(path) ? statSync(path).size : 0));
  }, 0);
  const free = freeBytes(temporary);
  if (rest + SPARE_BYTES <= free) return;
  const megabytes = (bytes: number) => `${Math.ceil(bytes / 1_000_000)} MB`;
  throw new Interrupted(
    `The download needs ${megabytes(rest + SPARE_BYTES)} of free space, and ${temporary} has ${megabytes(free)}. Free some space, and run the command again.`,
  );
}

function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
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

/** Returns the records of all models that were pulled into a data folder, by name. */
export function pulledModels(data_dir: string): PulledModel[] {
  const root = join(data_dir, "models");
  const owners = existsSync(root) ? readdirSync(root) : [];
  return owners
    .flatMap((owner) => {
      const path = join(root, owner);
      return statSync(path).isDirectory() ? readdirSync(path).map((name) => join(path, name)) : [];
    })
    .filter((path) => !path.endsWith(PARTIAL))
    .flatMap((path) => readManifest(path) ?? [])
    .sort((a, b) => (a.model < b.model ? -1 : 1));
}

/** Refuses a download before it begins if the hub announces other files. @throws UserError */
function checkAnnounced(files: readonly HubFile[], pinned: readonly DownloadedFile[]): void {
  for (const { name, bytes, sha256 } of pinned) {
    const file = files.find(({ rfilename }) => rfilename === name);
    if (!file) throw new UserError(`The hub does not have ${name}, which this version of Postroom expects.`);
    if (sizeOf(file) !== bytes || (file.lfs && file.lfs.sha256 !== sha256))
      throw pinFault(name, "Nothing was downloaded.");
  }
}

/** @throws UserError if a file is not the one that the program knows */
function checkPin({ name, sha256 }: DownloadedFile, pinned: PullOptions["pinned"]): void {
  if (!pinned || pinned.some((pin) => pin.name === name && pin.sha256 === sha256)) return;
  throw pinFault(name, "The file was deleted.");
}

const pinFault = (name: string, done: string) =>
  new UserError(`The hash of ${name} differs from the hash in this version of Postroom. ${done}`);

function isWhole(folder: string, { name, sha256 }: PulledModel["files"][number]): boolean {
  const path = join(folder, name);
  return existsSync(path) && createHash("sha256").update(readFileSync(path)).digest("hex") === sha256;
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
