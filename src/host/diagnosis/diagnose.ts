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
import { mainTerminal, normalTerminalName } from '../../contract/terminal-name.ts';
import { done, onTerminal, type MethodContext, type MethodHandlers } from '../methods/context.ts';
import { computerFindings, programFindings } from './computer-findings.ts';
import { thisComputer, type Computer } from './computer.ts';
import { gatherFacts, type Facts } from './facts.ts';
import { posFindings } from './pos-findings.ts';
import { terminalFindings } from './terminal-findings.ts';

export function createDiagnosis(
  context: MethodContext,
  computer: Computer = thisComputer(),
): MethodHandlers<'diagnosis'>['diagnosis'] {
  const looking = new Map<string, Promise<Diagnosis>>();

  async function look(terminal: string): Promise<ConsoleResult<Diagnosis>> {
    const asked =
      looking.get(terminal) ??
      gatherFacts(context, computer, terminal)
        .then(diagnosisOf)
        .finally(() => looking.delete(terminal));
    looking.set(terminal, asked);
    return done(await asked);
  }

  return ({ terminal = mainTerminal }) => {
    const name = normalTerminalName(terminal);
    // Of the main one also while no bridge runs: then that is what does not work.
    return name === mainTerminal ? look(name) : onTerminal(context, name, () => look(name));
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
