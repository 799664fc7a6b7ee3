import {
  addressWhys,
  answerWhys,
  certificateWhys,
  chatWhys,
  deviceWhys,
  fileWhys,
  lineWhys,
  mediaWhys,
  requestWhys,
  serverWhys,
  settingsWhys,
  soundWhys,
  talkWhys,
  verdictWhys,
  voiceWhys,
} from './why-codes.ts';

/** Every code with the names of its facts. */
export const whys = {
  ...deviceWhys,
  ...lineWhys,
  ...talkWhys,
  ...soundWhys,
  ...requestWhys,
  ...fileWhys,
  ...addressWhys,
  ...serverWhys,
  ...certificateWhys,
  ...verdictWhys,
  ...settingsWhys,
  ...mediaWhys,
  ...voiceWhys,
  ...chatWhys,
  ...answerWhys,
};

export type WhyCode = keyof typeof whys;

/** A code; where the words need facts, with its facts. */
type WhyOf<Code extends WhyCode> = Code extends WhyCode
  ? (typeof whys)[Code] extends readonly []
    ? Code
    : { readonly is: Code } & {
        readonly [Fact in (typeof whys)[Code][number]]: string | number;
      }
  : never;

export type OneWhy = WhyOf<WhyCode>;

/**
 * A reason that a page has words for in its own language, or several that are said one after the other.
 * The sentence beside it is what is said where there are none: in the terminal, and in the log.
 */
export type Why = OneWhy | readonly OneWhy[];

export type DeviceWhy = WhyOf<keyof typeof deviceWhys>;
export type LineWhy = WhyOf<keyof typeof lineWhys>;
export type TalkWhy = WhyOf<keyof typeof talkWhys>;
export type CertificateFault = keyof typeof certificateWhys;

/** A sentence for a person, with its code where it has one. */
export interface Told {
  readonly sentence: string;
  readonly why?: Why | undefined;
}

/** One reason after another; none where the first has no words, because half of it would mislead. */
export function andThen(first: Why | undefined, then: OneWhy): Why | undefined {
  if (first === undefined) return undefined;
  return typeof first === 'object' && !('is' in first) ? [...first, then] : [first, then];
}

/** What was kept by this or another version may have codes that there are not, or not any more. */
export function isWhy(value: unknown): value is Why {
  return Array.isArray(value) ? value.every(isOne) : isOne(value);
}

function isOne(value: unknown): boolean {
  if (typeof value === 'string') return factsOf(value)?.length === 0;
  if (typeof value !== 'object' || value === null || !('is' in value)) return false;
  const facts = typeof value.is === 'string' ? factsOf(value.is) : undefined;
  if (facts === undefined || facts.length === 0) return false;
  return facts.every((fact) => {
    const given: unknown = Reflect.get(value, fact);
    return typeof given === 'string' || typeof given === 'number';
  });
}

function factsOf(code: string): readonly string[] | undefined {
  const known: Readonly<Record<string, readonly string[]>> = whys;
  return Object.hasOwn(known, code) ? known[code] : undefined;
}
