/** @typedef {import('./load-product.mjs').PackagingText} PackagingText */
/** @typedef {import('./load-product.mjs').PackagingMessages} PackagingMessages */

/** The id in the desktop entry, icons, windows and AppStream page. */
export const appId = 'org.parley.Parley';

const tapeType = 'application/x-parley-tape';

/**
 * A line for each language; the English line has no locale.
 * @param {string} key
 * @param {readonly PackagingText[]} languages
 * @param {(texts: PackagingMessages) => string} text
 */
const localisedLines = (key, languages, text) =>
  languages.map(({ locale, texts }, index) =>
    index === 0 ? `${key}=${text(texts)}` : `${key}[${locale}]=${text(texts)}`,
  );

/** @param {PackagingMessages} texts with keywords separated by `,` or `、` */
const formatKeywords = ({ keywords }) => `${keywords.split(/[,、]\s*/).join(';')};`;

/**
 * @param {readonly PackagingText[]} languages
 * @returns {string} the desktop entry
 */
export const desktopFile = (languages) =>
  [
    '[Desktop Entry]',
    'Type=Application',
    'Version=1.4',
    'Name=Parley',
    ...localisedLines('GenericName', languages, ({ generic }) => generic),
    ...localisedLines('Comment', languages, ({ summary }) => summary),
    ...localisedLines('Keywords', languages, formatKeywords),
    'Exec=/usr/bin/parley %U',
    'TryExec=/usr/bin/parley',
    `Icon=${appId}`,
    'Terminal=false',
    'StartupNotify=true',
    `StartupWMClass=${appId}`,
    'X-GNOME-SingleWindow=true',
    'Categories=Network;Chat;AudioVideo;Audio;',
    `MimeType=x-scheme-handler/parley;${tapeType};`,
    'Actions=start-talking;mini-window;',
    '',
    '[Desktop Action start-talking]',
    ...localisedLines('Name', languages, ({ startTalking }) => startTalking),
    'Exec=/usr/bin/parley parley://start',
    '',
    '[Desktop Action mini-window]',
    ...localisedLines('Name', languages, ({ miniWindow }) => miniWindow),
    'Exec=/usr/bin/parley --mini',
    '',
  ].join('\n');

/** @param {string} text */
const escapeXml = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * @param {string} element
 * @param {readonly PackagingText[]} languages
 * @param {(texts: PackagingMessages) => string} text
 */
const elements = (element, languages, text) =>
  languages.map(({ locale, texts }, index) => {
    const language = index === 0 ? '' : ` xml:lang="${locale}"`;
    return `<${element}${language}>${escapeXml(text(texts))}</${element}>`;
  });

/**
 * @param {readonly PackagingText[]} languages
 * @returns {string} the MIME type of tapes
 */
export const mimeFile = (languages) =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">',
    `<mime-type type="${tapeType}">`,
    ...elements('comment', languages, ({ tape }) => tape),
    '<sub-class-of type="application/zip"/>',
    `<icon name="${appId}"/>`,
    // A tape starts like any zip file, so this pattern needs a higher weight than the zip pattern.
    '<glob pattern="*.parleytape" weight="60"/>',
    '</mime-type>',
    '</mime-info>',
    '',
  ].join('\n');

/**
 * @param {readonly PackagingText[]} languages
 * @param {{ version: string, date: string, homepage: string }} release
 * @returns {string} the AppStream page for the software catalogue
 */
export const metainfoFile = (languages, { version, date, homepage }) =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<component type="desktop-application">',
    `<id>${appId}</id>`,
    '<metadata_license>CC0-1.0</metadata_license>',
    '<project_license>Apache-2.0</project_license>',
    '<name>Parley</name>',
    '<developer_name>The Parley authors</developer_name>',
    ...elements('summary', languages, ({ summary }) => summary),
    '<description>',
    ...elements('p', languages, ({ about }) => about),
    '<ul>',
    .../** @type {const} */ (['captions', 'keys', 'history', 'replay']).flatMap((point) =>
      elements('li', languages, ({ points }) => points[point]),
    ),
    '</ul>',
    '</description>',
    `<launchable type="desktop-id">${appId}.desktop</launchable>`,
    `<url type="homepage">${homepage}</url>`,
    '<provides>',
    '<binary>parley</binary>',
    `<mediatype>${tapeType}</mediatype>`,
    '<mediatype>x-scheme-handler/parley</mediatype>',
    '</provides>',
    '<supports><control>pointing</control><control>keyboard</control><control>touch</control></supports>',
    '<content_rating type="oars-1.1"/>',
    `<releases><release version="${version}" date="${date}"/></releases>`,
    '</component>',
    '',
  ].join('\n');
