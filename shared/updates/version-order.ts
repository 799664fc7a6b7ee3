const form = /^\d{1,6}\.\d{1,6}\.\d{1,6}(-[\da-z]+(\.[\da-z]+)*)?$/i;

/** Three numbers, and perhaps what is tried before them: `1.2.0`, `1.2.0-beta.1`. */
export function isVersion(text: string): boolean {
  return text.length <= 40 && form.test(text);
}

/** Below 0 where the one is older, above where it is newer; what is tried before a version is older than it. */
export function compareVersions(one: string, other: string): number {
  const [oneNumbers, oneTrial] = partsOf(one);
  const [otherNumbers, otherTrial] = partsOf(other);
  const byNumbers = firstDifference(oneNumbers, otherNumbers);
  if (byNumbers !== 0) return byNumbers;
  if (oneTrial.length === 0 || otherTrial.length === 0) return otherTrial.length - oneTrial.length;
  return firstDifference(oneTrial, otherTrial);
}

function partsOf(version: string): readonly [readonly string[], readonly string[]] {
  const [numbers = '', ...trial] = version.split('-');
  return [numbers.split('.'), trial.length === 0 ? [] : trial.join('-').split('.')];
}

function firstDifference(ones: readonly string[], others: readonly string[]): number {
  const places = Math.max(ones.length, others.length);
  for (let place = 0; place < places; place += 1) {
    const difference = comparePart(ones[place], others[place]);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Numbers by their size and before words; what has fewer parts is older. */
function comparePart(one: string | undefined, other: string | undefined): number {
  if (one === undefined || other === undefined) return Number(other === undefined) * 2 - 1;
  const numbers = [one, other].map((part) => (/^\d+$/.test(part) ? Number(part) : Infinity));
  const [oneNumber = Infinity, otherNumber = Infinity] = numbers;
  if (oneNumber !== otherNumber) return oneNumber < otherNumber ? -1 : 1;
  if (one === other || oneNumber !== Infinity) return 0;
  return one < other ? -1 : 1;
}
