/** A page that only scrolls: a thousand rows that look like those of the log, without a script. */
const rows = 1_000;

const style = `
  body { margin: 0; height: 100vh; font: 16px system-ui, sans-serif; background: #f4f5f7; color: #1d2129; }
  .plain-list { box-sizing: border-box; height: 70vh; margin: 20vh 2rem 0; overflow: hidden scroll; background: #fff;
    border-radius: 12px; box-shadow: 0 1px 3px rgb(0 0 0 / 15%); contain: strict; }
  .row { height: 28px; display: grid; grid-template-columns: 6.6rem 6.4rem 5.6rem minmax(0, 1fr); align-items: center;
    gap: 0.5rem; padding: 0 1rem; font-size: 13px; line-height: 1; white-space: nowrap; contain: strict; }
  .row > * { overflow: hidden; text-overflow: ellipsis; line-height: 1.4; }
  .row:hover { background: #eee; }
`;

/** HTML. */
export function plainPage(): string {
  const lines = Array.from({ length: rows }, (_, index) => {
    const time = new Date(index * 100).toISOString().slice(11, 23);
    const words = ['debug', 'zvt', `from terminal: intermediate-status ${index}`];
    return `<div class="row"><time>${time}</time>${words.map((word) => `<span>${word}</span>`).join('')}</div>`;
  });
  return `<!doctype html><title>Plain</title><style>${style}</style><div class="plain-list">${lines.join('')}</div>`;
}
