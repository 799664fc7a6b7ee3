import { expect, it } from 'vitest';
import { modelCatalogue, totalBytes } from '../../../../electron/model/model-catalogue.ts';

it('the catalogue has ten files of 8.9 GB at one commit on every mirror', () => {
  const { files, mirrors, revision } = modelCatalogue;
  expect(files).toHaveLength(10);
  expect(totalBytes(files)).toBe(8_872_297_088);
  expect(new Set(files.map(({ sha256 }) => sha256)).size).toBe(10);
  for (const { sha256 } of files) expect(sha256).toMatch(/^[0-9a-f]{64}$/u);
  for (const { base, host } of mirrors) {
    expect(new URL(base).host).toBe(host);
    expect(base).toMatch(new RegExp(`^https://.*/resolve/${revision}/$`, 'u'));
  }
});
