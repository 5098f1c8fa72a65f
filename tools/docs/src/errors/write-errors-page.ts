import { writeFileSync } from 'node:fs';
import { errorsPage, errorsPageFile } from './errors-page';

void errorsPage().then((page) => writeFileSync(errorsPageFile, page));
