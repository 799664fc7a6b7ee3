/** A delay as people read it: milliseconds below a second, else seconds with a tenth. */
export function msText(ms: number, language: string): string {
  const [value, unit] =
    ms < 1000 ? [Math.round(ms), 'millisecond' as const] : [ms / 1000, 'second' as const];
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    minimumFractionDigits: unit === 'second' ? 1 : 0,
    maximumFractionDigits: unit === 'second' ? 1 : 0,
  }).format(value);
}
