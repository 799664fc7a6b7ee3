import type { JsonObject } from '../../../shared/protocol/json.ts';

/** What makes a tape of one version one of the next. */
export interface FormatStep {
  readonly header: (header: JsonObject) => JsonObject;
  readonly line: (line: JsonObject) => JsonObject;
}

/** The version that is written, and read. */
export const tapeVersion = 1;

/**
 * By the version that they begin with. There has been no other version yet: whoever makes version 2 puts here what makes a
 * tape of version 1 one of version 2, and tapes of both are read from then on.
 */
export const formatSteps: Readonly<Record<number, FormatStep>> = {};

/** One step for all that are needed from a version on; nothing where one of them is missing. */
export function stepsFrom(
  version: number,
  steps: Readonly<Record<number, FormatStep>>,
): FormatStep | undefined {
  const needed = Array.from({ length: tapeVersion - version }, (_, step) => steps[version + step]);
  if (needed.includes(undefined)) return undefined;
  return {
    header: (header) => needed.reduce((value, step) => step?.header(value) ?? value, header),
    line: (line) => needed.reduce((value, step) => step?.line(value) ?? value, line),
  };
}
