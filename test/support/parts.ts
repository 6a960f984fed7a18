/** What a generator comes to that does its work in parts. */
export function finished<T>(parts: Generator<unknown, T>): T {
  let part = parts.next();
  while (part.done !== true) part = parts.next();
  return part.value;
}
