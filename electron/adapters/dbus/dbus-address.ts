/**
 * The socket of the session's bus, as its address names it (`unix:path=/run/user/1000/bus,guid=…`);
 * undefined where there is none that can be reached from here.
 */
export function sessionBusSocket(
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const address = environment['DBUS_SESSION_BUS_ADDRESS'] ?? '';
  // Where nobody says anything it is at this place, if there is one at all.
  const folder = environment['XDG_RUNTIME_DIR'] ?? '';
  if (address === '') return folder === '' ? undefined : `${folder}/bus`;
  for (const server of address.split(';')) {
    const [transport, rest = ''] = server.split(':', 2);
    if (transport !== 'unix') continue;
    const options = new Map(rest.split(',').map((option) => pair(option)));
    const path = options.get('path');
    if (path !== undefined) return path;
    const abstract = options.get('abstract');
    // A nameless socket of Linux begins with a zero byte.
    if (abstract !== undefined) return `\0${abstract}`;
  }
  return undefined;
}

function pair(option: string): [string, string] {
  const equals = option.indexOf('=');
  if (equals < 0) return [option, ''];
  return [option.slice(0, equals), unescape(option.slice(equals + 1))];
}

function unescape(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
