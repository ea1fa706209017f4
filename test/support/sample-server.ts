import { createHttpPipeline } from "../../src/http/pipeline.ts";
import { startServer } from "../../src/http/server.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { loadConfig, withValues } from "../../src/platform/config/load.ts";
import { createLog } from "../../src/platform/log.ts";
import { openPlatform } from "../../src/platform/platform.ts";
import { createSample, sampleRoutes } from "./sample-routes.ts";

/** A separate process that serves the sample routes, for tests that kill it. Prints its port. */

const data_dir = process.argv[2]!;
const log = createLog({ level: "error", format: "text", clock: systemClock });
const config = withValues(loadConfig({ data_dir, env: {} }), {
  "limits.requests_per_minute_key": 1_000_000,
  "limits.requests_per_minute_user": 1_000_000,
  "limits.requests_per_minute_ip": 1_000_000,
});
const platform = openPlatform({ config, clock: systemClock, log });
const pipeline = createHttpPipeline({ platform, routes: sampleRoutes(createSample())(platform), version: "test" });
console.log(startServer({ pipeline, host: "127.0.0.1", port: 0, log }).port);
