/** Rules about a till's client: what a cashier wanted once is paid once, whatever references were sent for it. */
import type { Finding } from '../evidence.ts';
import type { Case } from './case.ts';
import { excusedByLoss } from './money.ts';

export function checkSales(run: Case): Finding[] {
  const sales = Map.groupBy(run.sent, ({ given }) => given);
  return [...sales].flatMap(([given, sent]) => {
    const references = [...new Set(sent.map(({ reference }) => reference))];
    const findings: Finding[] = [];
    const others = references.filter((reference) => reference !== given);
    if (others.length > 0) {
      const text = `${given ?? 'nothing'} was given, and ${others.join(', ')} sent`;
      findings.push({ rule: 'a client sends the reference that it was given', text });
    }
    const charges = references.flatMap((reference) => run.chargesOf(reference));
    if (charges.length > 1 && !excusedByLoss(run, charges)) {
      const numbers = charges.map(({ number }) => number).join(', ');
      findings.push({
        rule: 'no sale is charged twice',
        text: `${given ?? ''}: with the numbers ${numbers}`,
      });
    }
    return findings;
  });
}
