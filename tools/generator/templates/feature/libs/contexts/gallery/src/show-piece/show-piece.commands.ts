/** What can be asked of a show piece. `now`: when it is decided, ISO. */
export type ShowPieceCommand = CreateShowPiece | RenameShowPiece;

export interface CreateShowPiece {
  type: 'CreateShowPiece';
  id: string;
  name: string;
  now: string;
}

export interface RenameShowPiece {
  type: 'RenameShowPiece';
  id: string;
  name: string;
  now: string;
}
