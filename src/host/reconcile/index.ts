/** The money of the closed batches: what the host reads and keeps for it. */
export { readClosedBatches } from './closed-batches.ts';
export {
  keepDecisions,
  keepResults,
  readDecisions,
  readRulesFile,
  rulesFileName,
  type KeptResults,
} from './money-files.ts';
