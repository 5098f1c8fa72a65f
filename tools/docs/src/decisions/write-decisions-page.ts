import { writeFileSync } from 'node:fs';
import { decisionsPage, decisionsPageFile } from './decisions-page';

writeFileSync(decisionsPageFile, decisionsPage());
