import { emptyEndpointForm } from '../../../renderer/settings/endpoints/endpoint-form.ts';
import { appError } from '../../../shared/errors/app-error.ts';
import type { GalleryState } from '../gallery-state.ts';
import { section, severalServers } from '../sample-settings.ts';

const servers = { endpoints: severalServers };
const form = { ...emptyEndpointForm, url: 'wss://talk.example:8006', name: 'Talk' };

export const serverStates: Readonly<Record<string, GalleryState>> = {
  'settings-servers': section('endpoints', {}, servers),
  'settings-servers-first': section('endpoints'),
  'settings-proxy': section(
    'endpoints',
    {
      secretStorage: 'keychain',
      fields: { 'endpoints.proxyAddress': { problem: appError('proxyAddressForm') } },
    },
    { proxy: { way: 'address', address: 'http://proxy.example:3128', hasLogin: true } },
  ),
  'settings-servers-tested': section(
    'endpoints',
    { verdict: { of: 'home', result: { ok: true, connectMs: 12, firstMessageMs: 31 } } },
    servers,
  ),
  'settings-servers-unreachable': section(
    'endpoints',
    {
      verdict: {
        of: 'home',
        result: {
          ok: false,
          kind: 'unreachable',
          error: appError('nothingListens', { server: 'workstation.local:8006' }),
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
          problem: appError('noScheme', { address: 'talk.example' }),
        },
        'form.token': {
          problem: appError('tokenForm'),
        },
        'form.fingerprint': {
          problem: appError('fingerprintForm'),
        },
      },
    },
    servers,
  ),
  'settings-server-known': {
    size: { width: 380, height: 2300 },
    ...section(
      'endpoints',
      {
        form: {
          ...form,
          dialect: 'legacy',
          timeLimit: 120,
          voiceForm: 'float32',
          config: '{ "length_penalty": 1.1, ',
        },
        secretStorage: 'keychain',
        fields: { 'form.config': { problem: appError('configForm') } },
      },
      servers,
    ),
  },
  'settings-server-removed': {
    ...section('endpoints', { form, secretStorage: 'keychain' }, servers),
    click: '.server-buttons [data-kind="danger"]',
  },
  'settings-server-certificate': section(
    'endpoints',
    {
      form,
      secretStorage: 'none',
      verdict: {
        of: 'form',
        result: {
          ok: false,
          kind: 'certificate',
          error: appError('certificateOwn', { fingerprint: `${'AB:CD:'.repeat(15)}EF:01` }),
          fingerprint: 'AB:CD',
        },
      },
    },
    servers,
  ),
};
