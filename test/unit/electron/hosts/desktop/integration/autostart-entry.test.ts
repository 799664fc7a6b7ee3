import { describe, expect, it } from 'vitest';
import {
  autostartEntry,
  readAutostartEntry,
} from '../../../../../../electron/hosts/desktop/integration/system-registration.ts';

const execOf = (...command: readonly string[]): string | undefined =>
  /^Exec=(.*)$/mu.exec(autostartEntry(command))?.[1];

describe('the autostart entry', () => {
  it('starts the program hidden', () => {
    expect(autostartEntry(['/opt/Parley/parley', '--hidden'])).toBe(
      [
        '[Desktop Entry]',
        'Type=Application',
        'Version=1.0',
        'Name=Parley',
        'Exec="/opt/Parley/parley" "--hidden"',
        'Terminal=false',
        'X-GNOME-Autostart-enabled=true',
        '',
      ].join('\n'),
    );
  });

  it.each([
    ['/home/a b/parley', '"/home/a b/parley"'],
    ['/100%/parley', '"/100%%/parley"'],
    ['/a"b', String.raw`"/a\\"b"`],
    ['/$HOME/`x`', '"/\\\\$HOME/\\\\`x\\\\`"'],
    ['/back\\slash', String.raw`"/back\\\\slash"`],
    ['/two\nExec=evil', String.raw`"/two\nExec=evil"`],
  ])('has %j as one word on one line', (path, quoted) => {
    expect(execOf(path)).toBe(quoted);
    expect(autostartEntry([path]).split('\n')).toHaveLength(8);
  });

  it('is off if the desktop’s settings have disabled it', () => {
    const entry = autostartEntry(['/opt/parley']);
    expect(readAutostartEntry(entry)).toBe('on');
    expect(readAutostartEntry(`${entry}Hidden=true\n`)).toBe('off');
    expect(readAutostartEntry(entry.replace('enabled=true', 'enabled=false'))).toBe('off');
  });
});
