import { expect, test } from "bun:test";
import { supervisorOf } from "./supervisor.ts";

/** Returns the supervisor of process 7, whose parent is process 5. */
function supervisor(cgroup: string, parent = "bash") {
  const files: Record<string, string> = {
    "/proc/7/cgroup": cgroup,
    "/proc/7/status": "Name:\tpostroom\nPPid:\t5\n",
    "/proc/5/comm": `${parent}\n`,
  };
  return supervisorOf(7, { text: (path) => files[path] ?? null, link: () => "/etc/service/postroom" });
}

test("a unit of the system is restarted with systemctl", () => {
  expect(supervisor("0::/system.slice/postroom.service\n")?.restart).toEqual([
    "systemctl",
    "restart",
    "postroom.service",
  ]);
  expect(supervisor("1:name=systemd:/system.slice/postroom@a.service\n")?.stop).toEqual([
    ...["systemctl", "stop", "postroom@a.service"],
  ]);
});

test("a unit of a user is restarted by that user's manager; a terminal of the user is no unit", () => {
  const user = "0::/user.slice/user-1000.slice/user@1000.service";
  expect(supervisor(`${user}/app.slice/postroom.service\n`)?.restart).toEqual([
    ...["systemctl", "--user", "restart", "postroom.service"],
  ]);
  expect(supervisor(`${user}\n`)).toBeNull();
  expect(supervisor("0::/user.slice/user-1000.slice/session-3.scope\n")).toBeNull();
});

test("a name that could be an option or a command is no unit", () => {
  expect(supervisor("0::/system.slice/a b.service\n")).toBeNull();
});

test("runit and s6 are recognized by the parent process", () => {
  expect(supervisor("0::/\n", "runsv")?.restart).toEqual(["sv", "-w", "30", "restart", "/etc/service/postroom"]);
  expect(supervisor("0::/\n", "s6-supervise")?.stop).toEqual(["s6-svc", "-d", "/etc/service/postroom"]);
  expect(supervisor("0::/\n")).toBeNull();
});
