import { isPerson } from "./people.ts";
import { LANGS } from "./person.ts";
import { FOLDERS } from "./types.ts";
import { isWhen } from "./when.ts";

/** Checks of the values in files of sample mail. Each returns undefined for a value that is not allowed. */

export const asFolder = (value: string) => FOLDERS.find((name) => name === value);
export const asLanguage = (value: string) => LANGS.find((name) => name === value);
export const asPerson = (value: string) => (isPerson(value) ? value : undefined);
export const asWhen = (value: string) => (isWhen(value) ? value : undefined);
export const asLabel = (value: string) => (value === "" ? undefined : value);
export const asFlag = (value: string) => (["unread", "starred"] as const).find((name) => name === value);
export const asQuote = (value: string) => (["forward", "none"] as const).find((name) => name === value);
export const asYes = (value: string) => (value === "yes" ? true : undefined);
export const asNumber = (value: string) => (/^\d+$/.test(value) ? Number(value) : undefined);
export const asMethod = (value: string) => (["REQUEST", "CANCEL"] as const).find((name) => name === value);

export const A_FOLDER = `one of ${FOLDERS.join(", ")}`;
export const A_LANGUAGE = `one of ${LANGS.join(", ")}`;
export const A_PERSON = "a person of people.txt";
export const A_TIME = "a time such as `-25m`, `-3h`, `-12d 14:20` or `-12b 14:20`";
