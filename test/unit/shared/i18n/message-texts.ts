/** All texts with their key paths. */
export function textsOf(tree: object, path = ''): readonly (readonly [string, string])[] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [[`${path}${key}`, value] as const]
      : textsOf(value as object, `${path}${key}.`),
  );
}

/** The sorted names of a text's `{{placeholders}}`. */
export const placeholdersIn = (text: string): readonly string[] =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name).toSorted();

const plain = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const accented = 'áƀçđéƒĝĥíĵķĺɱñóƥɋŕšťúṽŵẋýžÁƁÇĐÉƑĜĤÍĴĶĹṀÑÓƤɊŔŠŤÚṼŴẊÝŽ';
/** Placeholders and markup, which stay as they are. */
const placeholders = /\{\{\w+\}\}|<\/?\w+>/g;

/** How much longer than English a text in another language may be, as a share. */
const growth = 0.4;

function filler(length: number): string {
  return 'ẋóẋáẋé '
    .repeat(Math.ceil(length / 7))
    .slice(0, length)
    .trim();
}

function accent(text: string): string {
  return text.replaceAll(/[A-Za-z]/g, (character) => accented.charAt(plain.indexOf(character)));
}

/** Accents a text in brackets, so that it stays readable and differs from hard-coded text. */
function pseudoText(text: string): string {
  const found = text.match(placeholders) ?? [];
  const words = text.split(placeholders).map(accent);
  const accentedText = words.map((part, index) => part + (found[index] ?? '')).join('');
  const length = words.join('').length;
  return `[${accentedText} ${filler(Math.ceil(length * growth))}]`;
}

/** A fake translation of a tree of texts: accented, bracketed and 40 % longer than English. */
export function pseudoTexts(tree: object): object {
  const texts = Object.entries(tree).map(([key, value]: [string, unknown]) => [
    key,
    typeof value === 'string' ? pseudoText(value) : pseudoTexts(value as object),
  ]);
  return Object.fromEntries(texts) as object;
}
