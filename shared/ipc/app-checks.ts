import { z } from 'zod';
import { storedDataKinds } from '../privacy/stored-data.ts';
import type {
  LinkRequests,
  LogRequests,
  PrivacyRequests,
  WindowRequests,
  WireRequests,
} from './app-contract.ts';

type Checks<Requests extends Readonly<Record<keyof Requests, { readonly input: unknown }>>> = {
  readonly [Name in keyof Requests]: z.ZodType<Requests[Name]['input']>;
};

export const privacyChecks: Checks<PrivacyRequests> = {
  storedData: z.undefined(),
  deleteStoredData: z.strictObject({ kind: z.enum([...storedDataKinds, 'all']) }),
};

export const logChecks: Checks<LogRequests> = { showLogs: z.undefined() };

export const windowChecks: Checks<WindowRequests> = {
  windows: z.undefined(),
  showMini: z.undefined(),
  closeMini: z.undefined(),
  showMain: z.undefined(),
  quit: z.undefined(),
};

export const linkChecks: Checks<LinkRequests> = {
  openedLink: z.undefined(),
  dismissLink: z.undefined(),
};

export const wireChecks: Checks<WireRequests> = { watchWire: z.strictObject({ on: z.boolean() }) };
