#!/usr/bin/env bun
import "./cli/private-files.ts";
import { ignoreClosedOutput } from "./cli/closed-output.ts";
import { applyRuntimeOptions } from "./cli/runtime-options.ts";

applyRuntimeOptions();
ignoreClosedOutput();
// Loaded only now, because it takes longer than everything before it.
const { runCommandLine } = await import("./cli/program.ts");
const code = await runCommandLine(process.argv.slice(2));
// A command that failed midway may have left a worker or a timer that would keep the process alive.
if (code !== 0) process.exit(code);
