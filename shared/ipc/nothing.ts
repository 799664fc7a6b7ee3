/** Of a request that needs no input, or has no value. */
export type Nothing = undefined;
