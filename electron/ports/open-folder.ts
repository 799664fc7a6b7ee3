/** Shows one of Parley's own folders to the person; whether that could be done. */
export type OpenFolder = (path: string) => Promise<boolean>;
