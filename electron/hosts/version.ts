declare const PARLEY_VERSION: string;

/** Parley's own version; the build puts it in from package.json. */
export const version: string = PARLEY_VERSION;
