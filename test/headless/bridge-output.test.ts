import { describe, expect, it } from 'vitest';
import { defaultDataDir } from '../../src/host/index.ts';
import { deferOutput, printEvents, printEventsOf } from '../../src/headless/bridge-output.ts';
import { createMemoryPayments, discrepancyFact } from '../support/memory-payments.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';

const first = '01890000-0000-7000-8000-000000000001';
const second = '01890000-0000-7000-8000-000000000002';

function told(dataDir = defaultDataDir()) {
  const payments = createMemoryPayments(createVirtualClock());
  const sentences: string[] = [];
  return {
    payments,
    sentences,
    printer: () => printEvents(payments, dataDir, (sentence) => sentences.push(sentence)),
  };
}

describe('the event printer', () => {
  it('says a discrepancy when it is found, and who acknowledged it', () => {
    const { payments, sentences, printer } = told();
    printer();
    payments.append(discrepancyFact(first));
    payments.acknowledge({ discrepancyId: first, by: 'Ada Meier', reason: 'a test card' });
    expect(sentences).toEqual([
      'Terminal: Ready.',
      'DISCREPANCY. The terminal shows an approved payment of 12.00 EUR that the bridge did not cause. See "tillbridge discrepancies".',
      'The discrepancy was acknowledged by Ada Meier: a test card',
    ]);
  });

  it('says at the start that some are open', () => {
    const { payments, sentences, printer } = told();
    payments.append(discrepancyFact(first));
    payments.append(discrepancyFact(second));
    printer();
    expect(sentences[0]).toBe('2 discrepancies are open. See "tillbridge discrepancies".');
  });

  it('names the data folder in its commands where it is not the usual one', () => {
    const { payments, sentences, printer } = told('/shop/till');
    payments.append(discrepancyFact(first));
    printer();
    payments.append(discrepancyFact(second));
    const command = `"tillbridge discrepancies --data-dir /shop/till"`;
    expect(sentences[0]).toBe(`One discrepancy is open. See ${command}.`);
    expect(sentences[2]).toContain(`See ${command}.`);
  });

  it('says what happens on each of several terminals, with its name', () => {
    const [main, bar] = [told(), told()];
    const sentences: string[] = [];
    const printer = printEventsOf(
      [
        { name: 'main', payments: main.payments },
        { name: 'bar', payments: bar.payments },
      ],
      defaultDataDir(),
      (sentence) => sentences.push(sentence),
    );
    bar.payments.append(discrepancyFact(first));
    expect(sentences.slice(0, 2)).toEqual(['main: Terminal: Ready.', 'bar: Terminal: Ready.']);
    expect(sentences[2]).toMatch(/^bar: DISCREPANCY\. The terminal shows/);
    printer.stop();
    bar.payments.append(discrepancyFact(second));
    main.payments.append(discrepancyFact(second));
    expect(sentences).toHaveLength(3);
  });

  it('says what was learnt of the terminal', () => {
    const { payments, sentences, printer } = told();
    printer();
    payments.append({
      type: 'terminal_trait_learned',
      terminal: { protocol: 'zvt', terminalId: '52500041' },
      trait: 'shows_no_records',
      explanation: 'this terminal does not show its last payment',
    });
    expect(sentences.at(-1)).toBe('Learned about the terminal: this terminal does not show its last payment');
  });
});

describe('printing that nobody waits for', () => {
  it('prints in order, once what runs now is done', async () => {
    const printed: string[] = [];
    const output = deferOutput((line) => printed.push(line));
    output.print('one');
    output.print('two');
    await Promise.resolve();
    expect(printed).toEqual([]);
    await new Promise(setImmediate);
    expect(printed).toEqual(['one', 'two']);
    output.print('three');
    await new Promise(setImmediate);
    expect(printed).toEqual(['one', 'two', 'three']);
  });

  it('prints at once what waits when it is flushed, and not again', async () => {
    const printed: string[] = [];
    const output = deferOutput((line) => printed.push(line));
    output.print('one');
    output.flush();
    expect(printed).toEqual(['one']);
    await new Promise(setImmediate);
    expect(printed).toEqual(['one']);
  });
});
