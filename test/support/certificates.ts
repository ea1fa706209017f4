import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A certificate and its private key, PEM. */
export interface Certificate {
  cert: string;
  key: string;
}

/** A private certificate authority that OpenSSL makes for one test run. */
export interface Authority {
  /** Certificate of the authority, PEM. */
  ca: string;
  /** File that holds the authority's certificate. */
  ca_file: string;
  /** Issues a certificate for these names or addresses; with negative `days` it has already expired. */
  issue(names: readonly string[], days?: number): Certificate;
  /** Removes the files. */
  remove(): void;
}

export const OPENSSL = Bun.which("openssl");

export function createAuthority(): Authority {
  const dir = mkdtempSync(join(tmpdir(), "postroom-ca-"));
  const path = (name: string) => join(dir, name);
  const openssl = (...args: string[]) => {
    const { exitCode, stderr } = Bun.spawnSync(["openssl", ...args], { cwd: dir });
    if (exitCode !== 0) throw new Error(`openssl ${args[0]}: ${stderr.toString()}`);
  };
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  openssl(
    "req",
    "-x509",
    ...key,
    "-days",
    "3650",
    "-subj",
    "/CN=Test authority",
    "-keyout",
    "ca.key",
    "-out",
    "ca.crt",
  );
  let issued = 0;
  return {
    ca: readFileSync(path("ca.crt"), "utf8"),
    ca_file: path("ca.crt"),
    issue(names, days = 365) {
      const name = `leaf${++issued}`;
      const alt = names.map((each) => `${/^[\d.]+$|:/.test(each) ? "IP" : "DNS"}:${each}`).join(",");
      writeFileSync(path(`${name}.ext`), `subjectAltName=${alt}\n`);
      openssl("req", ...key, "-subj", `/CN=${names[0]}`, "-keyout", `${name}.key`, "-out", `${name}.csr`);
      const by = ["-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-days", String(days)];
      openssl("x509", "-req", "-in", `${name}.csr`, ...by, "-extfile", `${name}.ext`, "-out", `${name}.crt`);
      return { cert: readFileSync(path(`${name}.crt`), "utf8"), key: readFileSync(path(`${name}.key`), "utf8") };
    },
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}
