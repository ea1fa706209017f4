/** Puts work off until its result is first asked for: the program starts without it, and most of it is never needed. */
export function lazy<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
