/** What this browser remembers between visits. Never anything secret. Without storage it forgets, and all goes on. */
export function readPreference(name: string): string | null {
  try {
    return localStorage.getItem(`postroom.${name}`);
  } catch {
    return null;
  }
}

export function writePreference(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`postroom.${name}`);
    else localStorage.setItem(`postroom.${name}`, value);
  } catch {
    // Storage is switched off.
  }
}
