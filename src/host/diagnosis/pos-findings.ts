/** From the listener to the token: what each check of the POS's side finds. */
import type { RecentCall } from '../../bridge/listener/index.ts';
import { isOrdinaryRefusal } from '../../contract/errors.ts';
import type { DiagnosisFinding } from '../../contract/console/index.ts';
import type { Facts } from './facts.ts';
import { found } from './found.ts';

export function posFindings(facts: Facts): DiagnosisFinding[] {
  return [listenerFinding(facts), posFinding(facts), originFinding(facts), tokenFinding(facts)];
}

function listenerFinding({
  state: { listener, bridge },
  listenerPortHolder: holder,
  listenerPortTillbridge: tillbridge,
}: Facts): DiagnosisFinding {
  switch (listener.kind) {
    case 'on':
      return found('listener_on', { values: { address: listener.addresses[0] ?? `:${listener.port}` } });
    case 'off':
      return bridge.kind === 'running' ? found('listener_off') : found('listener_later');
    case 'starting':
    case 'stopping':
      return found('listener_changing');
    case 'failed': {
      const { port, text, code } = listener;
      if (code !== 'port_in_use') return found('listener_failed', { said: text });
      if (tillbridge !== null)
        return tillbridge.user === null
          ? found('listener_port_tillbridge', { values: { port } })
          : found('listener_port_user', { values: { port, user: tillbridge.user } });
      if (holder === null) return found('listener_port_taken', { values: { port } });
      const { program, processId } = holder;
      return found('listener_port_held', { values: { port, program, process: processId } });
    }
  }
}

/** Calls of what keeps watch, and of somebody who only looks: they are no POS. */
const watching = new Set(['/health', '/metrics', '/openapi.json', '/events', 'other']);
/** What a POS gets in the course of business, so that it does work; a terminal that refuses or takes its time among it. */
function isOrdinary(code: RecentCall['code']): boolean {
  return code === null || code === 'void_declined' || code === 'terminal_timeout' || isOrdinaryRefusal(code);
}

function posFinding({ calls, state: { listener } }: Facts): DiagnosisFinding {
  const ofPos = calls.filter(({ path, code }) => code !== null || !watching.has(path));
  // A browser asks for a picture of the site; a POS with a wrong path has no call of a command beside it.
  const call = ofPos.find(({ path }) => !watching.has(path)) ?? ofPos[0];
  if (call === undefined) {
    if (listener.kind !== 'on') return found('pos_later');
    return found('pos_never', { values: { address: listener.addresses[0] ?? `:${listener.port}` } });
  }
  const more = { at: isoOf(call), values: { caller: callerOf(call), path: call.path.replace('/', '') } };
  if (isOrdinary(call.code) && !watching.has(call.path)) return found('pos_called', more);
  if (call.code === 'invalid_request' && call.address === null) return found('pos_no_http', more);
  return found('pos_refused', { ...more, values: { ...more.values, code: call.code ?? '' } });
}

function originFinding({ state: { blockedOrigins } }: Facts): DiagnosisFinding {
  const [latest] = blockedOrigins;
  if (latest === undefined) return found('origin_clear');
  return found('origin_refused', { values: { origin: latest.origin }, at: latest.at });
}

function tokenFinding({ tokens, calls }: Facts): DiagnosisFinding {
  if ('damaged' in tokens) return found('token_damaged', { said: tokens.damaged });
  if (tokens.count === 0) return found('token_none');
  const values = { count: tokens.count };
  const refused = calls.find(({ code }) => code === 'unauthorized');
  // A caller that has got in since has been given its token.
  const since = calls.some(
    (call) => call.caller === refused?.caller && call.code === null && isLater(call, refused),
  );
  if (refused === undefined || since) return found('token_used', { values });
  return found('token_refused', { at: isoOf(refused), values: { ...values, caller: callerOf(refused) } });
}

function isLater(call: RecentCall, other: RecentCall | undefined): boolean {
  return other !== undefined && call.atMs > other.atMs && !watching.has(call.path);
}

function callerOf({ caller, address }: RecentCall): string {
  return caller ?? address ?? '';
}

function isoOf({ atMs }: RecentCall): string {
  return new Date(atMs).toISOString();
}
