import type { ShowPieceEvent, ShowPieceSnapshot } from '@scrip/contracts/gallery';
import { notFound } from '@scrip/kernel';
import type { GalleryRefusal } from '../gallery.refusals';
import type { ShowPieceCommand } from './show-piece.commands';

/** What the events of a show piece fold to; undefined before the first one. */
export type ShowPieceState = ShowPieceSnapshot | undefined;

/** A repeated creation, and a name that stays, append nothing. Refuses `not_found`. */
export const decideShowPiece = (
  command: ShowPieceCommand,
  state: ShowPieceState,
): ShowPieceEvent[] | GalleryRefusal => {
  const { id, name, now } = command;
  switch (command.type) {
    case 'CreateShowPiece':
      if (state) return [];
      return [
        { type: 'ShowPieceCreated', data: { show_piece: { id, name, created_at: now, updated_at: null } } },
      ];
    case 'RenameShowPiece':
      if (!state) return notFound('show_piece', id, 'show piece');
      if (state.name === name) return [];
      return [{ type: 'ShowPieceRenamed', data: { show_piece_id: id, name, updated_at: now } }];
    default:
      return command satisfies never;
  }
};

/** Folds the stream `show-piece`. Total: returns undefined for events before the first one, never throws or decides. */
export const evolveShowPiece = (state: ShowPieceState, event: ShowPieceEvent): ShowPieceState => {
  switch (event.type) {
    case 'ShowPieceCreated':
      return event.data.show_piece;
    case 'ShowPieceRenamed': {
      const { name, updated_at } = event.data;
      return state && { ...state, name, updated_at };
    }
    default:
      return event satisfies never;
  }
};
