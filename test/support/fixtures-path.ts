import { join } from "node:path";

/** Test suites of other projects. Tests that use them are skipped if this folder is missing (docs/testing.md). */
export const FIXTURES = join(import.meta.dir, "../../../shared/fixtures");
