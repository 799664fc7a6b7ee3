export function sampleFeed(fields: object = {}): string {
  return JSON.stringify({
    version: '0.2.0',
    releaseDate: '2026-01-01T00:00:00.000Z',
    validUntil: '2026-07-01T00:00:00.000Z',
    stagingPercentage: 100,
    releaseNotes: { en: 'New things.', zh: '新内容。' },
    files: [
      { url: 'Parley-0.2.0-linux-x64.tar.gz', sha512: `${'A'.repeat(86)}==`, size: 1000 },
      { url: 'Parley-0.2.0-linux-x86_64.AppImage', sha512: `${'B'.repeat(86)}==`, size: 2000 },
    ],
    ...fields,
  });
}
