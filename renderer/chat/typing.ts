/** A field whose value goes to the core and comes back as news, while its person may be typing on. */
export interface Typing<Value> {
  readonly text: string;
  /** The last one that was told. */
  readonly seen: Value;
  /** What has been handed over from here and was not told yet, oldest first. */
  readonly sent: readonly Value[];
}

export function typingOf<Value extends string | number | undefined>(value: Value): Typing<Value> {
  return { text: String(value ?? ''), seen: value, sent: [] };
}

export function withSent<Value>(typing: Typing<Value>, value: Value): Typing<Value> {
  return { ...typing, sent: [...typing.sent, value] };
}

/** What was typed here is older news to whoever types on; what was set elsewhere takes its place. */
export function withTold<Value extends string | number | undefined>(
  typing: Typing<Value>,
  value: Value,
): Typing<Value> {
  const at = typing.sent.indexOf(value);
  if (at === -1) return typingOf(value);
  return { ...typing, seen: value, sent: typing.sent.slice(at + 1) };
}
