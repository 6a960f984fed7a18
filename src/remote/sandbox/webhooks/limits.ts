/** The bounds of webhooks. */

/** Subscriptions that there may be. */
export const maxSubscriptions = 20;
/** Deliveries that wait for one subscription; the oldest are dropped, and the log tells. */
export const maxWaiting = 1_000;
/** After which a delivery is given up. */
export const maxAttempts = 8;
/** The pause after the first failure; each next one is twice as long. */
export const firstPauseMs = 1_000;
export const maxPauseMs = 5 * 60_000;
/** For one attempt. */
export const deliveryTimeoutMs = 5_000;
/** Under way at the same time. */
export const maxAtOnce = 4;
