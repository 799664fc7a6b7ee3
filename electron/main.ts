import { openDesktop } from './hosts/desktop/desktop.ts';

openDesktop();
