import type { ShowPieceEvent, ShowPieceSnapshot } from '@scrip/contracts/gallery';
import type { AggregateDefinition } from '@scrip/event-store';
import { refuse } from '@scrip/kernel';
import { evolveShowPiece } from './show-piece.decider';

/** How show pieces are stored. Names are unique in a project. */
export const showPieceAggregate: AggregateDefinition<ShowPieceSnapshot, ShowPieceEvent> = {
  aggregate: 'show-piece',
  table: 'show_pieces',
  evolve: evolveShowPiece,
  columns: {
    name: { type: 'text', of: ({ name }) => name },
    created_at: { type: 'timestamptz', of: ({ created_at }) => created_at },
  },
  conflicts: {
    show_pieces_name: ({ name }) =>
      refuse('duplicate_found', `Duplicated show piece exists with name ${name}`, {
        resourceId: name,
        resourceType: 'show_piece',
      }),
  },
};
