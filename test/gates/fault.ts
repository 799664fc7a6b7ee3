/** Something that must never be in the tree, and the gate that has to say so. */
export interface Fault {
  readonly title: string;
  readonly gate: string;
  readonly file: string;
  readonly code: string;
  readonly caught: RegExp;
}
