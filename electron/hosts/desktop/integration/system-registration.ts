import { appError, describeError } from '../../../../shared/errors/app-error.ts';
import { SerialQueue } from '../../../../shared/lifetime.ts';
import type { DesktopSettings } from '../../../../shared/settings/app-settings.ts';
import type { LinkRegistration } from '../../../app/parley-links.ts';
import type { DesktopCore } from '../desktop-core.ts';

type RegistrationState = 'on' | 'off';

/** A registration of Parley with the system, such as autostart. */
export interface SystemRegistration extends Pick<LinkRegistration, 'location' | 'readState'> {
  /** Adds or removes Parley. */
  readonly put: (on: boolean) => Promise<void>;
}

/** Error code for each setting. */
const failureCodes = {
  autostart: 'autostartFailed',
  links: 'linksFailed',
} as const satisfies Partial<Record<keyof DesktopSettings, string>>;

export type RegistrationCore = Pick<DesktopCore, 'notices' | 'lifetime' | 'log'> & {
  readonly settings: Pick<DesktopCore['settings'], 'get' | 'change' | 'listen'>;
};

/**
 * Keeps the system's registration equal to the setting. If the user removed Parley with the system's tools, the
 * setting follows.
 */
export function syncRegistration(
  { settings, notices, lifetime, log }: RegistrationCore,
  setting: keyof typeof failureCodes,
  registration: SystemRegistration,
): LinkRegistration {
  const queue = new SerialQueue();
  /** True while the setting changes because the registration did. */
  let isFollowing = false;
  /** Switches the setting off without changing the registration. */
  const switchOff = (): void => {
    isFollowing = true;
    settings.change({ desktop: { [setting]: false } });
    isFollowing = false;
  };
  const write = async (on: boolean): Promise<void> => {
    try {
      await registration.put(on);
    } catch (error) {
      log.write(
        'warn',
        `the registration of ${setting} could not be written: ${describeError(error)}`,
      );
      notices.post(
        'settingsProblem',
        appError(failureCodes[setting], { path: registration.location }),
      );
      if (on) switchOff();
    }
  };
  const begin = async (): Promise<void> => {
    // Writes again, because the program may have moved.
    if ((await registration.readState()) === 'on') await write(true);
    else switchOff();
  };
  if (settings.get().desktop[setting]) void queue.run(begin);
  lifetime.add(
    settings.listen((event) => {
      if (event.kind !== 'changed' || isFollowing) return;
      const isOn = event.settings.desktop[setting];
      if (isOn !== event.before.desktop[setting]) void queue.run(() => write(isOn));
    }),
  );
  return {
    location: registration.location,
    readState: registration.readState,
    write: (on) => queue.run(() => write(on)),
    settled: () => queue.settled(),
  };
}

/** A desktop entry that runs `exec`, by freedesktop's specification. */
export function desktopEntry(exec: string, extraLines: readonly string[]): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Version=1.0',
    'Name=Parley',
    `Exec=${exec}`,
    'Terminal=false',
    ...extraLines,
    '',
  ].join('\n');
}

/**
 * Quotes a word for `Exec`. A backslash escapes shell characters, and is doubled because the entry is itself
 * escaped. A percent sign would be a placeholder.
 */
export function quoteExecWord(word: string): string {
  const escaped = word
    .replaceAll(/["`$\\]/gu, String.raw`\$&`)
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')
    .replaceAll('\n', String.raw`\n`);
  return `"${escaped}"`;
}

/** A desktop entry that starts this command. */
export function autostartEntry(command: readonly string[]): string {
  return desktopEntry(command.map(quoteExecWord).join(' '), ['X-GNOME-Autostart-enabled=true']);
}

/** Whether an entry is enabled. Desktops disable one by editing it. */
export function readAutostartEntry(text: string): RegistrationState {
  const off = /^(?:Hidden\s*=\s*true|X-GNOME-Autostart-enabled\s*=\s*false)\s*$/mu;
  return off.test(text) ? 'off' : 'on';
}

/** The section of `mimeapps.registration` with the default programs. Other types stay unchanged. */
const section = '[Default Applications]';

/** The entries that open the type, the preferred one first. Empty if none was chosen. */
export function defaultsFor(text: string, type: string): readonly string[] {
  const line = parseDefaultLines(text).find(({ key }) => key === type);
  return line === undefined ? [] : line.entries;
}

/** Makes the entry the first choice for the type. */
export function withDefault(text: string, type: string, entry: string): string {
  const others = defaultsFor(text, type).filter((other) => other !== entry);
  const line = `${type}=${[entry, ...others].join(';')};`;
  const found = parseDefaultLines(text).find(({ key }) => key === type);
  const lines = text.split('\n');
  if (found !== undefined) {
    lines[found.index] = line;
    return lines.join('\n');
  }
  const sectionIndex = lines.findIndex((other) => other.trim() === section);
  if (sectionIndex !== -1) {
    lines.splice(sectionIndex + 1, 0, line);
    return lines.join('\n');
  }
  const before = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  return `${before}${section}\n${line}\n`;
}

/** Removes the entry, so that the next choice applies again. */
export function withoutDefault(text: string, type: string, entry: string): string {
  const found = parseDefaultLines(text).find(({ key }) => key === type);
  if (found === undefined || !found.entries.includes(entry)) return text;
  const remaining = found.entries.filter((other) => other !== entry);
  const lines = text.split('\n');
  lines.splice(
    found.index,
    1,
    ...(remaining.length === 0 ? [] : [`${type}=${remaining.join(';')};`]),
  );
  return lines.join('\n');
}

interface DefaultLine {
  readonly index: number;
  readonly key: string;
  readonly entries: readonly string[];
}

function parseDefaultLines(text: string): readonly DefaultLine[] {
  let isInSection = false;
  return text.split('\n').flatMap((line, index) => {
    if (line.startsWith('[')) isInSection = line.trim() === section;
    const equals = line.indexOf('=');
    if (!isInSection || equals === -1 || line.startsWith('#')) return [];
    const names = line.slice(equals + 1).split(';');
    const entries = names.map((name) => name.trim()).filter((name) => name !== '');
    return [{ index, key: line.slice(0, equals).trim(), entries }];
  });
}
