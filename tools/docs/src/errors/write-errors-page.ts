import { writeFileSync } from 'node:fs';
import { openApiOfSources } from '../openapi/openapi-file';
import { errorsPage, errorsPageFile } from './errors-page';

void errorsPage(openApiOfSources()).then((page) => writeFileSync(errorsPageFile, page));
