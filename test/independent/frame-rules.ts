/** Lists everything wrong with a value; `at` is its path. */
export type Rule = (value: unknown, at: string) => readonly string[];

const good: readonly string[] = [];

export const text: Rule = (value, at) =>
  typeof value === 'string' ? good : [`${at} is not a string`];

export const flag: Rule = (value, at) =>
  typeof value === 'boolean' ? good : [`${at} is not true or false`];

export const number: Rule = (value, at) =>
  typeof value === 'number' ? good : [`${at} is not a number`];

export function integer(least: number, most: number): Rule {
  return (value, at) => {
    if (!Number.isInteger(value)) return [`${at} is not a whole number`];
    const fits = Number(value) >= least && Number(value) <= most;
    return fits ? good : [`${at} is not from ${String(least)} to ${String(most)}`];
  };
}

export function oneOf(...values: readonly unknown[]): Rule {
  return (value, at) =>
    values.includes(value) ? good : [`${at} is not one of ${values.join(', ')}`];
}

export const anything: Rule = () => good;

export function list(item: Rule, least = 0): Rule {
  return (value, at) => {
    if (!Array.isArray(value)) return [`${at} is not a list`];
    if (value.length < least) return [`${at} has fewer than ${String(least)}`];
    return value.flatMap((entry, index) => item(entry, `${at}[${String(index)}]`));
  };
}

/** An object with these fields and no others; a name that ends in `!` is required. */
export function object(fields: Readonly<Record<string, Rule>>): Rule {
  const rules = new Map(
    Object.entries(fields).map(([name, rule]) => [name.replace('!', ''), rule]),
  );
  const required = Object.keys(fields).filter((name) => name.endsWith('!'));
  return (value, at) => {
    if (!isObject(value)) return [`${at} is not an object`];
    const missing = required
      .map((name) => name.slice(0, -1))
      .filter((name) => !Object.hasOwn(value, name))
      .map((name) => `${at}.${name} is missing`);
    const wrong = Object.entries(value).flatMap(([name, entry]) => {
      const rule = rules.get(name);
      return rule === undefined
        ? [`${at}.${name} is in no document`]
        : rule(entry, `${at}.${name}`);
    });
    return [...missing, ...wrong];
  };
}

/** An object with any fields, of which the given ones are checked. */
export function openObject(fields: Readonly<Record<string, Rule>>): Rule {
  return (value, at) => {
    if (!isObject(value)) return [`${at} is not an object`];
    return Object.entries(value).flatMap(
      ([name, entry]) => fields[name]?.(entry, `${at}.${name}`) ?? [],
    );
  };
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Padded base64 in the standard alphabet. A slow pattern is fine in tests. */
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function media(look: (bytes: Buffer) => string | undefined): Rule {
  return (value, at) => {
    if (typeof value !== 'string') return [`${at} is not a string`];
    if (!base64.test(value)) return [`${at} is not base64`];
    const fault = look(Buffer.from(value, 'base64'));
    return fault === undefined ? [] : [`${at} ${fault}`];
  };
}

/** Raw finite float32 samples, at least `min` of them. */
export function floats(min: number): Rule {
  return media((bytes) => {
    if (bytes.subarray(0, 4).toString('latin1') === 'RIFF') return 'is a WAV file, not raw samples';
    if (bytes.length % 4 !== 0) return 'is no whole number of float32 samples';
    const count = bytes.length / 4;
    if (count < min) return `has ${String(count)} samples, fewer than ${String(min)}`;
    for (let index = 0; index < count; index += 1) {
      if (!Number.isFinite(bytes.readFloatLE(index * 4))) return 'has a sample that is no number';
    }
    return undefined;
  });
}

/** A WAV file of 32-bit float samples, 16 kHz and mono, with correct lengths. */
export const wav = media((bytes) => {
  if (bytes.length < 44 || bytes.subarray(0, 4).toString('latin1') !== 'RIFF')
    return 'is no WAV file';
  if (bytes.subarray(8, 16).toString('latin1') !== 'WAVEfmt ') return 'is no WAV file';
  if (bytes.readUInt32LE(4) !== bytes.length - 8) return 'does not say its true length';
  // Deployed servers take WAV files for raw float32, and fail on an incomplete sample.
  if (bytes.length % 4 !== 0) return 'is no whole number of samples if read as raw float32';
  if (bytes.readUInt16LE(20) !== 3) return 'is not float PCM';
  if (bytes.readUInt16LE(22) !== 1) return 'is not mono';
  if (bytes.readUInt32LE(24) !== 16_000) return 'is not 16 kHz';
  if (bytes.readUInt16LE(34) !== 32) return 'is not 32 bits';
  let sound = 0;
  let at = 12;
  while (at + 8 <= bytes.length) {
    const length = bytes.readUInt32LE(at + 4);
    if (bytes.subarray(at, at + 4).toString('latin1') === 'data') sound += length;
    at += 8 + length + (length % 2);
  }
  if (at !== bytes.length) return 'has wrong lengths of its chunks';
  return sound > 0 ? undefined : 'has no sound';
});

export const jpeg = media((bytes) =>
  bytes[0] === 0xff && bytes[1] === 0xd8 ? undefined : 'is not a JPEG',
);

export const picture = media((bytes) => {
  const png = bytes.subarray(0, 4).toString('latin1') === '\u0089PNG';
  const jpg = bytes[0] === 0xff && bytes[1] === 0xd8;
  return png || jpg ? undefined : 'is neither a JPEG nor a PNG';
});
