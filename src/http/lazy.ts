/** Delays work until its result is first needed. The program starts faster, and most of the work is never needed. */
export function lazy<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
