import { describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { EVENTS } from "../src/kernel/events.ts";
import { loadConfig } from "../src/platform/config/load.ts";
import { EgressGuard } from "../src/platform/egress/guard.ts";

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
  secrets?: Record<string, { file: string }>;
  volumes: Record<string, unknown>;
}

/** Returns the volumes, secrets and networks that a service uses and the file does not declare. */
function undeclared({ services, volumes, secrets = {}, networks }: Compose): string[] {
  return Object.values(services).flatMap((service) => [
    ...(service.volumes ?? [])
      .map((volume) => volume.split(":")[0]!)
      .filter((name) => !/^[./]/.test(name) && !(name in volumes)),
    ...(service.secrets ?? []).filter((name) => !(name in secrets)),
    ...(service.networks ?? []).filter((name) => !(name in networks)),
  ]);
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
    expect(undeclared(compose)).toEqual([]);
  });

  test("the settings are valid, and exactly the proxy's network is trusted", () => {
    const { POSTROOM_MASTER_PASSPHRASE_FILE: _secret, ...env } = postroom!.environment!;
    env.POSTROOM_HTTP_PUBLIC_URL = env.POSTROOM_HTTP_PUBLIC_URL!.replace(/\$\{[^}]*\}/, "mail.example.org");
    const config = loadConfig({ data_dir: "/data", env });
    expect(config.get("http.public_url")).toBe("https://mail.example.org");
    expect(config.get("http.trusted_proxies")).toEqual([compose.networks.inside!.ipam.config[0]!.subnet]);
  });
});

describe("compose for a network at home", () => {
  const compose = Bun.YAML.parse(read("deploy/compose/compose.yaml")) as Compose;
  const { postroom } = compose.services;

  test("works at the first start: it needs no file, no folder and no variable", () => {
    const text = read("deploy/compose/compose.yaml");
    // Each variable has a default.
    expect([...text.matchAll(/\$\{(\w+)(.*?)\}/g)].filter(([, , rest]) => !rest!.startsWith(":-"))).toEqual([]);
    expect(postroom!.volumes).toEqual(["postroom:/data"]);
    expect(postroom).not.toHaveProperty("build");
    expect(Object.keys(compose.volumes)).toEqual(["postroom"]);
    // A new volume gets the owner of the folder in the image, so the user of the service must be that owner.
    expect(postroom).toMatchObject({ user: "10001:10001", read_only: true, cap_drop: ["ALL"] });
    expect(read("Dockerfile")).toContain("--chown=10001:10001 /out/data /data");
  });

  test("listens on the port of the image, and its settings are valid", () => {
    expect(postroom!.ports!.map((port) => port.replace(/^\$\{POSTROOM_LISTEN:-(.*)\}/, "$1"))).toEqual([
      "0.0.0.0:8025:8025",
    ]);
    const config = loadConfig({ data_dir: "/data", env: { POSTROOM_HTTP_ALLOWED_HOSTS: "nas.lan" } });
    expect(Object.keys(postroom!.environment!)).toEqual(["POSTROOM_HTTP_ALLOWED_HOSTS"]);
    expect(config.get("http.allowed_hosts")).toEqual(["nas.lan"]);
  });
});

const COMPOSE_FILES = ["", "caddy/", "traefik/", "n8n/", "node-red/", "home-assistant/"];
/** Compose as a plugin of Docker, or the program that Debian has, which needs no Docker to read a file. */
const COMPOSE = [["docker", "compose"], ["docker-compose"]].find(
  ([program, ...args]) => Bun.which(program!) !== null && Bun.spawnSync([program!, ...args, "version"]).exitCode === 0,
);
if (!COMPOSE) console.info("skipped: Compose does not check the files (it is not installed)");

test.skipIf(!COMPOSE).each(COMPOSE_FILES)("Compose accepts deploy/compose/%scompose.yaml", (folder) => {
  const env = {
    PATH: process.env.PATH!,
    HOME: tmpdir(),
    POSTROOM_HOST: "mail.example.org",
    ACME_EMAIL: "a@example.org",
  };
  const cmd = [...COMPOSE!, "-f", join(ROOT, `deploy/compose/${folder}compose.yaml`), "config", "--quiet"];
  const { exitCode, stderr } = Bun.spawnSync({ cmd, env, timeout: 30_000 });
  expect({ exitCode, said: stderr.toString() }).toEqual({ exitCode: 0, said: "" });
});

const CADDY = Bun.which("caddy");
if (!CADDY) console.info("skipped: caddy does not check the Caddyfile (it is not installed)");

test.skipIf(!CADDY)("Caddy accepts its file", () => {
  const file = join(ROOT, "deploy/compose/caddy/Caddyfile");
  const env = { PATH: process.env.PATH!, HOME: tmpdir(), POSTROOM_HOST: "mail.example.org" };
  const cmd = [CADDY!, "adapt", "--config", file, "--adapter", "caddyfile"];
  const { exitCode, stdout } = Bun.spawnSync({ cmd, env, timeout: 30_000 });
  expect({ exitCode, config: stdout.toString() }).toMatchObject({
    exitCode: 0,
    config: expect.stringContaining('"dial":"postroom:8025"'),
  });
});

test("Caddy and Traefik forward to the port on which the image listens", () => {
  expect(read("deploy/compose/caddy/Caddyfile")).toContain("reverse_proxy postroom:8025");
  expect(read("deploy/compose/traefik/compose.yaml")).toContain('loadbalancer.server.port: "8025"');
  expect(read("Dockerfile")).toContain('"--port", "8025"');
});

/** The folder, the host name of the other program, and its port. */
const AUTOMATION = [
  ["n8n", "n8n", 5678],
  ["node-red", "node-red", 1880],
  ["home-assistant", "homeassistant", 8123],
] as const;

describe.each(AUTOMATION)("compose with %s", (folder, host, port) => {
  const compose = Bun.YAML.parse(read(`deploy/compose/${folder}/compose.yaml`)) as Compose;
  const { postroom, [host]: other } = compose.services;

  test("both programs share a network, and Postroom is reachable from this machine only", () => {
    expect(undeclared(compose)).toEqual([]);
    expect(postroom!.networks).toEqual(other!.networks!);
    expect(postroom!.ports).toEqual(["127.0.0.1:8025:8025"]);
    expect(postroom).toMatchObject({ read_only: true, cap_drop: ["ALL"] });
    expect(other!.ports!.some((one) => one.endsWith(`${port}:${port}`))).toBe(true);
  });

  test("webhooks over plain HTTP are allowed to that host only", () => {
    const config = loadConfig({ data_dir: "/data", env: postroom!.environment! });
    expect(config.get("webhooks.allow")).toEqual([host]);
    const guard = new EgressGuard(config.get("webhooks.allow"));
    expect(() => guard.checkUrl(`http://${host}:${port}/`, { plainHttp: true })).not.toThrow();
    expect(() => guard.checkUrl("http://other:1880/", { plainHttp: true })).toThrow();
  });

  test("the README names existing services and the address of the other program", () => {
    const readme = read(`deploy/compose/${folder}/README.md`);
    for (const command of readme.matchAll(/docker compose up -d (\S+)/g)) {
      if (!command[1]!.startsWith("-")) expect(Object.keys(compose.services)).toContain(command[1]!.replace("`.", ""));
    }
    expect(readme).toContain(`http://${host}:${port}`);
  });
});

describe("the flow for Node-RED", () => {
  const flow = JSON.parse(read("deploy/compose/node-red/flows.json")) as {
    id: string;
    type: string;
    z?: string;
    func?: string;
    skipBodyParsing?: boolean;
    wires?: string[][];
  }[];

  test("has wires to existing nodes only, and every function parses", () => {
    const ids = flow.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { wires = [], z } of flow) {
      expect(wires.flat().filter((id) => !ids.includes(id))).toEqual([]);
      if (z !== undefined) expect(ids).toContain(z);
    }
    for (const { func } of flow) if (func) expect(() => new Function("msg", "env", "node", func)).not.toThrow();
  });

  test("verifies the raw body before anything else", () => {
    const [input] = flow.filter(({ type }) => type === "http in");
    expect(input).toMatchObject({ skipBodyParsing: true, wires: [["postroom-verify"]] });
    expect(flow.find(({ id }) => id === "postroom-verify")!.func).toContain("timingSafeEqual");
  });

  test("contains no key: the environment of the container has them", () => {
    const { environment } = (Bun.YAML.parse(read("deploy/compose/node-red/compose.yaml")) as Compose).services[
      "node-red"
    ]!;
    const variables = [...JSON.stringify(flow).matchAll(/env\.get\(\\"(\w+)\\"\)/g)].map(([, name]) => name!);
    expect(new Set(variables)).toEqual(new Set(Object.keys(environment!)));
    expect(JSON.stringify(flow)).not.toMatch(/service_(live|test)_|whsec_/);
  });
});

test("the workflow for n8n has connected nodes of the package, and no credentials", () => {
  const { nodes, connections } = JSON.parse(read("deploy/compose/n8n/workflow.json")) as {
    nodes: { name: string; type: string; credentials?: { postroomApi: { id: string } } }[];
    connections: Record<string, { main: { node: string }[][] }>;
  };
  const names = nodes.map(({ name }) => name);
  const targets = Object.values(connections).flatMap(({ main }) => main.flat().map(({ node }) => node));
  expect([...Object.keys(connections), ...targets].filter((name) => !names.includes(name))).toEqual([]);
  // Every node but the trigger is reached.
  expect(new Set(targets).size).toBe(names.length - 1);
  const manifest = read("clients/n8n/package.json");
  for (const { type, credentials } of nodes) {
    const [, own] = /^n8n-nodes-postroom\.(\w+)$/.exec(type) ?? [];
    if (own) expect(manifest.toLowerCase()).toContain(`/${own}.node.js`.toLowerCase());
    if (credentials) expect(credentials.postroomApi.id).toBe("");
  }
});

describe("the configuration for Home Assistant", () => {
  const folder = "deploy/compose/home-assistant/config";
  /** Tags such as !secret become part of the text. */
  const yaml = (path: string) => Bun.YAML.parse(read(`${folder}/${path}`).replace(/: (!\w+ \S+)$/gm, ': "$1"'));

  test("parses, and every secret has an example", () => {
    expect(yaml("configuration.yaml")).toMatchObject({ homeassistant: { packages: "!include_dir_named packages" } });
    const used = [...read(`${folder}/packages/postroom.yaml`).matchAll(/!secret (\w+)/g)].map(([, name]) => name!);
    expect(new Set(used)).toEqual(new Set(Object.keys(yaml("secrets.example.yaml") as object)));
  });

  test("calls existing routes, and reads events of the catalog", () => {
    const { rest, rest_command, automation } = yaml("packages/postroom.yaml") as {
      rest: { resource: string }[];
      rest_command: Record<string, { url: string; method?: string }>;
      automation: { trigger: object[]; action: { service?: string }[] }[];
    };
    const { paths } = JSON.parse(read("test/golden/openapi.json")) as {
      paths: Record<string, Record<string, unknown>>;
    };
    const routes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path.replace(/\{\w+\}/g, "{}")}`),
    );
    const called = [
      ...rest.map(({ resource }) => `get ${resource}`),
      ...Object.values(rest_command).map(({ url, method = "get" }) => `${method} ${url}`),
    ].map((one) =>
      one
        .replace("http://postroom:8025/v1", "")
        .replace(/\?.*/, "")
        .replace(/\{\{ \w+ \}\}/g, "{}"),
    );
    expect(called.filter((one) => !routes.includes(one))).toEqual([]);
    for (const { action } of automation) {
      for (const { service = "" } of action) {
        const [, command] = /^rest_command\.(\w+)$/.exec(service) ?? [];
        if (command) expect(Object.keys(rest_command)).toContain(command);
      }
    }
    const text = read(`${folder}/packages/postroom.yaml`);
    for (const [, name] of text.matchAll(/\.event == '([\w.]+)'/g)) expect(Object.keys(EVENTS)).toContain(name!);
  });
});
