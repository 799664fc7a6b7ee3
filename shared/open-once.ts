/**
 * One for all who ask, opened when it is first asked for. What rejected, or is not `good`, is not
 * kept: whoever asks next has it opened again.
 */
export function openOnce<Value>(
  open: () => Promise<Value>,
  good: (value: Value) => boolean = () => true,
): () => Promise<Value> {
  let opening: Promise<Value> | undefined;
  const opened = async (): Promise<Value> => {
    let kept = false;
    // What throws at once must not be forgotten before it is there to be forgotten.
    await Promise.resolve();
    try {
      const value = await open();
      kept = good(value);
      return value;
    } finally {
      if (!kept) opening = undefined;
    }
  };
  return () => (opening ??= opened());
}
