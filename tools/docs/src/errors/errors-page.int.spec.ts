import { routesOfControllers } from '@scrip/edge';
import { readFileSync } from 'node:fs';
import { allControllers } from '../openapi/contexts';
import { openApiOfSources } from '../openapi/openapi-file';
import { errorCatalogue } from './error-catalogue';
import { errorsPage, errorsPageFile } from './errors-page';
import { meanings } from './meanings';

describe('docs/errors.md', () => {
  it('is what the tables of refusals say (npm run docs:errors)', async () => {
    expect(await errorsPage()).toBe(readFileSync(errorsPageFile, 'utf8'));
  }, 120_000);

  it('says what each key means, and explains no key that nothing answers', () => {
    const keys = errorCatalogue(openApiOfSources(), routesOfControllers(allControllers())).map(
      ({ key }) => key,
    );
    expect(Object.keys(meanings).sort()).toEqual(keys);
    expect(keys.length).toBeGreaterThan(40);
  }, 120_000);
});
