/** A field whose value goes to the core and comes back as a notice, while its person may be typing on. */
export interface TypedValue<Value> {
  readonly text: string;
  /** The last one that the core has posted. */
  readonly seen: Value;
  /** What has been handed over from here and was not posted back yet, oldest first. */
  readonly sent: readonly Value[];
}

export function typedValueOf<Value extends string | number | undefined>(
  value: Value,
): TypedValue<Value> {
  return { text: String(value ?? ''), seen: value, sent: [] };
}

export function withSentValue<Value>(typing: TypedValue<Value>, value: Value): TypedValue<Value> {
  return { ...typing, sent: [...typing.sent, value] };
}

/** What was typed here comes back late to whoever types on; what was set elsewhere takes its place. */
export function withConfirmedValue<Value extends string | number | undefined>(
  typing: TypedValue<Value>,
  value: Value,
): TypedValue<Value> {
  const at = typing.sent.indexOf(value);
  if (at === -1) return typedValueOf(value);
  return { ...typing, seen: value, sent: typing.sent.slice(at + 1) };
}
