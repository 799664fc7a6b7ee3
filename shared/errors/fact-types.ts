/** The facts of each code by their names, and of which type each is. */
export type FactTypes = Readonly<Record<string, Readonly<Record<string, 'string' | 'number'>>>>;

/** Facts of the types that are named. */
export type FactsIn<Types> = {
  readonly [Fact in keyof Types]: Types[Fact] extends 'number' ? number : string;
};
