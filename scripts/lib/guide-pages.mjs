import { readFile, writeFile } from 'node:fs/promises';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { inRoot } from './root.mjs';

const guideLanguages = /** @type {const} */ (['en', 'zh']);

const style = `
      :root { color-scheme: light dark; --paper: light-dark(#faf8f4, #14161a); --ink: light-dark(#1b1d21, #eceae5); }
      body { max-width: 42rem; margin: 3rem auto; padding: 0 1.5rem; background: var(--paper); color: var(--ink);
        font: 1.0625rem/1.6 'Inter', system-ui, 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', sans-serif; }
      img { max-width: 100%; border: 1px solid light-dark(#e2ddd3, #2c2f36); border-radius: 8px; }
      code { font-size: 0.9em; }
      nav { text-align: end; }`;

/**
 * @param {string} markdown the guide in one language
 * @param {string} language
 * @returns {string} an HTML page that loads only its pictures
 */
export function guidePage(markdown, language) {
  const title = /^# (.+)$/mu.exec(markdown)?.[1] ?? 'Parley';
  const other = language === 'en' ? ['zh', '中文'] : ['en', 'English'];
  const body = micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()] }).replaceAll(
    /<(h[23])>(.*?)<\/\1>/g,
    (_whole, /** @type {string} */ element, /** @type {string} */ text) =>
      `<${element} id="${anchorOf(text)}">${text}</${element}>`,
  );
  return `<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title}</title>
    <style>${style}
    </style>
  </head>
  <body>
    <nav><a href="${other[0]}.html" lang="${other[0]}">${other[1]}</a></nav>
${body}
  </body>
</html>
`;
}

/**
 * The anchor that GitHub gives a heading. The guide links its sections with it.
 * @param {string} heading
 */
const anchorOf = (heading) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/gu, '-');

/** Writes the guide's HTML pages beside their Markdown. */
export async function writeGuidePages() {
  for (const language of guideLanguages) {
    const markdown = await readFile(inRoot('docs', 'guide', `${language}.md`), 'utf8');
    await writeFile(inRoot('docs', 'guide', `${language}.html`), guidePage(markdown, language));
  }
}
