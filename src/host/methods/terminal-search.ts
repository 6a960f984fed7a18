/** Methods for "Find my terminal". One search at a time. */
import { noSearch, searchForTerminals } from '../find/search.ts';
import type { RunningSearch } from '../find/find-terminals.ts';
import { type MethodContext, type MethodHandlers, done, refused } from './context.ts';
import { serialPortsOf } from './serial-ports-of.ts';

export function terminalSearch(
  context: MethodContext,
): MethodHandlers<'findTerminals' | 'terminalSearch' | 'stopSearch'> {
  let search: RunningSearch | null = null;
  const view = () => search?.view ?? noSearch;
  const paymentRuns = context.supervisor.operationRuns;

  return {
    async findTerminals({ network }) {
      if (paymentRuns())
        return refused('terminal_busy', 'An operation is running on the terminal. Search when it has ended.');
      if (view().state === 'running') return done(view());
      const { settings, clock, chance, log, dataDir } = context;
      const { configuration } = settings.inForce();
      const ports = await serialPortsOf(context);
      if (view().state === 'running') return done(view());
      search = searchForTerminals({
        ports,
        network,
        settings: configuration,
        paymentRuns,
        clock,
        chance,
        log,
        dataFolder: dataDir,
      });
      return done(view());
    },
    terminalSearch: () => done(view()),
    async stopSearch() {
      search?.stop();
      await search?.over;
      return done(view());
    },
  };
}
