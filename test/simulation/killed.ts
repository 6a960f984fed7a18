/** Thrown in a process that has just been killed, so that it does not go on. */
export class Killed extends Error {
  override name = 'Killed';
}

/** The process may be killed while it does this. */
export function unlessKilled(act: () => void): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof Killed)) throw error;
  }
}
