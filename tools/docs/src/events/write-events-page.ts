import { writeFileSync } from 'node:fs';
import { eventsPage, eventsPageFile } from './events-page';

void eventsPage().then((page) => writeFileSync(eventsPageFile, page));
