import { expect, it } from 'vitest';
import { pictureEnvironment } from '../../../../electron/hosts/fork-child.ts';

it('the process of the pictures gets nothing that a person keeps in the environment', () => {
  const all = { PATH: '/bin', HOME: '/home/me', PARLEY_TOKEN: 'secret', NODE_OPTIONS: '-r evil' };
  expect(pictureEnvironment(all)).toEqual({ PATH: '/bin' });
});
