import { describe, expect, it } from 'vitest';
import { narrate } from '../../src/headless/narrator.ts';
import { createMemoryPayments, discrepancyFact } from '../support/memory-payments.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';

const first = '01890000-0000-7000-8000-000000000001';
const second = '01890000-0000-7000-8000-000000000002';

function told() {
  const payments = createMemoryPayments(createVirtualClock());
  const sentences: string[] = [];
  return { payments, sentences, narrator: () => narrate(payments, (sentence) => sentences.push(sentence)) };
}

describe('the narrator', () => {
  it('says a discrepancy when it is found, and who acknowledged it', () => {
    const { payments, sentences, narrator } = told();
    narrator();
    payments.append(discrepancyFact(first));
    payments.acknowledge({ discrepancyId: first, by: 'Ada Meier', reason: 'a test card' });
    expect(sentences).toEqual([
      'Terminal: Ready.',
      'DISCREPANCY. The terminal shows an approved payment of 12.00 EUR that the bridge did not cause. See "tillbridge discrepancies".',
      'The discrepancy was acknowledged by Ada Meier: a test card',
    ]);
  });

  it('says at the start that some are open', () => {
    const { payments, sentences, narrator } = told();
    payments.append(discrepancyFact(first));
    payments.append(discrepancyFact(second));
    narrator();
    expect(sentences[0]).toBe('2 discrepancies are open. See "tillbridge discrepancies".');
  });

  it('says what was learnt of the terminal', () => {
    const { payments, sentences, narrator } = told();
    narrator();
    payments.append({
      type: 'terminal_trait_learned',
      terminal: { protocol: 'zvt', terminalId: '52500041' },
      trait: 'shows_no_records',
      explanation: 'this terminal does not show its last payment',
    });
    expect(sentences.at(-1)).toBe('Learnt of the terminal: this terminal does not show its last payment');
  });
});
