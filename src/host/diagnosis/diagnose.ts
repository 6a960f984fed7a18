/**
 * Why it does not work: looks at what the bridge knows and at the computer around it. Nothing is sent to the terminal, and
 * nothing waits for it. However many windows ask at once, there is one look.
 */
import type { RecentCall } from '../../bridge/listener/index.ts';
import {
  maxShownCalls,
  type ConsoleResult,
  type Diagnosis,
  type RecentCallView,
} from '../../contract/console/index.ts';
import { done, type MethodContext } from '../methods/context.ts';
import { computerFindings, programFindings } from './computer-findings.ts';
import { thisComputer, type Computer } from './computer.ts';
import { gatherFacts, type Facts } from './facts.ts';
import { posFindings } from './pos-findings.ts';
import { terminalFindings } from './terminal-findings.ts';

export function createDiagnosis(
  context: MethodContext,
  computer: Computer = thisComputer(),
): () => Promise<ConsoleResult<Diagnosis>> {
  let looking: Promise<Diagnosis> | null = null;
  return async () => {
    looking ??= gatherFacts(context, computer)
      .then(diagnosisOf)
      .finally(() => (looking = null));
    return done(await looking);
  };
}

/** What the facts come to, in the order of the way. */
export function diagnosisOf(facts: Facts): Diagnosis {
  return {
    at: new Date(facts.nowMs).toISOString(),
    findings: [
      ...programFindings(facts),
      ...terminalFindings(facts),
      ...posFindings(facts),
      ...computerFindings(facts),
    ],
    calls: facts.calls.slice(0, maxShownCalls).map(callView),
  };
}

function callView({ atMs, ...call }: RecentCall): RecentCallView {
  return { at: new Date(atMs).toISOString(), ...call };
}
