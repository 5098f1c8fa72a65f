import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { configurationPage } from './configuration-page';

writeFileSync(resolve(__dirname, '../../../../../docs/configuration.md'), configurationPage());
