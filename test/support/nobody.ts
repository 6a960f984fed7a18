/** Becomes a user without rights for a while: root, whom nothing is forbidden, cannot see what the others see. */

/** Only root can become somebody else; a test that needs it is skipped for others. */
export const isRoot = process.platform !== 'win32' && process.getuid?.() === 0;

const nobody = 65_534;

export async function asNobody<T>(act: () => T | Promise<T>): Promise<T> {
  process.seteuid?.(nobody);
  try {
    return await act();
  } finally {
    process.seteuid?.(0);
  }
}
