const plain = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const accented = 'áƀçđéƒĝĥíĵķĺɱñóƥɋŕšťúṽŵẋýžÁƁÇĐÉƑĜĤÍĴĶĹṀÑÓƤɊŔŠŤÚṼŴẊÝŽ';
/** Places to fill in and markup, which are no words. */
const placeholders = /\{\{\w+\}\}|<\/?\w+>/g;

/** As much longer as a language may be that needs more letters than English. */
const growth = 0.4;

/** Words of no language, as long as they are told. */
function filler(length: number): string {
  return 'ẋóẋáẋé '
    .repeat(Math.ceil(length / 7))
    .slice(0, length)
    .trim();
}

function accent(text: string): string {
  return text.replaceAll(/[A-Za-z]/g, (letter) => accented.charAt(plain.indexOf(letter)));
}

/** A text that is still read, and at once seen to have come from the words of a language. */
function pseudoText(text: string): string {
  const places = text.match(placeholders) ?? [];
  const words = text.split(placeholders).map(accent);
  const whole = words.map((part, index) => part + (places[index] ?? '')).join('');
  const length = words.join('').length;
  return `[${whole} ${filler(Math.ceil(length * growth))}]`;
}

/** All of a language's texts, with the same keys. */
export function pseudoTexts(tree: object): object {
  const texts = Object.entries(tree).map(([key, value]: [string, unknown]) => [
    key,
    typeof value === 'string' ? pseudoText(value) : pseudoTexts(value as object),
  ]);
  return Object.fromEntries(texts) as object;
}
