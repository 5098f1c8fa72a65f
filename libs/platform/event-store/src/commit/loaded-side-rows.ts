import type { RowChange, SideRows } from '../aggregate/aggregate';
import { changedRowOf, rowIdOf } from '../aggregate/row-id';
import type { EventData } from '../aggregate/event';
import type { RunStatement } from '../database/database';
import type { PendingCommand } from './pending-command';

type Row = Record<string, unknown>;
type Kind = SideRows<Row>;

const keyOf = ({ key }: Kind, row: Row) => Object.fromEntries(key.map((column) => [column, row[column]]));

/** The rows of one kind, by the text of their keys. */
class LoadedRows {
  private readonly rows: Map<string, Row>;

  constructor(
    private readonly kind: Kind,
    rows: readonly Row[],
  ) {
    this.rows = new Map(rows.map((row) => [this.idOf(row), row]));
  }

  for(ids: readonly string[]): Row[] {
    return [...this.rows.values()].filter((row) => ids.includes(this.kind.idOf(row)));
  }

  idOf(row: Row): string {
    return rowIdOf(this.kind.table, keyOf(this.kind, row) as never);
  }

  /** The rows as the change leaves them. */
  apply(change: RowChange): void {
    if ('insert' in change) {
      if (change.insert === this.kind.table) this.rows.set(this.idOf(change.values), change.values);
      return;
    }
    const { table, key } = changedRowOf(change)!;
    if (table !== this.kind.table || 'absent' in change || 'holds' in change) return;
    const id = rowIdOf(table, key);
    if ('delete' in change) this.rows.delete(id);
    else this.rows.set(id, { ...(this.rows.get(id) ?? key), ...this.changed(change, this.rows.get(id)) });
  }

  private changed(
    change: Exclude<
      RowChange,
      { insert: string } | { delete: string } | { absent: string } | { holds: string }
    >,
    row: Row = {},
  ): Row {
    if (!('increment' in change)) return change.set;
    return Object.fromEntries(
      Object.entries(change.by).map(([column, by]) => [column, Number(row[column] ?? 0) + by]),
    );
  }
}

/** The side rows of a batch: read once for all its members, then as the members decided so far leave them. */
export class LoadedSideRows<State, Event extends EventData> {
  private constructor(private readonly loaded: ReadonlyMap<Kind, LoadedRows>) {}

  static readonly none = new LoadedSideRows<never, never>(new Map());

  /** One statement for each kind that the members name. */
  static async load<S, E extends EventData>(
    run: RunStatement,
    stream: { projectId: string; streamId: string },
    members: readonly PendingCommand<S, E>[],
  ): Promise<LoadedSideRows<S, E>> {
    const ids = new Map<Kind, Set<string>>();
    for (const { sideRows } of members) {
      if (!sideRows) continue;
      const named = ids.get(sideRows.of) ?? new Set();
      ids.set(sideRows.of, named);
      for (const id of sideRows.ids) named.add(id);
    }
    const loaded = new Map<Kind, LoadedRows>();
    for (const [kind, named] of ids)
      loaded.set(kind, new LoadedRows(kind, await kind.load(run, stream, [...named])));
    return new LoadedSideRows<S, E>(loaded);
  }

  /** Those that a member's ids name. */
  of({ sideRows }: PendingCommand<State, Event>): readonly Row[] {
    return sideRows ? this.loaded.get(sideRows.of)!.for(sideRows.ids) : [];
  }

  apply(changes: readonly RowChange[]): void {
    for (const rows of this.loaded.values()) for (const change of changes) rows.apply(change);
  }

  /** The row that a change writes, as text; null for a row inserted into a table that none of the kinds reads. */
  rowOf(change: RowChange): string | null {
    const named = changedRowOf(change);
    if (named) return rowIdOf(named.table, named.key);
    for (const [kind, rows] of this.loaded)
      if ('insert' in change && change.insert === kind.table) return rows.idOf(change.values);
    return null;
  }
}
