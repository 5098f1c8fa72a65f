import { readFileSync } from 'node:fs';
import { architecturePage, architecturePageFile } from './architecture-page';

it('docs/architecture.md lists services and ports as the contexts declare them (npm run docs:contexts)', async () => {
  expect(readFileSync(architecturePageFile, 'utf8')).toBe(await architecturePage());
});
