import { imapLineCampaign } from "./probe-line.ts";
import { dice } from "./campaign.ts";
console.log(await imapLineCampaign({ short: true, random: dice(Number(process.argv[2])), say: console.log }));
process.exit(0);
