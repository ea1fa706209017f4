/** Sets the chosen light or dark before anything is painted. Without a choice the system decides. */
try {
  const theme = localStorage.getItem("postroom.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage is switched off: the system decides.
}
