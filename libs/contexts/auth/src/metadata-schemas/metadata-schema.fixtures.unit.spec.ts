import { FrozenEvents } from '@scrip/testing';
import { join } from 'node:path';
import { metadataSchemaAggregate } from './metadata-schema.aggregate';

const frozen = new FrozenEvents(join(__dirname, 'fixtures'), metadataSchemaAggregate);

test('events of each version of each type are frozen', () => {
  expect(
    frozen.problems(['MetadataSchemaCreated', 'MetadataSchemaUpdated', 'MetadataSchemaDeleted']),
  ).toEqual([]);
});

test('stored events of a metadata schema are read as they were meant', () => {
  expect(frozen.folded('MetadataSchemaCreated')).toMatchObject({
    schema: { id: 'ms_1', related_object: 'customer', properties: { tier: { eq: ['gold', 'silver'] } } },
    deleted: false,
  });
  expect(frozen.folded('MetadataSchemaCreated', 'MetadataSchemaUpdated')).toMatchObject({
    schema: { allow_defined_only: true, properties: { tier: { deleted: true }, visits: { gte: 0 } } },
    deleted: false,
  });
  expect(frozen.folded('MetadataSchemaCreated', 'MetadataSchemaDeleted')).toMatchObject({ deleted: true });
});
