import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OpenPage } from '../../../../shared/ipc/page.ts';
import { GlobalKeyStage } from './global-key-stage.ts';

let stage: GlobalKeyStage;

beforeEach(() => {
  stage = new GlobalKeyStage();
});
afterEach(() => stage.controller.end());

describe('the test of the global key', () => {
  const test = async (
    page: OpenPage,
    meanwhile: () => void,
  ): Promise<Awaited<ReturnType<typeof stage.controller.handlers.testGlobalKey>>> => {
    const testing = stage.controller.handlers.testGlobalKey(undefined, page);
    meanwhile();
    return testing;
  };

  it('reports after how long the key arrived', async () => {
    await stage.on();
    const result = await test(new OpenPage(), () => {
      // A release of an earlier press does not count.
      stage.hook.key('release');
      stage.clock.advance(1200);
      stage.hook.key('press');
    });
    expect(result).toEqual({ arrived: true, ms: 1200 });
  });

  it.each([
    ['after ten seconds', (): void => stage.clock.advance(10_000)],
    ['when the page closes', (page: OpenPage): void => page.gone()],
  ])('gives up %s', async (_name, happens) => {
    await stage.on();
    const page = new OpenPage();
    expect(
      await test(page, () => {
        happens(page);
      }),
    ).toEqual({ arrived: false });
  });
});
