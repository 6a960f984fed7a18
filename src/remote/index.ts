/** The remote treasury and compliance interface, for users of the library (`tillbridge/remote`). */
export * from './client/index.ts';
export * from './catalogue/index.ts';
export * from './sandbox/index.ts';
