import { internalContext, randomIds } from '@scrip/kernel';
import { testProject } from '@scrip/edge/testing';
import type { MetadataSchemaHandlers } from './metadata-schema.handlers';
import type { MetadataSchemaReads } from './metadata-schema.reads';
import { MetadataSchemaRequests } from './metadata-schema.requests';

const stored = { create: async (_: unknown, { properties }: { properties: object }) => ({ properties }) };

const creating = (featuresOff: readonly 'locations'[], definition: object): Promise<unknown> =>
  new MetadataSchemaRequests(
    stored as unknown as MetadataSchemaHandlers,
    null as unknown as MetadataSchemaReads,
    { featuresOff },
  ).create(
    internalContext(testProject),
    randomIds,
    { related_object: 'customer', properties: { home: definition } },
    { spelling: 'snake', render: (schema) => schema },
  );

const place = { type: 'geopoint' };

describe('a definition of metadata', () => {
  it('is a point on the map with the feature of locations only', async () => {
    expect(await creating(['locations'], place)).toMatchObject({
      refused: 'missing_required_feature',
      details: 'Your current plan does not include a feature required to perform this operation.',
    });
    expect(await creating([], place)).toMatchObject({ properties: { home: place } });
  });

  it.each([{ type: 'string' }, { type: 'geopoint', deleted: true }])(
    'without that feature may be %p',
    async (definition) => {
      expect(await creating(['locations'], definition)).toMatchObject({ properties: { home: definition } });
    },
  );
});
