/** How the text of a variable is read. `list` is comma-separated, blanks around members dropped. */
export type VariableKind = 'text' | 'integer' | 'switch' | 'list';

/** One environment variable. `default` is what an absent variable means; null = decided at start, as `meaning` says. */
export interface Variable {
  name: string;
  kind: VariableKind;
  default: string | null;
  /** Never logged or shown; kept as `Secret`. */
  secret?: true;
  /** Bounds of an `integer`, both included. */
  min?: number;
  max?: number;
  choices?: readonly string[];
  pattern?: RegExp;
  /** Whether a member of a `list` may be one. */
  accepts?: (member: string) => boolean;
  /** What a value looks like, for error messages. */
  expects?: string;
  meaning: string;
}
