/** Tens of seconds, and more on a busy machine. */
const maxTurns = 10_000_000;

/** Waits until `holds` is true for something real that no event tells of: looks after each turn of the event loop. */
export async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; !holds(); turn += 1) {
    if (turn > maxTurns) throw new Error(`it did not come true: ${holds.toString()}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
