import { type JsonSchema, routesOfControllers } from '@scrip/edge';
import { readFileSync } from 'node:fs';
import { allControllers } from '../openapi/contexts';
import { openApiFile } from '../openapi/openapi-file';
import { errorCatalogue } from './error-catalogue';
import { errorsPage, errorsPageFile } from './errors-page';
import { meanings } from './meanings';

// That it is the document of the sources, `openapi.int.spec.ts` compares.
const document = JSON.parse(readFileSync(openApiFile, 'utf8')) as JsonSchema;

describe('docs/errors.md', () => {
  it('is what the tables of refusals say (npm run docs:errors)', async () => {
    expect(await errorsPage(document)).toBe(readFileSync(errorsPageFile, 'utf8'));
  });

  it('says what each key means, and explains no key that nothing answers', () => {
    const keys = errorCatalogue(document, routesOfControllers(allControllers())).map(({ key }) => key);
    expect(Object.keys(meanings).sort()).toEqual(keys);
    expect(keys.length).toBeGreaterThan(40);
  });
});
