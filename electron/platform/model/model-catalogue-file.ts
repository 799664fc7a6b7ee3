import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { describeError } from '../../../shared/sanitize-text.ts';
import {
  type ModelCatalogue,
  modelCatalogue,
  type ModelMirror,
} from '../../model/model-catalogue.ts';
import { isPlainAllowed } from '../net/download-request.ts';

/** A path without a drive, a root or a parent, so that every file stays in the model's folder. */
const plainPath = /^(?!.*\.\.)[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/u;

const catalogueRule = z.object({
  revision: z.string().regex(/^[\w-]{1,64}$/u),
  files: z
    .array(
      z.object({
        path: z.string().regex(plainPath),
        bytes: z.int().min(1),
        sha256: z.string().regex(/^[0-9a-f]{64}$/u),
      }),
    )
    .min(1),
  mirrors: z.array(z.object({ id: z.string(), base: z.url().endsWith('/') })).min(1),
});

/**
 * Reads the list of files to download. `PARLEY_MODEL_CATALOGUE` names a JSON file with another list, for a mirror in a
 * local network and for tests. Mirrors use https, or http on this computer. An invalid file is reported and ignored.
 */
export function readModelCatalogue(
  onInvalid: (reason: string) => void,
  env: NodeJS.ProcessEnv = process.env,
): ModelCatalogue {
  const path = env['PARLEY_MODEL_CATALOGUE'] ?? '';
  if (path === '') return modelCatalogue;
  try {
    const { mirrors, ...others } = catalogueRule.parse(JSON.parse(readFileSync(path, 'utf8')));
    return { ...others, mirrors: mirrors.map(({ id, base }) => readMirror(id, new URL(base))) };
  } catch (error) {
    onInvalid(
      `${path} is not a model catalogue, so the built-in one is used: ${describeError(error)}`,
    );
    return modelCatalogue;
  }
}

function readMirror(id: string, base: URL): ModelMirror {
  if (base.protocol !== 'https:' && !isPlainAllowed(base))
    throw new Error('the address of a mirror must use https');
  return { id, host: base.host, base: base.href };
}
