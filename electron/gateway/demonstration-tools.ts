import type { ToolResultEvent } from '../../shared/protocol/client-event.ts';
import { isJsonObject, type JsonObject } from '../../shared/protocol/json.ts';

interface PlayedCall {
  readonly name: string;
  readonly args: JsonObject;
}

/** The first of these that was listed is called; otherwise the first listed tool, without arguments. */
const favourites: readonly PlayedCall[] = [
  { name: 'set_reminder', args: { text: 'call home', in_minutes: 10 } },
  { name: 'calculate', args: { expression: '6 * 7' } },
];

/** Plays a talk's model that calls tools: one call after its first turn, whose result it then says. */
export class DemonstrationTools {
  readonly #names: readonly string[];
  readonly #call = 'call_1';
  #state: 'idle' | 'called' | 'over' = 'idle';
  #result: string | undefined;

  constructor(tools: readonly JsonObject[]) {
    this.#names = tools.flatMap((tool) => {
      const { function: definition } = tool;
      const name = isJsonObject(definition) ? definition['name'] : undefined;
      return typeof name === 'string' ? [name] : [];
    });
  }

  /** A turn is complete. Returns the call that follows it. */
  turnEnded(): (PlayedCall & { readonly call: string }) | undefined {
    const [first] = this.#names;
    if (this.#state !== 'idle' || first === undefined) return undefined;
    this.#state = 'called';
    const known = favourites.find(({ name }) => this.#names.includes(name));
    return { call: this.#call, ...(known ?? { name: first, args: {} }) };
  }

  /** False if no such call waits. */
  answered({ call, text }: ToolResultEvent): boolean {
    if (this.#state !== 'called' || call !== this.#call) return false;
    this.#state = 'over';
    this.#result = text;
    return true;
  }

  /** The text for the next step in which the model would listen. */
  takeResult(): string | undefined {
    const result = this.#result;
    this.#result = undefined;
    // The first line says where the text comes from.
    return result && `The tool says: ${result.split('\n').slice(1).join(' ')}`;
  }
}
