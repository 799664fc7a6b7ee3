export interface Promised {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (reason: Error) => void;
}

/** A promise that the test keeps or breaks when it likes. */
export function promised(): Promised {
  let resolve: Promised['resolve'] = () => undefined;
  let reject: Promised['reject'] = () => undefined;
  const promise = new Promise<void>((keep, breakIt) => {
    resolve = keep;
    reject = breakIt;
  });
  return { promise, resolve, reject };
}
