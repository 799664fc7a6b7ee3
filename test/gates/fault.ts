/** Something that must never be in the tree, and the gate that has to say so. */
export interface Fault {
  readonly title: string;
  readonly gate: string;
  /** One that is called `planted` is new, and numbered; any other one stands in a real one's place. */
  readonly file: string;
  readonly code: string;
  readonly caught: RegExp;
}

/** With a file that no other fault has. */
export function numbered(fault: Fault, number: number): Fault {
  const own = (text: string): string => text.replace(/planted(?=\\?\.tsx?)/, `planted-${number}`);
  const { file, code, caught } = fault;
  return { ...fault, file: own(file), code: own(code), caught: new RegExp(own(caught.source)) };
}
