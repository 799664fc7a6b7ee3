/** The list of which program opens what (`mimeapps.list`), as text; all that is not of `type` stays as it is. */
const section = '[Default Applications]';

/** The entries that open the type, the first one before all; none where nobody has chosen. */
export function defaultsFor(text: string, type: string): readonly string[] {
  const line = linesOfSection(text).find(({ key }) => key === type);
  return line === undefined ? [] : line.entries;
}

/** The entry opens the type from now on, before those that did. */
export function withDefault(text: string, type: string, entry: string): string {
  const others = defaultsFor(text, type).filter((other) => other !== entry);
  const line = `${type}=${[entry, ...others].join(';')};`;
  const found = linesOfSection(text).find(({ key }) => key === type);
  const lines = text.split('\n');
  if (found !== undefined) {
    lines[found.at] = line;
    return lines.join('\n');
  }
  const head = lines.findIndex((one) => one.trim() === section);
  if (head !== -1) {
    lines.splice(head + 1, 0, line);
    return lines.join('\n');
  }
  const before = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  return `${before}${section}\n${line}\n`;
}

/** The entry opens the type no more; whoever did before does again. */
export function withoutDefault(text: string, type: string, entry: string): string {
  const found = linesOfSection(text).find(({ key }) => key === type);
  if (found === undefined || !found.entries.includes(entry)) return text;
  const left = found.entries.filter((other) => other !== entry);
  const lines = text.split('\n');
  lines.splice(found.at, 1, ...(left.length === 0 ? [] : [`${type}=${left.join(';')};`]));
  return lines.join('\n');
}

interface DefaultLine {
  readonly at: number;
  readonly key: string;
  readonly entries: readonly string[];
}

function linesOfSection(text: string): readonly DefaultLine[] {
  let within = false;
  return text.split('\n').flatMap((line, at) => {
    if (line.startsWith('[')) within = line.trim() === section;
    const equals = line.indexOf('=');
    if (!within || equals === -1 || line.startsWith('#')) return [];
    const entries = line.slice(equals + 1).split(';');
    const named = entries.map((one) => one.trim()).filter((one) => one !== '');
    return [{ at, key: line.slice(0, equals).trim(), entries: named }];
  });
}
