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
