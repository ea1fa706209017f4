/**
 * Returns the section of a version in CHANGELOG.md, with its heading, and whether the heading still says "unreleased".
 * @throws Error if there is none, or an empty one
 */
export function changelogSection(changelog: string, version: string): { text: string; unreleased: boolean } {
  const sections = changelog.split(/^(?=## )/m).slice(1);
  const section = sections.find((one) => new RegExp(`^## ${RegExp.escape(version)}(?= |$)`, "m").test(one));
  if (!section) throw new Error(`CHANGELOG.md has no section "## ${version}"`);
  const [heading, ...lines] = section.split("\n");
  if (lines.join("").trim() === "") throw new Error(`the section "${heading}" of CHANGELOG.md is empty`);
  return { text: `${section.trimEnd()}\n`, unreleased: heading!.includes("(unreleased)") };
}
