import type { DocumentedCaller } from './documented-caller.fixture';

export const askMetadataSchemas = async ({ send }: DocumentedCaller): Promise<void> => {
  const note = { type: 'string', optional: true, array: false };
  for (const [path, name, definition] of [
    ['/v1/metadata-schemas', 'resource', { ...note, maxLength: 9 }],
    ['/management/v1/projects/{projectId}/metadata-schemas', 'metadataSchemaId', { ...note, max_length: 9 }],
  ] as const) {
    const properties = { note: definition };
    const { answer: schema } = await send('POST', path, {
      body: { related_object: 'earning_rule', properties },
    });
    const parameters = { [name]: schema.id as string };
    await send('PUT', `${path}/{${name}}`, {
      parameters,
      body: { properties: { note: { ...definition, deleted: true } } },
    });
    await send('GET', `${path}/{${name}}`, { parameters });
    await send('GET', path);
    await send('DELETE', `${path}/{${name}}`, { parameters });
  }
};
