export function partsOf(w: string, d: unknown): string[] | null { return null; }
