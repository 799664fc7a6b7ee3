/** The facts of each code by their names, and of which type each is. */
export type FactTypes = Readonly<Record<string, Readonly<Record<string, 'string' | 'number'>>>>;

/** Facts of the types that are named, and no others. */
export type FactsIn<Types> = keyof Types extends never
  ? Readonly<Record<string, never>>
  : { readonly [Fact in keyof Types]: Types[Fact] extends 'number' ? number : string };
