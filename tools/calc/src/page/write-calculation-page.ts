import { readFileSync, writeFileSync } from 'node:fs';
import { calculationPageFile, withExamples } from './calculation-page';

writeFileSync(calculationPageFile, withExamples(readFileSync(calculationPageFile, 'utf8')));
