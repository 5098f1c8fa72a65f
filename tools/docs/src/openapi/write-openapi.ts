import { writeFileSync } from 'node:fs';
import { format } from 'prettier';
import { openApiFile, openApiOfSources } from './openapi-file';

const write = async (): Promise<void> => {
  const text = JSON.stringify(openApiOfSources());
  writeFileSync(openApiFile, await format(text, { parser: 'json', printWidth: 110 }));
};

void write();
