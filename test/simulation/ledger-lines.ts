/** What a line of a terminal's ledger is about. */

type Fact = Readonly<Record<string, unknown>>;

/**
 * Gives a function that is called with each line in turn, and says at which line what it tells of began: a terminal that
 * keeps a transaction under a number of ours writes that it has it, and may decide it long after others.
 */
export function createBeginnings(): (offset: number, fact: Fact) => number {
  const began = new Map<string, number>();
  return (offset, fact) => {
    if (typeof fact['out_trade_no'] !== 'string') return offset;
    const key = `${String(fact['terminal_id'])} ${fact['out_trade_no']}`;
    if (fact['event'] === 'started') began.set(key, offset);
    return began.get(key) ?? offset;
  };
}
