/** Preferences in the browser's storage, never secrets. Without storage, preferences last until the page is closed. */
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
    // Storage is disabled.
  }
}
