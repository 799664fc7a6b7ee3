const units = ['B', 'KB', 'MB', 'GB'] as const;

export function formatBytes(bytes: number): string {
  let [size, unit] = [bytes, 0];
  while (size >= 1000 && unit < units.length - 1) [size, unit] = [size / 1000, unit + 1];
  const digits = size < 10 && unit > 0 ? 1 : 0;
  return `${size.toFixed(digits)} ${units[unit] ?? ''}`;
}
