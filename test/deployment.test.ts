import { describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { loadConfig } from "../src/platform/config/load.ts";

/** Files that people copy for long-term operation: the systemd unit, the image, the compose files. */

const ROOT = resolve(import.meta.dir, "..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

describe("the systemd unit", () => {
  const SYSTEMD = Bun.which("systemd-analyze");
  if (!SYSTEMD) console.info("skipped: the unit is not verified (systemd-analyze is not installed)");
  const text = read("deploy/systemd/postroom.service");

  /** With a program and a user that exist on this machine. */
  function analyze(...args: string[]) {
    const folder = mkdtempSync(join(tmpdir(), "postroom-unit-"));
    const unit = join(folder, "postroom.service");
    const here = text
      .replace("ExecStart=/usr/local/bin/postroom", "ExecStart=/bin/true")
      .replace(/^(User|Group)=.*$/gm, "$1=daemon");
    try {
      writeFileSync(unit, here);
      const { exitCode, stdout, stderr } = Bun.spawnSync([SYSTEMD!, ...args, unit], { stdout: "pipe", stderr: "pipe" });
      return { code: exitCode, said: stdout.toString() + stderr.toString() };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  test.skipIf(!SYSTEMD)("systemd accepts every line", () => {
    expect(analyze("verify")).toEqual({ code: 0, said: "" });
  });

  test.skipIf(!SYSTEMD)("systemd rates the remaining exposure as harmless", () => {
    // The threshold is in tenths: 2.0 of 10.
    const { code, said } = analyze("security", "--offline=yes", "--threshold=20");
    expect({ code, level: /Overall exposure level.*: (.*)/.exec(said)?.[1] }).toMatchObject({ code: 0 });
  });

  test("starts on a machine where none of its files exist, regardless of library names", () => {
    const values = (name: string) => (new RegExp(`^${name}=(.*)$`, "m").exec(text)?.[1] ?? "").split(" ");
    const made = [...values("StateDirectory").map((folder) => `/var/lib/${folder}`), values("ExecStart")[0]];
    const needed = ["ReadWritePaths", "ExecPaths", "ReadOnlyPaths"]
      .flatMap(values)
      .filter((path) => path.startsWith("/"));
    expect(needed.filter((path) => !made.includes(path))).toEqual([]);
  });

  test("allows JIT compilation of JavaScript, and allows more time to stop than the program needs", () => {
    expect(text).not.toMatch(/^MemoryDenyWriteExecute=/m);
    expect(Number(/^TimeoutStopSec=(\d+)/m.exec(text)![1])).toBeGreaterThan(5);
    expect(text).toMatch(/^ExecPaths=.*\/var\/lib\/postroom\/cache$/m);
  });
});

test("the image has no shell and no root user, and checks its own health", () => {
  const stages = read("Dockerfile")
    .split(/^FROM /m)
    .slice(1);
  const image = stages.at(-1)!;
  expect(image.split("\n")[0]).toBe("gcr.io/distroless/cc-debian12");
  // Without a shell every instruction must be a list.
  expect(image).not.toMatch(/^RUN /m);
  for (const found of image.matchAll(/^(?:CMD|ENTRYPOINT|HEALTHCHECK .* CMD) (.)/gm)) expect(found[1]).toBe("[");
  expect(image).toMatch(/^USER 10001:10001$/m);
  expect(image).toContain('CMD ["/usr/local/bin/postroom", "health"]');
  expect(image).toContain("--chown=10001:10001 /out/data /data");
});

interface Compose {
  services: Record<
    string,
    {
      environment?: Record<string, string>;
      secrets?: string[];
      volumes?: string[];
      networks?: string[];
      ports?: string[];
      read_only?: boolean;
      cap_drop?: string[];
      labels?: Record<string, string>;
    }
  >;
  networks: Record<string, { ipam: { config: { subnet: string }[] } }>;
  secrets: Record<string, { file: string }>;
  volumes: Record<string, unknown>;
}

describe.each(["caddy", "traefik"])("compose behind %s", (proxy) => {
  const compose = Bun.YAML.parse(read(`deploy/compose/${proxy}/compose.yaml`)) as Compose;
  const { postroom } = compose.services;

  test("only the proxy is reachable from the network", () => {
    expect(postroom!.ports).toBeUndefined();
    expect(compose.services[proxy]!.ports).toEqual(expect.arrayContaining(["443:443"]));
    expect(postroom!.networks).toEqual(compose.services[proxy]!.networks!);
    expect(postroom).toMatchObject({ read_only: true, cap_drop: ["ALL"] });
  });

  test("every volume, secret and network that is used is declared", () => {
    for (const service of Object.values(compose.services)) {
      for (const volume of service.volumes ?? []) {
        const [name] = volume.split(":");
        if (!/^[./]/.test(name!)) expect(Object.keys(compose.volumes)).toContain(name!);
      }
      for (const secret of service.secrets ?? []) expect(Object.keys(compose.secrets)).toContain(secret);
      for (const network of service.networks ?? []) expect(Object.keys(compose.networks)).toContain(network);
    }
  });

  test("the settings are valid, and exactly the proxy's network is trusted", () => {
    const { POSTROOM_MASTER_PASSPHRASE_FILE: _secret, ...env } = postroom!.environment!;
    env.POSTROOM_HTTP_PUBLIC_URL = env.POSTROOM_HTTP_PUBLIC_URL!.replace(/\$\{[^}]*\}/, "mail.example.org");
    const config = loadConfig({ data_dir: "/data", env });
    expect(config.get("http.public_url")).toBe("https://mail.example.org");
    expect(config.get("http.trusted_proxies")).toEqual([compose.networks.inside!.ipam.config[0]!.subnet]);
  });
});

test("Caddy and Traefik forward to the port on which the image listens", () => {
  expect(read("deploy/compose/caddy/Caddyfile")).toContain("reverse_proxy postroom:8025");
  expect(read("deploy/compose/traefik/compose.yaml")).toContain('loadbalancer.server.port: "8025"');
  expect(read("Dockerfile")).toContain('"--port", "8025"');
});
