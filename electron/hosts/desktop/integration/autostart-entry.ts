/** What is found of Parley among the programs that start with the session. */
export type AutostartFound = 'on' | 'off' | 'missing';

/** A desktop entry that starts these words; its rules are freedesktop's. */
export function autostartEntry(command: readonly string[]): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Version=1.0',
    'Name=Parley',
    `Exec=${command.map(quoted).join(' ')}`,
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n');
}

/** A desktop's own settings switch an entry off in the entry itself. */
export function readAutostartEntry(text: string | undefined): AutostartFound {
  if (text === undefined) return 'missing';
  const off = /^(?:Hidden\s*=\s*true|X-GNOME-Autostart-enabled\s*=\s*false)\s*$/mu;
  return off.test(text) ? 'off' : 'on';
}

/**
 * A word in quotes. Within them a backslash goes before what shells know, and each backslash is written twice
 * because it stands in a text of the entry; a percent sign would be a place for a file.
 */
function quoted(word: string): string {
  const escaped = word
    .replaceAll(/["`$\\]/gu, String.raw`\$&`)
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')
    .replaceAll('\n', String.raw`\n`);
  return `"${escaped}"`;
}
