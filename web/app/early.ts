/** Applies the chosen color theme before the first paint. Without a choice, the system setting applies. */
try {
  const theme = localStorage.getItem("postroom.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage is disabled: the system setting applies.
}
