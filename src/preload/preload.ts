/** The sandboxed door between window and main process. */
export {};
