/** The value of an expression, or a sentence for the model about what is wrong. */
export type Calculation =
  | { readonly ok: true; readonly value: number }
  | { readonly ok: false; readonly problem: string };

const maxLength = 1000;
const maxDepth = 60;

/** Calculates with numbers, + - * / % ^, brackets, constants and functions. It runs no code. */
export function calculate(expression: string): Calculation {
  if (expression.length > maxLength) return { ok: false, problem: 'The expression is too long.' };
  try {
    const value = new Calculator(expression).value();
    if (Number.isFinite(value)) return { ok: true, value };
    return { ok: false, problem: 'The result is undefined or too large.' };
  } catch (error) {
    if (error instanceof ExpressionError) return { ok: false, problem: error.message };
    throw error;
  }
}

class ExpressionError extends Error {}

type Calculate = (...values: readonly number[]) => number;

const constants: ReadonlyMap<string, number> = new Map([
  ['pi', Math.PI],
  ['π', Math.PI],
  ['e', Math.E],
]);

/** Each with its minimum and maximum number of arguments. */
const functions: ReadonlyMap<string, readonly [Calculate, number, number]> = new Map([
  ['sqrt', [Math.sqrt, 1, 1]],
  ['abs', [Math.abs, 1, 1]],
  ['round', [(value, digits = 0) => Number(value.toFixed(clampDigits(digits))), 1, 2]],
  ['floor', [Math.floor, 1, 1]],
  ['ceil', [Math.ceil, 1, 1]],
  ['exp', [Math.exp, 1, 1]],
  ['ln', [Math.log, 1, 1]],
  ['log', [Math.log10, 1, 1]],
  ['sin', [Math.sin, 1, 1]],
  ['cos', [Math.cos, 1, 1]],
  ['tan', [Math.tan, 1, 1]],
  ['min', [Math.min, 1, 100]],
  ['max', [Math.max, 1, 100]],
]);

const clampDigits = (digits: number): number => Math.min(Math.max(Math.trunc(digits), 0), 100);

/** Evaluates one expression by recursive descent, one method for each precedence. */
class Calculator {
  readonly #tokens: readonly string[];
  #at = 0;
  #depth = 0;

  constructor(expression: string) {
    const plain = expression.replaceAll('×', '*').replaceAll('÷', '/').replaceAll('−', '-');
    this.#tokens =
      plain.match(/\d+(?:\.\d*)?(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?|[\p{L}_]\w*|\*\*|\S/giu) ?? [];
  }

  value(): number {
    const value = this.#sum();
    const rest = this.#tokens[this.#at];
    if (rest !== undefined) throw new ExpressionError(`Unexpected ${JSON.stringify(rest)}.`);
    return value;
  }

  #sum(): number {
    let value = this.#product();
    for (;;) {
      if (this.#accept('+')) value += this.#product();
      else if (this.#accept('-')) value -= this.#product();
      else return value;
    }
  }

  #product(): number {
    let value = this.#signed();
    for (;;) {
      if (this.#accept('*')) value *= this.#signed();
      else if (this.#accept('/')) value = divide(value, this.#signed());
      else if (this.#accept('%')) value %= this.#signed();
      else return value;
    }
  }

  #signed(): number {
    return this.#nested(() => {
      if (this.#accept('-')) return -this.#signed();
      if (this.#accept('+')) return this.#signed();
      return this.#power();
    });
  }

  #power(): number {
    const base = this.#operand();
    return this.#accept('^') || this.#accept('**') ? base ** this.#signed() : base;
  }

  #operand(): number {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw new ExpressionError('The expression is not complete.');
    this.#at += 1;
    if (token === '(') {
      const value = this.#nested(() => this.#sum());
      this.#expect(')');
      return value;
    }
    if (/^[\d.]/u.test(token) && token !== '.') return Number(token);
    const name = token.toLowerCase();
    const constant = constants.get(name);
    if (constant !== undefined) return constant;
    const known = functions.get(name);
    if (known === undefined) throw new ExpressionError(`Unknown: ${JSON.stringify(token)}.`);
    return this.#call(name, known);
  }

  #call(name: string, [run, minCount, maxCount]: readonly [Calculate, number, number]): number {
    this.#expect('(');
    const values = [this.#nested(() => this.#sum())];
    while (this.#accept(',')) values.push(this.#nested(() => this.#sum()));
    this.#expect(')');
    if (values.length < minCount || values.length > maxCount)
      throw new ExpressionError(
        `${name} takes ${maxCount === 1 ? 'one value' : `${minCount} to ${maxCount} values`}.`,
      );
    return run(...values);
  }

  #nested(read: () => number): number {
    this.#depth += 1;
    if (this.#depth > maxDepth) throw new ExpressionError('The expression has too many brackets.');
    const value = read();
    this.#depth -= 1;
    return value;
  }

  #accept(token: string): boolean {
    const isNext = this.#tokens[this.#at] === token;
    if (isNext) this.#at += 1;
    return isNext;
  }

  #expect(token: string): void {
    if (!this.#accept(token)) throw new ExpressionError(`${JSON.stringify(token)} is missing.`);
  }
}

function divide(value: number, by: number): number {
  if (by === 0) throw new ExpressionError('Division by zero.');
  return value / by;
}
