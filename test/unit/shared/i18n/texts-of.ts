/** Each text with its way through the tree. */
export function textsOf(tree: object, way = ''): readonly (readonly [string, string])[] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [[`${way}${key}`, value] as const]
      : textsOf(value as object, `${way}${key}.`),
  );
}

/** The names in a text's `{{places}}`. */
export const placesIn = (text: string): readonly string[] =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name).toSorted();
