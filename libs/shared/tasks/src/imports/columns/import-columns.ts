/** A column of an import that has a meaning of its own. */
export interface StandardColumn {
  /** What it is called; letters of either case, and blanks for underscores. */
  names: readonly string[];
  /** What its cells are: a name that the import knows. */
  field: string;
  /** Whether a file must have it. */
  required?: true;
}

/** The columns of an import. Others become metadata. */
export interface ImportColumns {
  standard: readonly StandardColumn[];
  /** The field that failures name a row by; unless given, they name it by its number alone. */
  identifier?: string;
}

/** What the cells of one column of a file are; null: nothing, the caller leaves them out. */
export type BoundColumn = { field: string } | { metadata: string } | null;
