export class Mirror { constructor(_p: unknown) {} handler = { concurrency: 1, run: async () => ({ outcome: "done" as const }) }; resume() {} }
