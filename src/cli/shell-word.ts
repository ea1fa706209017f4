/** A text as one word of a command line that somebody will copy into a POSIX shell, whatever a stranger has put into it. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
