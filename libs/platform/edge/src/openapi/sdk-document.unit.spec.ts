import type { JsonSchema } from './json-schema';
import { sdkDocument } from './sdk-document';

const reference = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

const documentOf = (schemas: Record<string, JsonSchema>, answer = 'Answer'): JsonSchema => ({
  info: { description: 'Rules.' },
  paths: {
    '/v1/things': {
      post: {
        requestBody: { content: { 'application/json': { schema: reference('Body') } } },
        responses: { 200: { content: { 'application/json': { schema: reference(answer) } } } },
      },
    },
  },
  components: { schemas, responses: {} },
});

const derived = (schemas: Record<string, JsonSchema>): Record<string, JsonSchema> =>
  (sdkDocument(documentOf(schemas)) as { components: { schemas: Record<string, JsonSchema> } }).components
    .schemas;

const text: JsonSchema = { type: 'string' };
const open = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  properties,
  additionalProperties: true,
});

describe('the document for generators of clients', () => {
  it('closes bodies and what they refer to, but not the objects of the caller within them', () => {
    const metadata = { type: 'object', additionalProperties: true };
    const schemas = {
      Body: open({ of: reference('Part'), metadata }),
      Part: open({ a: text }),
      Answer: text,
    };
    expect(derived(schemas)).toEqual({
      Body: { ...open({ of: reference('Part'), metadata }), additionalProperties: false },
      Part: { ...open({ a: text }), additionalProperties: false },
      Answer: text,
    });
  });

  it('leaves out of bodies what is not supported, and null beside words', () => {
    const kind = { type: ['string', 'null'], enum: ['a', null] };
    const { Body } = derived({ Body: open({ session: { type: 'null' }, kind }), Answer: text });
    expect(Body?.properties).toEqual({ kind: { type: 'string', enum: ['a'] } });
  });

  it('takes a property for a property, also one that is called like a keyword', () => {
    const { Body } = derived({ Body: open({ properties: open({ a: text }) }), Answer: text });
    const closed = { type: 'object', properties: { a: text }, additionalProperties: false };
    expect(Body?.properties).toEqual({ properties: closed });
  });

  it('gives answers no index, and no field an extension', () => {
    const { Answer } = derived({
      Body: text,
      Answer: { ...open({ a: { ...text, 'x-numeric-text': '1' } }), patternProperties: { '^m': text } },
    });
    expect(Answer).toEqual({ type: 'object', properties: { a: text } });
  });

  it('refuses a schema that is both sent and answered', () => {
    expect(() => sdkDocument(documentOf({ Body: text }, 'Body'))).toThrow(
      'schemas are both sent and answered: Body',
    );
  });
});
