import { statSync } from "node:fs";

/** The rights of root, which are used only where they are needed. */
export interface RootRights {
  /** Runs `act` as root if the process was started by root; otherwise as it is. */
  asRoot<T>(act: () => T): T;
  /** Returns to the user who started the process. */
  restore(): void;
}

type Process = Pick<NodeJS.Process, "geteuid" | "getegid" | "seteuid" | "setegid" | "getgroups" | "setgroups">;

/**
 * Continues as the owner of a data folder if root has started the command. Otherwise root would own new files in the
 * folder, and the server could not open them.
 */
export function becomeOwner(data_dir: string, self: Process = process): RootRights {
  const { uid, gid } = statSync(data_dir);
  if (self.geteuid?.() !== 0 || uid === 0) return { asRoot: (act) => act(), restore() {} };
  const [rootGroup, rootGroups] = [self.getegid!(), self.getgroups!() as number[]];
  const drop = () => {
    self.setgroups!([gid]);
    self.setegid!(gid);
    self.seteuid!(uid);
  };
  const raise = () => {
    self.seteuid!(0);
    self.setegid!(rootGroup);
    self.setgroups!(rootGroups);
  };
  drop();
  let dropped = true;
  return {
    asRoot(act) {
      if (!dropped) return act();
      raise();
      dropped = false;
      try {
        return act();
      } finally {
        drop();
        dropped = true;
      }
    },
    restore() {
      if (dropped) raise();
      dropped = false;
    },
  };
}
