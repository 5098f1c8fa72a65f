import type { ShowPieceEvent } from '@scrip/contracts/gallery';
import { givenFor } from '@scrip/testing';
import type { ShowPieceCommand } from './show-piece.commands';
import { decideShowPiece, evolveShowPiece, type ShowPieceState } from './show-piece.decider';

const given = givenFor<ShowPieceCommand, ShowPieceState, ShowPieceEvent>({
  decide: decideShowPiece,
  evolve: evolveShowPiece,
  initialState: undefined,
});

const [at, later] = ['2026-03-31T10:00:00.000Z', '2026-04-01T10:00:00.000Z'];
const showPiece = { id: 'sho_1', name: 'Spring', created_at: at, updated_at: null };
const created: ShowPieceEvent = { type: 'ShowPieceCreated', data: { show_piece: showPiece } };
const create: ShowPieceCommand = { type: 'CreateShowPiece', id: 'sho_1', name: 'Spring', now: at };
const rename = (name: string): ShowPieceCommand => ({
  type: 'RenameShowPiece',
  id: 'sho_1',
  name,
  now: later,
});

describe('a show piece', () => {
  it('is created once', () => {
    given().when(create).then(created);
    given(created).when(create).then();
  });

  it('is given another name, and keeps one that it has', () => {
    given(created)
      .when(rename('Summer'))
      .thenState({ ...showPiece, name: 'Summer', updated_at: later });
    given(created).when(rename('Spring')).then();
  });

  it('has to be there for another name', () => {
    given().when(rename('Summer')).thenRefused('not_found', { resourceId: 'sho_1' });
  });
});
