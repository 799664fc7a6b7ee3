/** A desktop entry of Parley's that runs `exec`; its rules are freedesktop's. */
export function desktopEntry(exec: string, more: readonly string[]): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Version=1.0',
    'Name=Parley',
    `Exec=${exec}`,
    'Terminal=false',
    ...more,
    '',
  ].join('\n');
}

/**
 * A word in quotes. Within them a backslash goes before what shells know, and each backslash is written twice
 * because it stands in a text of the entry; a percent sign would be a place for a file.
 */
export function quotedWord(word: string): string {
  const escaped = word
    .replaceAll(/["`$\\]/gu, String.raw`\$&`)
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')
    .replaceAll('\n', String.raw`\n`);
  return `"${escaped}"`;
}
