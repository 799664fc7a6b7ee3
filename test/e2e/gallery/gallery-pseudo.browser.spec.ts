import type { Page } from '@playwright/test';
import { pseudoId } from '../../gallery/add-pseudo-language.ts';
import { expect, test } from '../fixtures/gallery-test.ts';

const attributes = [
  'aria-label',
  'aria-description',
  'aria-roledescription',
  'aria-valuetext',
  'aria-placeholder',
  'alt',
  'title',
  'placeholder',
  'label',
];

/** All texts of a page, visible or for screen readers, without duplicates. */
function listTexts(page: Page): Promise<readonly string[]> {
  return page.evaluate((attributes) => {
    const texts = new Set<string>([document.title]);
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode() !== null) {
      const { parentElement, textContent } = walker.currentNode;
      if (parentElement?.closest('script, style') === null) texts.add(textContent ?? '');
    }
    for (const name of attributes) {
      for (const element of document.querySelectorAll(`[${name}]`)) {
        texts.add(element.getAttribute(name) ?? '');
      }
    }
    return [...texts];
  }, attributes);
}

/** Texts with an unaccented word, apart from the allowed ones. */
function findUnaccented(texts: readonly string[], allowed: readonly RegExp[]): readonly string[] {
  return texts.filter((text) => {
    const left = allowed.reduce(
      (rest, pattern) => rest.replaceAll(new RegExp(pattern, 'g'), ' '),
      text,
    );
    return /[A-Za-z]{2,}/.test(left);
  });
}

/**
 * Untranslated texts: names of the product, keys, units, formats and licences; what people, models, servers and systems
 * say in the samples; codes of servers. Whole words only.
 */
const allowedTexts: readonly RegExp[] = [
  /^Parley$|\bParley(?=\. ẋ| úšé íť)/,
  // Tool servers, their tools and parameters, and files of other assistants.
  /\/home\/ada\/[\w./-]*|\b(?:search|delete)_notes?\b|\b(?:Finds notes|Deletes a note)\.|^(?:title|tags)$/,
  /\bnpx (?:notes-mcp|files-mcp)\b.*|^uvx calendar-mcp$|\bCALENDAR_TOKEN\b|\{ "mcpServers":[^]*/,
  /(?<!\/)\b(?:notes|weather|tickets)\b|^(?:files|calendar)$|\b(?:Claude Desktop|VS Code|Zed)(?=: )/,
  // Bundled packages.
  /^(?:uiohook-napi|libuiohook|node-sqlite3-wasm|socks|proxy-from-env)$/,
  // Names of languages, and what Intl formats as in English: days, months, hours, durations.
  /\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b|(?<=\d)\s[AP]M\b|(?<=\d) at (?=\d)/,
  /(?<=\d)\s(?:sec|min|hr|(?:minute|second)s?)\b/,
  /\bEnglish\b/,
  /\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b/,
  /\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)(?= \d)|(?<=\]),? (?:and|or) (?=\[)/,
  // Keys as printed on a keyboard, and units.
  /\b(?:Esc|Ctrl|Alt|Shift|Enter|Home|Del|Page Up|Down)\b|^End$/,
  /(?<=\d )(?:ms|dBFS|dB|KB|MB|GB)\b/,
  // The model on this computer: its card, program, mirror and folders, and the lines that build the program.
  /\bNVIDIA GeForce [GR]TX \d+|\bhuggingface\.co\b|\/(?:usr|home\/you|mnt)\/[\w./-]*|^git clone [^]*/,
  // Servers, devices, files and screens of the samples, and a server's words.
  /\btalk\.parleytape\b/,
  /\binference_error\b|\bstep 12: out of memory\b/,
  /\b(?:wss?|https?):\/\/\S+|\b\w+\.(?:example|local)(?::\d+)?\b/,
  /\bWorkstation\b|\bMiniCPM-o, hosted\b|\bStudio in the attic\b|\bX-Team\b|\bAuthorization\b|\b(?:[A-F\d]{2}:){31}[A-F\d]{2}\b/,
  /\bBuilt-in (?:Audio|camera|microphone|speakers)\b|\bUSB [Hh]eadset\b|\bHDMI\b|\bDesk (?:camera|microphone)\b/,
  /\bScreen \d\b|^Letters$|A window with a very long name|txet|<b>Spreadsheet<\/b>/,
  /\/home\/someone\/[\w./-]*/,
  /\b(?:home|someone|config|parley)\/|\b(?:chats|tapes|voices|tokens\.json)$/,
  /\b(?:still-life|wide)\.jpg\b|\bmoving\.webp\b|\bholiday\.tiff\b|\bRecording\b/,
  /\bsettings\.damaged-1\.json\b|\baudio\.inputVolume\b/,
  // The files of a report, and their contents.
  /\b(?:about|log)\.txt\b|^Parley 0\.4\.0, desktop[^]*|^2026-10-03T14:02:11\.000Z 4711 warn: .*|^tape\.ndjson .*/,
  // Placeholders of a prompt for the user's languages.
  /\{\{(?:first|second)\}\}/,
  // Messages and answers of the samples.
  /The harbour closes at six; please bring both boats before five\./,
  /A lighthouse keeper trims[\w ,]*|And this one\?|(?:All work and no play\.?\s*|All work…$)+|That is a long text\./,
  /You are a patient teacher of bookbinding\.|(?:Donaudampfschifffahrtsgesellschaft)+|Z\S+ (?=Donau)/,
  /<(?:script|img|b|i)\b.*|\*\*not bold\*\*|^a picture$|^ and $|\[a bank\]\(javascript:alert\(3\)\)/,
  /(?:no_spaces_in_this_line_of_code_)+|\bwide column\b|^python$|def reach[^]*|\bZ̷̢̛a̴l̶g̵o̸\b/,
  // Words of servers, and the codes of their endings.
  /step 12: out of memory|token expired|worker 3 is gone|got an unexpected keyword argument '\w+'/,
  /(?<=[“(])(?:beam_width|backend_error)(?=[”)])/,
  /(?<=: )(?:user_stop|timeout|context_full|connection_lost|unreachable|refused|too_large|backend_error)(?= ẋ)/,
  // Wire frames, and fields of `config`.
  /\{\s*"(?:type|length_penalty)":[^]*|\b(?:input_audio_buffer\.append|response\.audio\.delta)\b/,
  // Details under an ending, which the core writes in English.
  /^The server ends every talk after ten minutes\.$|^The model can hold no more of this talk\.$/,
  /^The server did not answer for two minutes\. Check the network and try again\.$/,
  /^No server answers at\b|Check its address\.$|^The server ended the talk\.$/,
  /^The server refused with 401\. Check the access token of this server\.$/,
  // Versions, and why a part does not load.
  /^(?:Electron|Node|naudiodon \S+)$|^The library is damaged; delete node_modules and start again\.$/,
  /^(?:Apache-2\.0|MIT|ISC|LGPL-3\.0-or-later|OFL-1\.1)$/,
  /^(?:electron|naudiodon|PortAudio|wasm-vips|libvips|yauzl|yazl|Silero-VAD|ws|zod|react|react-dom|radix-ui|lucide-react)$/,
  /^(?:i18next|react-i18next|mdast-util-\S+|micromark-extension-gfm|@[\w-]+\/[\w/-]+)$/,
];

test.use({ pseudo: true });

test('every text of every state is translated and fits in a third language', async ({
  page,
  show,
  states,
}) => {
  test.setTimeout(300_000);
  const hardCoded = new Map<string, string>();
  const tooLong: string[] = [];
  for (const state of states) {
    await page.setViewportSize({ width: 900, height: 680 });
    await show(state, { language: pseudoId });
    for (const text of findUnaccented(await listTexts(page), allowedTexts)) {
      if (!hardCoded.has(text)) hardCoded.set(text, state);
    }
    for (const width of [320, 380, 450, 640, 900, 1500]) {
      await page.setViewportSize({ width, height: 680 });
      tooLong.push(...(await cutTexts(page)).map((what) => `${state} at ${width}: ${what}`));
    }
  }
  expect.soft([...hardCoded].map(([text, state]) => `${state}: ${text}`)).toEqual([]);
  expect.soft(tooLong).toEqual([]);
});

/** Pages wider than their window, and controls whose text is cut. */
const cutTexts = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const wide = scrollWidth > clientWidth ? [`the page, by ${scrollWidth - clientWidth}`] : [];
    const named = document.querySelectorAll('button, summary, [role="option"], legend, .row-name');
    const cut = [...named].filter((element) => {
      const boxed = element.clientWidth > 2 && element.checkVisibility();
      return boxed && element.scrollWidth > element.clientWidth + 1;
    });
    return [...wide, ...cut.map(({ textContent }) => textContent)];
  });
