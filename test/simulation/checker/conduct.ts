/** Rules about what a bridge may do at all, and about coming to an end. */
import type { Finding } from '../evidence.ts';
import type { Case } from './case.ts';

export function checkConduct(run: Case): Finding[] {
  const findings: Finding[] = [];
  for (const record of run.evidence.records) {
    if (record.kind === 'misdeed') findings.push({ rule: 'no bridge does that', text: record.text });
    if (record.kind === 'command' && !record.owed)
      findings.push({
        rule: 'nothing is sent before it is in the journal',
        text: `${record.ctrl} for no operation`,
      });
    if (record.kind === 'start' && !record.wanted) {
      const text = `${record.reference} started at ${record.atMs} ms, and nobody was waiting for it any more`;
      findings.push({ rule: 'nothing starts that nobody waits for', text });
    }
    if (record.kind === 'calm') {
      if (!record.ready) findings.push({ rule: 'a terminal that works becomes ready', text: record.text });
      else if (record.doubts > 0 || run.journal.openOperations.length > 0)
        findings.push({ rule: 'each doubt ends', text: `${record.doubts} left: ${record.text}` });
    }
  }
  return findings;
}
