import { existsSync } from "node:fs";
import type { AddressInfo } from "node:net";
import ssh2, { type AuthenticationType, type Connection, type ServerChannel } from "ssh2";
import { makeKey } from "./sftp-server.ts";

/** OpenSSH's program for the files of one connection. */
export const SFTP_SERVER = ["/usr/lib/openssh/sftp-server", "/usr/libexec/sftp-server"].find((path) =>
  existsSync(path),
);

export interface LibraryServerOptions {
  /** What a client may try. A password is "secret". */
  methods?: AuthenticationType[];
  /** Command that speaks SFTP; null for a server without SFTP. */
  command?: string[] | null;
  /** Kind of the host key. */
  hostKey?: "ed25519" | "rsa";
  /** Ways to exchange keys; those of the library by default. */
  kex?: string[];
}

/**
 * An SSH server whose sign-in a test decides, which OpenSSH's own server does not allow without users of the machine.
 */
export interface LibraryServer {
  port: number;
  /** Public half of the host key, as a line. */
  hostKey: string;
  /** Ways to authenticate that were tried, in order. */
  tried: AuthenticationType[];
  close(): void;
}

export async function startSshLibrary(options: LibraryServerOptions = {}): Promise<LibraryServer> {
  const { methods = ["password"], command = [SFTP_SERVER ?? ""], hostKey = "ed25519", kex } = options;
  const host = makeKey(hostKey);
  const clients = new Set<Connection>();
  const children = new Set<Bun.Subprocess>();
  const algorithms = kex ? { algorithms: { kex: kex as "diffie-hellman-group14-sha1"[] } } : {};
  const server = new ssh2.Server({ hostKeys: [host.private], ...algorithms }, (client) => {
    clients.add(client);
    client.on("error", () => {}).on("close", () => clients.delete(client));
    client.on("authentication", (context) => {
      library.tried.push(context.method);
      if (!methods.includes(context.method)) return context.reject(methods);
      if (context.method === "password") return answer(context.password === "secret");
      if (context.method !== "keyboard-interactive") return context.reject(methods);
      context.prompt([{ prompt: "Password: ", echo: false }], (answers) => answer(answers[0] === "secret"));
      return;
      function answer(fits: boolean) {
        if (fits) context.accept();
        else context.reject(methods);
      }
    });
    client.on("ready", () => {
      client.on("session", (accept) => {
        const session = accept();
        session.on("subsystem", (admit, reject) => {
          if (!command) return reject();
          const child = Bun.spawn(command, { stdio: ["pipe", "pipe", "ignore"] });
          children.add(child);
          pump(child as Bun.Subprocess<"pipe", "pipe", "ignore">, admit());
        });
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const library: LibraryServer = {
    port: (server.address() as AddressInfo).port,
    hostKey: host.public,
    tried: [],
    close() {
      for (const client of clients) client.end();
      for (const child of children) child.kill();
      server.close();
    },
  };
  return library;
}

function pump(child: Bun.Subprocess<"pipe", "pipe", "ignore">, channel: ServerChannel): void {
  channel.on("data", (bytes: Buffer) => {
    child.stdin.write(bytes);
    void child.stdin.flush();
  });
  channel.on("close", () => child.kill()).on("error", () => {});
  void (async () => {
    for await (const bytes of child.stdout) channel.write(bytes);
    channel.end();
  })().catch(() => {});
}
