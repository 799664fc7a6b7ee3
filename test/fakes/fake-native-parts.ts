import type { PartName, PartState, NativeParts } from '../../shared/app/program.ts';

export class FakeNativeParts implements NativeParts {
  readonly #states: Map<PartName, PartState>;

  constructor(states: Partial<Record<PartName, PartState>> = {}) {
    this.#states = new Map(Object.entries(states) as [PartName, PartState][]);
  }

  readonly load = (part: PartName): Promise<PartState> =>
    Promise.resolve(this.#states.get(part) ?? { state: 'loads', detail: `fake ${part} 1.0.0` });
}
