/** Texts in which an avoided word is the right one. */
export const EXCEPTIONS: readonly { file: RegExp; text: RegExp; reason: string }[] = [];
