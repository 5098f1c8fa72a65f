import type { ShowPieceSnapshot } from '@scrip/contracts/gallery';

/** A show piece as callers see it. */
export const renderShowPiece = (showPiece: ShowPieceSnapshot) => ({
  ...showPiece,
  object: 'show_piece' as const,
});

/** What `renderShowPiece` makes. */
export type ShowPieceResponse = ReturnType<typeof renderShowPiece>;
