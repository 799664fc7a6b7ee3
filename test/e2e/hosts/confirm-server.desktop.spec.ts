import { answerDialogs } from '../fixtures/pages/app-windows.ts';
import { expect, test } from '../fixtures/host-test.ts';

test('a system dialog asks before a page may use a new server', async ({ electron, page }) => {
  const put = () =>
    page.evaluate(() =>
      window.parley?.request('putEndpoint', {
        name: 'Elsewhere',
        kind: 'hosted',
        url: 'wss://one.example.invalid/v1/realtime',
        dialect: 'auto',
        headers: {},
        query: {},
      }),
    );
  const boxes = await answerDialogs(electron, 1);
  expect(await put()).toMatchObject({ ok: false, error: { code: 'serverNotConfirmed' } });
  expect(await boxes()).toMatchObject([
    {
      message: 'Use the server wss://one.example.invalid?',
      buttons: ['Use the server', 'Cancel'],
      defaultId: 1,
    },
  ]);
  await answerDialogs(electron, 0);
  expect(await put()).toMatchObject({ ok: true, value: { name: 'Elsewhere' } });
});
