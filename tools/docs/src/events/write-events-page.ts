import { writeFileSync } from 'node:fs';
import { readEventTypes } from './event-types';
import { eventsPage, eventsPageFile } from './events-page';

void eventsPage(readEventTypes()).then((page) => writeFileSync(eventsPageFile, page));
