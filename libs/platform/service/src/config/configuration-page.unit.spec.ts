import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { configurationPage } from './configuration-page';

it('docs/configuration.md is what the table of environment variables says (npm run docs:configuration)', () => {
  expect(readFileSync(resolve(__dirname, '../../../../../docs/configuration.md'), 'utf8')).toBe(
    configurationPage(),
  );
});
