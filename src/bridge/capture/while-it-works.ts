/** Whatever goes wrong with a recording, what is recorded goes on: the first thing that throws is the last that is tried. */
export type Safely = (record: () => void) => void;

/** `failed` is told once what was thrown; it must not throw. */
export function whileItWorks(failed: (error: unknown) => void): Safely {
  let works = true;
  return (record) => {
    if (!works) return;
    try {
      record();
    } catch (error) {
      works = false;
      failed(error);
    }
  };
}
