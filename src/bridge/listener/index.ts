/** The listener: HTTP in, HTTP out. */
export { createListener } from './listener.ts';
export type { Listener, ListenerOptions } from './listener.ts';
export type { CallObserver, ListenerResponse } from './listener-context.ts';
export { createToken, hashToken, listTokens, newToken, putToken, removeToken } from './tokens.ts';
export { healthOf } from './health.ts';
export { heldElsewhere } from './terminal-table.ts';
export type { RecentCall } from './recent-calls.ts';
export type { TokenResult } from './tokens.ts';
