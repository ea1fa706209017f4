/** Returns a preference from the browser's storage; null when it is not set. Preferences are never secrets. */
export function readPreference(name: string): string | null {
  try {
    return localStorage.getItem(`postroom.${name}`);
  } catch {
    return null;
  }
}

/** Stores a preference, or removes it when it is null. Without storage, it lasts until the page is closed. */
export function writePreference(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`postroom.${name}`);
    else localStorage.setItem(`postroom.${name}`, value);
  } catch {
    // Storage is disabled.
  }
}
