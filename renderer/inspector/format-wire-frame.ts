/** An event as one reads it: JSON in lines, and whatever is none as it came. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

/** As people write sizes: 812 B, 4.1 KB. */
export function formatWireFrameSize(length: number): string {
  if (length < 1000) return `${length} B`;
  const kilo = length / 1000;
  return kilo < 1000 ? `${kilo.toFixed(1)} KB` : `${(kilo / 1000).toFixed(1)} MB`;
}

/** Seconds since the first event, to the millisecond. */
export function formatSince(at: number, first: number): string {
  return ((at - first) / 1000).toFixed(3);
}
