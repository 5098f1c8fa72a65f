import { readFileSync } from 'node:fs';
import { architecturePage, architecturePageFile } from './architecture-page';

it('docs/architecture.md lists the services as the registry of contexts does (npm run docs:contexts)', async () => {
  expect(readFileSync(architecturePageFile, 'utf8')).toBe(await architecturePage());
});
