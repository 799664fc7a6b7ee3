/** A fault to plant in a copy of the tree, and the gate that must catch it. */
export interface Fault {
  readonly title: string;
  readonly gate: string;
  /** A file named `planted` is new and gets a number; any other file replaces the real one. */
  readonly file: string;
  readonly code: string;
  readonly caught: RegExp;
}

/** Gives the fault a file that no other fault uses. */
export function withUniqueFile(fault: Fault, number: number): Fault {
  const addNumber = (text: string): string =>
    text.replace(/planted(?=\\?\.tsx?)/, `planted-${number}`);
  const { file, code, caught } = fault;
  return {
    ...fault,
    file: addNumber(file),
    code: addNumber(code),
    caught: new RegExp(addNumber(caught.source)),
  };
}
