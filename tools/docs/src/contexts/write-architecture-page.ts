import { writeFileSync } from 'node:fs';
import { architecturePage, architecturePageFile } from './architecture-page';

void architecturePage().then((page) => writeFileSync(architecturePageFile, page));
