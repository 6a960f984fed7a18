/** Results and states of ECR17 as sentences for people (Nexi "Traditional POS" developer pages). */

const results: Readonly<Record<string, string>> = {
  '00': 'Approved',
  '01': 'Not carried out',
  '05': 'The card was not inserted',
  '09': 'Additional data not known',
};

/** What a result says, where the terminal's own text does not say it better. */
export function resultText(result: string): string {
  return Object.hasOwn(results, result) ? (results[result] ?? '') : `Unknown result code ${result}`;
}

/** What a state of the terminal means for the next payment. */
type Readiness = 'ready' | 'warning' | 'operator' | 'service';

const states: Readonly<Record<string, { text: string; readiness: Readiness }>> = {
  '0': { text: 'The terminal is not configured', readiness: 'service' },
  '1': { text: 'The terminal has to be set up by its service first', readiness: 'service' },
  '2': { text: 'Ready', readiness: 'ready' },
  '3': { text: 'The terminal is not aligned with the bank', readiness: 'operator' },
  '4': { text: 'The keys of the terminal are damaged', readiness: 'service' },
  '5': { text: 'The terminal has to fetch its settings', readiness: 'warning' },
  '6': { text: 'The terminal has to be updated', readiness: 'warning' },
};

/** What the status of an answer `s` says. */
export function statusText(status: string): string {
  return Object.hasOwn(states, status) ? (states[status]?.text ?? '') : `Unknown terminal status ${status}`;
}

/** An unknown status is for the service. */
export function readinessOf(status: string): Readiness {
  return (Object.hasOwn(states, status) ? states[status]?.readiness : undefined) ?? 'service';
}

/** All that have a sentence. */
export const knownResults: readonly string[] = Object.keys(results);
export const knownStates: readonly string[] = Object.keys(states);
