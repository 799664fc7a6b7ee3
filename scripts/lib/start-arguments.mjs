import { Stop, wrongUsage } from './stop.mjs';

/**
 * @typedef {object} StartArguments
 * @property {'auto' | 'desktop' | 'browser'} host
 * @property {number | null} port for the browser host
 * @property {boolean} noSandbox
 * @property {boolean} yes installs missing system packages without asking
 * @property {boolean} help
 */

/**
 * @param {string | undefined} text
 * @returns {number}
 */
const parsePort = (text) => {
  const port = /^\d{1,5}$/.test(text ?? '') ? Number(text) : Number.NaN;
  if (port <= 65535) return port;
  const value = text === undefined ? 'nothing' : `"${text}"`;
  throw new Stop(`--port takes a number from 0 to 65535, not ${value}.`, wrongUsage);
};

/**
 * @param {readonly string[]} args
 * @returns {StartArguments}
 */
export const parseStartArguments = (args) => {
  const expanded = args.flatMap((arg) =>
    arg.startsWith('--port=') ? ['--port', arg.slice(7)] : arg,
  );
  /** @type {StartArguments} */
  const result = { host: 'auto', port: null, noSandbox: false, yes: false, help: false };
  for (let index = 0; index < expanded.length; index += 1) {
    const arg = expanded[index];
    if (arg === '--help' || arg === '-h') result.help = true;
    else if (arg === '--no-sandbox') result.noSandbox = true;
    else if (arg === '--yes' || arg === '-y') result.yes = true;
    else if (arg === '--port') result.port = parsePort(expanded[(index += 1)]);
    else if (arg === '--desktop' || arg === '--browser') {
      const host = arg === '--desktop' ? 'desktop' : 'browser';
      if (result.host !== 'auto' && result.host !== host) {
        throw new Stop('Choose one of --desktop and --browser, not both.', wrongUsage);
      }
      result.host = host;
    } else {
      throw new Stop(`Unknown option "${arg}": run with --help to see the options.`, wrongUsage);
    }
  }
  if (result.host === 'desktop' && result.port !== null) {
    throw new Stop('--port belongs to --browser and means nothing with --desktop.', wrongUsage);
  }
  return result;
};
