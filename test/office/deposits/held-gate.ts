/** What a test and the thread that it holds say to each other: the state of `gate[0]`. */
export const gateStates = { shut: 0, reached: 1, open: 2 } as const;
