import { readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";

/** What restarts a running server. Commands are lists of arguments. */
export interface Supervisor {
  name: string;
  restart: readonly string[];
  stop: readonly string[] | null;
  start: readonly string[] | null;
}

/** The files of /proc that are read. Null: not readable, or another system. */
export interface ProcFiles {
  text(path: string): string | null;
  link(path: string): string | null;
}

const PROC: ProcFiles = {
  text: (path) => attempt(() => readFileSync(path, "utf8")),
  link: (path) => attempt(() => readlinkSync(path)),
};

/** Returns what supervises a process: systemd, runit or s6; null if none of them does. */
export function supervisorOf(pid: number, proc: ProcFiles = PROC): Supervisor | null {
  return systemdUnit(pid, proc) ?? supervisedFolder(pid, proc);
}

/** The command of a person, in place of a supervisor. */
export function givenCommand(command: string): Supervisor {
  return { name: "the given command", restart: ["/bin/sh", "-c", command], stop: null, start: null };
}

/** The unit is the innermost service of the control group (systemd, "Control Group APIs and Delegation"). */
function systemdUnit(pid: number, { text }: ProcFiles): Supervisor | null {
  const line = (text(`/proc/${pid}/cgroup`) ?? "").split("\n").find((one) => /^(0:|\d+:name=systemd:)/.test(one));
  const parts = line?.split(":").slice(2).join(":").split("/") ?? [];
  const unit = parts.findLast((part) => part.endsWith(".service"));
  // A service of a user's own manager, such as a terminal, must be below that manager.
  if (!unit || /^user@\d+\.service$/.test(unit) || !/^[\w@.:\\-]+$/.test(unit)) return null;
  const own = parts.some((part) => /^user@\d+\.service$/.test(part));
  const command = (verb: string) => ["systemctl", ...(own ? ["--user"] : []), verb, unit];
  return { name: `systemd (${unit})`, restart: command("restart"), stop: command("stop"), start: command("start") };
}

/** runit and s6 start the service as a child of a process whose folder is that of the service. */
function supervisedFolder(pid: number, { text, link }: ProcFiles): Supervisor | null {
  const parent = /^PPid:\s+(\d+)$/m.exec(text(`/proc/${pid}/status`) ?? "")?.[1];
  if (!parent) return null;
  const name = text(`/proc/${parent}/comm`)?.trim();
  const folder = link(`/proc/${parent}/cwd`);
  if (!folder) return null;
  if (name === "runsv") {
    const sv = (verb: string) => ["sv", "-w", "30", verb, folder];
    return { name: `runit (${basename(folder)})`, restart: sv("restart"), stop: sv("stop"), start: sv("start") };
  }
  if (name === "s6-supervise") {
    const svc = (option: string) => ["s6-svc", option, folder];
    return { name: `s6 (${basename(folder)})`, restart: svc("-r"), stop: svc("-d"), start: svc("-u") };
  }
  return null;
}

function attempt<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
