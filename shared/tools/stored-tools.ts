import { z } from 'zod';
import { maxToolServers, toolServer } from './tool-server.ts';

export const maxReminders = 100;
export const maxReminderText = 500;

export const storedReminders = z.object({
  reminders: z
    .array(
      z.object({
        id: z.number().int().min(1),
        at: z.number().min(0),
        text: z.string().max(maxReminderText),
      }),
    )
    .max(maxReminders),
});

export const maxSharedPlaces = 50;
export const maxAlwaysAllowed = 500;

const name = z.string().max(200);

export const storedTools = z.object({
  servers: z.array(toolServer).max(maxToolServers).default([]),
  places: z.array(z.string().max(4000)).max(maxSharedPlaces).default([]),
  always: z
    .array(z.object({ server: name, tool: name }))
    .max(maxAlwaysAllowed)
    .default([]),
});

export type StoredTools = Readonly<z.infer<typeof storedTools>>;
