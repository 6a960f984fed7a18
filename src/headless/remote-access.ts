/** What is said when the remote service does not do what it is asked, for the commands that ask it. */
import type { RemoteError } from '../remote/library/client.ts';
import { exitFailed, exitUsage, oneLine, type CliContext } from './cli-context.ts';

/** Gives the exit code. */
export function explain(error: RemoteError, context: CliContext): number {
  context.error(oneLine(error.message));
  const told = [
    error.status === null ? null : `status ${error.status}`,
    error.code === null ? null : `code ${error.code}`,
    error.requestId === null ? null : `request ${error.requestId}`,
  ].filter((fact) => fact !== null);
  if (told.length > 0) context.error(oneLine(`(${told.join(', ')})`));
  if (error.status !== null) {
    for (const issue of error.issues) context.error(oneLine(`  ${issue.path}: ${issue.message}`));
  }
  if (error.kind === 'etag-unknown') context.error('Give the record’s etag with --etag.');
  if (error.outcome === 'unknown')
    context.error('It may have been carried out anyway; check before you repeat it.');
  return error.kind === 'configuration' || error.kind === 'invalid-request' ? exitUsage : exitFailed;
}
