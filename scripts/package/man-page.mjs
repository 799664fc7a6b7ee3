/** @typedef {import('./load-product.mjs').Commands} Commands */
/** @typedef {import('./load-product.mjs').CommandSpec} CommandSpec */

/**
 * Escapes roff's special characters, and a dot or apostrophe at the start of a line.
 * @param {string} text
 */
const escapeRoff = (text) =>
  text
    .replaceAll('\\', '\\(rs')
    .replaceAll('-', '\\-')
    .replaceAll('~', '\\(ti')
    .replaceAll('^', '\\(ha')
    .replace(/^(?=[.'])/, '\\&');

/** @param {string} text quoted as an argument of a roff macro */
const quoteArgument = (text) => `"${escapeRoff(text).replaceAll('"', '\\(dq')}"`;

/**
 * Generates parley(1) from the table that also parses the commands' arguments.
 * @param {Commands} commands
 * @param {{ version: string, date: string }} release
 * @returns {string}
 */
export const manPage = ({ own, remote, describeArguments, usageOf }, { version, date }) => {
  /** @param {CommandSpec} spec */
  const section = (spec) => [
    `.SS ${quoteArgument(`parley ${spec.name}`)}`,
    escapeRoff(`To ${spec.summary}.`),
    '.PP',
    '.nh',
    `.B ${quoteArgument(usageOf(spec))}`,
    '.hy',
    ...describeArguments(spec).flatMap(([form, about]) => [
      '.TP',
      `.B ${quoteArgument(form)}`,
      escapeRoff(about),
    ]),
    ...(spec.notes ?? []).flatMap((note) => ['.PP', escapeRoff(note)]),
  ];
  return [
    `.TH PARLEY 1 ${quoteArgument(date)} ${quoteArgument(`Parley ${version}`)} "User Commands"`,
    '.ad l',
    '.SH NAME',
    'parley \\- talk with an assistant that listens, sees and answers',
    '.SH SYNOPSIS',
    '.B parley',
    '[\\fITAPE\\fR.parleytape | \\fIparley://\\fRlink] [\\fB\\-\\-hidden\\fR] [\\fB\\-\\-mini\\fR] [\\fB\\-\\-safe\\-start\\fR]',
    '.br',
    '.B parley',
    '\\fICOMMAND\\fR [\\fIoptions\\fR]',
    '.SH DESCRIPTION',
    'Without a command Parley opens its window, or brings an open window to the front.',
    'It opens a tape and shows a link, and starts no talk by itself.',
    '.TP',
    '.B \\-\\-hidden',
    'starts in the tray, without a window',
    '.TP',
    '.B \\-\\-mini',
    'opens the mini window',
    '.TP',
    '.B \\-\\-safe\\-start',
    'starts without the graphics card, the chosen devices, the tray and the global keys',
    '.TP',
    '.B \\-\\-help\\fR, \\fB\\-\\-version',
    'lists the commands, or prints the version',
    '.SH COMMANDS',
    ...own.flatMap(section),
    '.SH "COMMANDS TO A RUNNING PARLEY"',
    ...remote.flatMap(section),
    '.SH ENVIRONMENT',
    '.TP',
    '.B PARLEY_STATE_DIR',
    'the folder of settings, talks and tapes',
    '.TP',
    '.B PARLEY_TOKEN',
    'sent as Authorization: Bearer to the server that \\fB\\-\\-url\\fR names',
    '.SH FILES',
    '.TP',
    '.I ~/.local/state/parley',
    'settings, talks, tapes, voices and logs; removing the package keeps them',
    '',
  ].join('\n');
};
