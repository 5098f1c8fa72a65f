import { FrozenEvents } from '@scrip/testing';
import { join } from 'node:path';
import { showPieceAggregate } from './show-piece.aggregate';

const stored = new FrozenEvents(join(__dirname, 'fixtures'), showPieceAggregate);

test('events of each version of each type are frozen', () => {
  expect(stored.problems(['ShowPieceCreated', 'ShowPieceRenamed'])).toEqual([]);
});

test('stored events of a show piece are read as they were meant', () => {
  expect(stored.folded('ShowPieceCreated', 'ShowPieceRenamed')).toEqual({
    id: 'sho_1',
    name: 'Summer',
    created_at: '2026-03-31T10:00:00.000Z',
    updated_at: '2026-04-01T10:00:00.000Z',
  });
});
