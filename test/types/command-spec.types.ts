// Compiled and never run, like contract.types.ts.
import type {
  CommandArguments,
  CommandSpec,
} from '../../electron/hosts/terminal/options/command-spec.ts';

const spec = {
  name: 'demo',
  summary: '',
  word: { name: 'on|off', about: { on: '', off: '' }, missing: '' },
  options: {
    mode: { value: 'M', choices: ['audio', 'video'], required: true, about: '' },
    dialect: { value: 'D', choices: ['auto', 'legacy'], about: '' },
    seconds: { value: 'N', range: { min: 0, max: 9 }, many: true, about: '' },
    mic: { value: 'NAME', alone: true, about: '' },
    size: { value: 'N', read: (text: string) => text.length, about: '' },
    json: { about: '' },
  },
} as const satisfies CommandSpec;

declare const parsed: CommandArguments<typeof spec>;

export const word: 'on' | 'off' = parsed.word;
export const mode: 'audio' | 'video' = parsed.options.mode;
export const seconds: readonly number[] = parsed.options.seconds;
export const mic: string | true | undefined = parsed.options.mic;
export const size: number | undefined = parsed.options.size;
export const json: boolean = parsed.options.json;
// @ts-expect-error the option may be undefined
export const dialect: 'auto' | 'legacy' = parsed.options.dialect;
// @ts-expect-error an option that the command does not have
export const url: unknown = parsed.options.url;
