/** Show pieces of the gallery: one stream per show piece. Source: reference 06 §9. */
export type ShowPieceEvent = ShowPieceCreated | ShowPieceRenamed;

/** A show piece as events and answers carry it. */
export interface ShowPieceSnapshot {
  /** `sho_…` */
  id: string;
  /** Unique in a project. */
  name: string;
  created_at: string;
  updated_at: string | null;
}

/** A show piece was created. */
export interface ShowPieceCreated {
  type: 'ShowPieceCreated';
  data: { show_piece: ShowPieceSnapshot };
}

/** A show piece was given another name. */
export interface ShowPieceRenamed {
  type: 'ShowPieceRenamed';
  data: {
    /** `sho_…` */
    show_piece_id: string;
    name: string;
    updated_at: string;
  };
}
