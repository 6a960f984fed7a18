/** All durations of the simulated terminal, in milliseconds. Tests set them; people set `pace`. */
export interface SimulatorTimings {
  /** T1 (ZVT PA00P016): longest gap between two bytes of one frame. */
  byteGapMs: number;
  /** T2: longest wait for ACK or NAK. */
  ackTimeoutMs: number;
  /** T3: longest wait for the till's answer to a message of the terminal. */
  answerTimeoutMs: number;
  /** Pause before a 04 0F that was answered with 84 9C ("not yet") is sent again. */
  repeatStatusMs: number;
  /** How long a scene cuts the line, or takes the power away. */
  cutMs: number;
  /** How long a scene answers nothing at all. */
  silenceMs: number;
  /** How long the slow host takes, and how often the terminal says that it still waits for it. */
  slowHostMs: number;
  progressEveryMs: number;
  /** What card, PIN and host take at pace 1; these three are multiplied by the pace. */
  cardMs: number;
  pinMs: number;
  hostMs: number;
  /** Pause between the pieces in which a noisy line hands over a frame; shorter than T1. */
  pieceGapMs: number;
}

export const defaultTimings: SimulatorTimings = {
  byteGapMs: 200,
  ackTimeoutMs: 5_000,
  answerTimeoutMs: 5_000,
  repeatStatusMs: 2_000,
  cutMs: 3_000,
  silenceMs: 20_000,
  slowHostMs: 30_000,
  progressEveryMs: 1_000,
  cardMs: 350,
  pinMs: 300,
  hostMs: 350,
  pieceGapMs: 2,
};
