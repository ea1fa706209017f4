import { growFolders } from "./growth-folders.ts";
import { postroomCommand } from "./postroom.ts";

const [folder, sizes] = process.argv.slice(2) as [string, string];
const r = await growFolders(postroomCommand(null), folder, sizes.split(",").map(Number), 1, (l) =>
  console.error(new Date().toISOString(), l),
);
console.log(JSON.stringify(r, null, 1));
