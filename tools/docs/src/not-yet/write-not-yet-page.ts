import { writeFileSync } from 'node:fs';
import { notYetPage, notYetPageFile } from './not-yet-page';

writeFileSync(notYetPageFile, notYetPage());
