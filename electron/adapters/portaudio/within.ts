/** What did not come in time; it may still come. */
export const late = Symbol('late');

/** Waits so long and no longer; the process stays for it meanwhile. */
export async function within<Value>(
  milliseconds: number,
  promise: Promise<Value>,
): Promise<Value | typeof late> {
  let timer: NodeJS.Timeout | undefined;
  const waited = new Promise<typeof late>((resolve) => {
    timer = setTimeout(resolve, milliseconds, late);
  });
  try {
    return await Promise.race([promise, waited]);
  } finally {
    clearTimeout(timer);
  }
}
