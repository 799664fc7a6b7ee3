import type { GenerationOptions } from '../client-event.ts';
import type { ClientEventFields } from '../decode/client-event-fields.ts';
import { generationFields } from './generation-fields.ts';

const names: ReadonlySet<string> = new Set(generationFields.map(([, wire]) => wire));

/** Settings that this version knows are checked, others kept as they came. */
export function decodeGeneration(config: ClientEventFields): GenerationOptions {
  const known = generationFields.map(([ours, wire, type]) => [ours, config[type](wire)] as const);
  const other = config.others(names);
  return {
    ...Object.fromEntries(known.filter(([, value]) => value !== undefined)),
    ...(Object.keys(other).length > 0 ? { other } : {}),
  };
}
