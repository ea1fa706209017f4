import { join } from "node:path";

/** Other people's test suites, used by the fuller tests when they lie beside the project; see docs/testing.md. */
export const FIXTURES = join(import.meta.dir, "../../../shared/fixtures");
