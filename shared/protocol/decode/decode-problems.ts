import type { ClientEventProblem } from '../client-event.ts';

/** Keeps the first thing that is wrong with an ask, so that its readers can simply go on. */
export class DecodeProblems {
  #first: ClientEventProblem | undefined;

  get first(): ClientEventProblem | undefined {
    return this.#first;
  }

  missing(field: string): void {
    this.#add('missing_field', `${field} field is required`);
  }

  invalid(message: string): void {
    this.#add('invalid_payload', message);
  }

  #add(code: ClientEventProblem['code'], message: string): void {
    this.#first ??= { kind: 'problem', code, message };
  }
}
