/** The versions of the remote interface, named by the request header `x-service-api-version`. */
export const apiVersions = ['v20260326', 'v20250225', 'v20250212'] as const;
export type ApiVersion = (typeof apiVersions)[number];
export const latestVersion = 'v20260326' satisfies ApiVersion;
export const versionHeader = 'x-service-api-version';

/** Every base address ends with this. */
export const pathPrefix = '/v1';

/** A sandbox answers every request with this header, value "true"; a real service does not know it. */
export const sandboxHeader = 'x-tillbridge-sandbox';
/** Where a client asks, without any token, whether it talks to a sandbox. Under the base address. */
export const sandboxProbePath = '/sandbox';
