import { type Entry, gzip, sha256, tar, withFolders } from "./archives.ts";
import type { DebianArchitecture } from "./debian-package.ts";

export interface ImageInput {
  version: string;
  /** Full hash of the commit. */
  commit: string;
  architecture: DebianArchitecture;
  /** Seconds since 1970, the time of every file. */
  time: number;
  executable: Uint8Array;
  /** Files below the executable: the C library and its licenses. */
  base: readonly Entry[];
  /** LICENSE and NOTICE. */
  copyright: string;
}

const USER_ID = 10001;

/** The settings of a container, as in the Dockerfile, with which a test compares them. */
export const IMAGE_CONFIG = {
  User: `${USER_ID}:${USER_ID}`,
  ExposedPorts: { "8025/tcp": {} },
  Env: ["POSTROOM_DATA=/data", "PATH=/usr/local/bin:/usr/bin"],
  Entrypoint: ["/usr/local/bin/postroom"],
  Cmd: ["serve", "--host", "0.0.0.0", "--port", "8025"],
  Volumes: { "/data": {} },
  WorkingDir: "/data",
  StopSignal: "SIGTERM",
  // Not part of the OCI specification, but Docker and Podman read it. In nanoseconds.
  Healthcheck: {
    Test: ["CMD", "/usr/local/bin/postroom", "health"],
    Interval: 30_000_000_000,
    Timeout: 5_000_000_000,
    StartPeriod: 20_000_000_000,
    Retries: 3,
  },
};

const SYSTEM_FILES: Entry[] = [
  {
    name: "etc/passwd",
    bytes: `root:x:0:0:root:/root:/sbin/nologin\npostroom:x:${USER_ID}:${USER_ID}:Postroom:/data:/sbin/nologin\n`,
  },
  { name: "etc/group", bytes: `root:x:0:\npostroom:x:${USER_ID}:\n` },
  { name: "etc/nsswitch.conf", bytes: "passwd: files\ngroup: files\nhosts: files dns\n" },
  { name: "tmp", mode: 0o1777 },
];

const MEDIA = "application/vnd.oci.image";

/** Returns the name of the image's file. */
export function imageName(version: string, architecture: DebianArchitecture): string {
  return `postroom-${version}-oci-${architecture}.tar`;
}

/**
 * Returns a container image as a tar archive of an OCI image layout
 * (https://github.com/opencontainers/image-spec/blob/main/image-layout.md). The archive also has the index of
 * `docker save`, so that every version of `docker load` accepts it.
 */
export async function imageArchive(input: ImageInput): Promise<Buffer> {
  const { version, commit, architecture, time, executable, base, copyright } = input;
  const created = new Date(time * 1000).toISOString().replace(".000Z", "Z");
  const blobs = new Map<string, Uint8Array>();
  /** Adds a blob and returns its descriptor. */
  const add = (mediaType: string, bytes: Uint8Array) => {
    const hash = sha256(bytes);
    blobs.set(`blobs/sha256/${hash}`, bytes);
    return { mediaType, digest: `sha256:${hash}`, size: bytes.length };
  };
  const json = (mediaType: string, value: object) => add(mediaType, Buffer.from(JSON.stringify(value)));

  const program: Entry[] = [
    { name: "usr/local/bin/postroom", mode: 0o755, bytes: executable },
    { name: "usr/share/doc/postroom/copyright", bytes: copyright },
    // A new volume gets the owner and the permissions of this folder.
    { name: "data", mode: 0o700, uid: USER_ID },
  ];
  const contents: [entries: readonly Entry[], what: string][] = [
    [[...SYSTEM_FILES, ...base], "C and C++ libraries of Debian 12"],
    [program, `Postroom ${version}`],
  ];
  const layers = [];
  const diffIds = [];
  for (const [entries] of contents) {
    const plain = await tar(withFolders([...entries].sort(byName)), time);
    diffIds.push(`sha256:${sha256(plain)}`);
    layers.push(add(`${MEDIA}.layer.v1.tar+gzip`, gzip(plain)));
  }
  const labels = {
    "org.opencontainers.image.created": created,
    "org.opencontainers.image.licenses": "MIT",
    "org.opencontainers.image.revision": commit,
    "org.opencontainers.image.title": "Postroom",
    "org.opencontainers.image.version": version,
  };
  const config = json(`${MEDIA}.config.v1+json`, {
    created,
    architecture,
    os: "linux",
    ...(architecture === "arm64" && { variant: "v8" }),
    config: { ...IMAGE_CONFIG, Labels: labels },
    rootfs: { type: "layers", diff_ids: diffIds },
    history: contents.map(([, what]) => ({ created, created_by: "./dev release", comment: what })),
  });
  const manifest = json(`${MEDIA}.manifest.v1+json`, {
    schemaVersion: 2,
    mediaType: `${MEDIA}.manifest.v1+json`,
    config,
    layers,
    annotations: labels,
  });
  const index = {
    schemaVersion: 2,
    mediaType: `${MEDIA}.index.v1+json`,
    manifests: [
      {
        ...manifest,
        platform: { architecture, os: "linux", ...(architecture === "arm64" && { variant: "v8" }) },
        annotations: {
          "io.containerd.image.name": `docker.io/library/postroom:${version}`,
          "org.opencontainers.image.ref.name": version,
        },
      },
    ],
  };
  const path = ({ digest }: { digest: string }) => `blobs/${digest.replace(":", "/")}`;
  const docker = [{ Config: path(config), RepoTags: [`postroom:${version}`], Layers: layers.map(path) }];
  return tar(
    withFolders([
      { name: "oci-layout", bytes: JSON.stringify({ imageLayoutVersion: "1.0.0" }) },
      { name: "index.json", bytes: JSON.stringify(index) },
      { name: "manifest.json", bytes: JSON.stringify(docker) },
      ...[...blobs].map(([name, bytes]) => ({ name, bytes })),
    ]),
    time,
  );
}

const byName = (a: Entry, b: Entry) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
