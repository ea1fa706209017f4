#!/usr/bin/env bun
import { runCommandLine } from "./cli/program.ts";

const code = await runCommandLine(process.argv.slice(2));
// A command that failed half-way may have left a worker or a timer that would keep the process alive.
if (code !== 0) process.exit(code);
