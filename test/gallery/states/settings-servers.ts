import type { GalleryState } from '../gallery-state.ts';
import { emptyEndpointForm } from '../../../renderer/store/settings/endpoint-form.ts';
import { severalServers } from '../sample-settings.ts';
import { section } from '../settings-section.ts';

const servers = { endpoints: severalServers };
const form = { ...emptyEndpointForm, url: 'wss://talk.example:8006', name: 'Talk' };

/** The servers among the settings, and one that is being filled in. */
export const serverStates: Readonly<Record<string, GalleryState>> = {
  'settings-servers': section('endpoints', {}, servers),
  'settings-servers-first': section('endpoints'),
  'settings-servers-tested': section(
    'endpoints',
    { verdict: { of: 'home', is: { ok: true, connectMs: 12, wordMs: 31 } } },
    servers,
  ),
  'settings-servers-unreachable': section(
    'endpoints',
    {
      verdict: {
        of: 'home',
        is: {
          ok: false,
          why: 'unreachable',
          problem: 'Nothing listens at workstation.local:8006; is the server running?',
          because: { is: 'nothingListens', server: 'workstation.local:8006' },
        },
      },
      busy: ['server.hosted'],
    },
    servers,
  ),
  'settings-server-form': section('endpoints', { form, secretStorage: 'keychain' }, servers),
  'settings-server-wrong': section(
    'endpoints',
    {
      form: {
        ...form,
        id: 'hosted',
        url: 'talk.example',
        headers: [
          { key: 0, name: 'X-Team', value: null },
          { key: 1, name: 'Authorization', value: 'x' },
        ],
        fingerprint: 'AA:BB',
      },
      secretStorage: 'plain',
      fields: {
        'form.url': {
          problem: {
            sentence: 'The address "talk.example" has no scheme; begin it with ws://.',
            why: { is: 'noScheme', address: 'talk.example' },
          },
        },
        'form.token': {
          problem: {
            sentence: 'The access token is empty or has characters in it that none has.',
            why: 'tokenForm',
          },
        },
        'form.fingerprint': {
          problem: {
            sentence: 'A SHA-256 fingerprint has 32 pairs of hex digits.',
            why: 'fingerprintForm',
          },
        },
      },
    },
    servers,
  ),
  'settings-server-certificate': section(
    'endpoints',
    {
      form,
      secretStorage: 'none',
      verdict: {
        of: 'form',
        is: {
          ok: false,
          why: 'certificate',
          problem: `The server's certificate is self-signed; its SHA-256 fingerprint is ${'AB:CD:'.repeat(15)}EF:01. If that is your server, trust the certificate.`,
          because: { is: 'certificateOwn', fingerprint: `${'AB:CD:'.repeat(15)}EF:01` },
          fingerprint: 'AB:CD',
        },
      },
    },
    servers,
  ),
};
