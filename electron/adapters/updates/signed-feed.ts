import { verify } from 'node:crypto';
import { appError } from '../../../shared/errors/app-error.ts';
import { requestUpdateFile, UpdateError } from './update-request.ts';
import type { UpdateRequest } from './update-request.ts';
import type { UpdateSettings } from './update-settings.ts';

/** Notes in all languages are a hundredth of it. */
const maxFeedBytes = 256 * 1024;
const maxSignatureBytes = 1024;

type Way = Pick<UpdateRequest, 'idleMs' | 'signal' | 'proxies'>;

/** The text of a feed that is signed with the build's key, in base64 beside it; of any other nothing is read. */
export async function readSignedFeed(
  { feed, key }: UpdateSettings,
  name: string,
  way: Way,
): Promise<string> {
  const url = new URL(name, feed);
  const text = await readSmallFile(url, maxFeedBytes, way);
  const signature = await readSmallFile(new URL(`${name}.sig`, feed), maxSignatureBytes, way).catch(
    (error: unknown) => {
      // Without one it is as good as wrong.
      const missing = error instanceof UpdateError && error.error.code === 'updateServerRefuses';
      throw missing ? new UpdateError(appError('updateUnsigned', { host: url.host })) : error;
    },
  );
  const signed = Buffer.from(signature.toString('ascii').trim(), 'base64');
  if (signed.length === 64 && verify(null, text, key, signed)) return text.toString('utf8');
  throw new UpdateError(appError('updateUnsigned', { host: url.host }));
}

async function readSmallFile(url: URL, maxBytes: number, way: Way): Promise<Buffer> {
  const response = await requestUpdateFile({ url, ...way });
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > maxBytes) throw new UpdateError(appError('updateFeedDamaged', { host: url.host }));
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
