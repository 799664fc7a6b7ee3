import { aroundTasks } from './rows/around.ts';
import { chatTasks } from './rows/chat.ts';
import { deviceTasks } from './rows/devices.ts';
import { historyTasks } from './rows/history.ts';
import { lookTasks } from './rows/looks.ts';
import { visionTasks } from './rows/vision.ts';
import { serverTasks } from './rows/servers.ts';
import { talkingTasks } from './rows/talking.ts';
import type { Task, TaskWords } from './task.ts';

export const allTasks = (words: TaskWords): readonly Task[] => [
  ...lookTasks(words),
  ...deviceTasks(words),
  ...serverTasks(words),
  ...historyTasks(words),
  ...aroundTasks(words),
  ...chatTasks(words),
  ...talkingTasks(words),
  ...visionTasks(words),
];
