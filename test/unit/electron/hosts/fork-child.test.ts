import { expect, it } from 'vitest';
import { childEnvironment } from '../../../../electron/hosts/fork-child.ts';

it('a child process gets the environment without variables that may hold a secret', () => {
  const needed = {
    HOME: '/home/a',
    DISPLAY: ':0',
    XAUTHORITY: '/home/a/.Xauthority',
    PULSE_SERVER: 'unix:/run/pulse',
    PULSE_COOKIE: '/home/a/.config/pulse/cookie',
    PARLEY_STATE_DIR: '/state',
  };
  const secret = {
    PARLEY_TOKEN: '1',
    PARLEY_UPDATE_SIGNING_KEY: '2',
    AWS_SECRET_ACCESS_KEY: '3',
    github_token: '4',
    PGPASSWORD: '5',
    DB_PASSWD: '6',
    GOOGLE_APPLICATION_CREDENTIALS: '7',
    CLIENT_SECRET: '8',
  };
  expect(childEnvironment({ ...needed, ...secret, GONE: undefined })).toEqual(needed);
});
