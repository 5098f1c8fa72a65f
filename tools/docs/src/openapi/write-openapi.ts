import { type JsonSchema, sdkDocument } from '@scrip/edge';
import { writeFileSync } from 'node:fs';
import { format } from 'prettier';
import { openApiFile, openApiOfSources, sdkFile } from './openapi-file';

const writeDocument = async (file: string, document: JsonSchema): Promise<void> =>
  writeFileSync(file, await format(JSON.stringify(document), { parser: 'json', printWidth: 110 }));

const write = async (): Promise<void> => {
  const document = openApiOfSources();
  await writeDocument(openApiFile, document);
  await writeDocument(sdkFile, sdkDocument(document));
};

void write();
