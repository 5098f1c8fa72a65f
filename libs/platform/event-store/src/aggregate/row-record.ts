import type { AggregateDefinition } from './aggregate';
import type { EventData } from './event';
import { quoted } from '../database/parameters';

type Definition<State, Event extends EventData> = AggregateDefinition<State, Event>;

/** The key columns of an aggregate in a record type of SQL: `, c0 text, c1 timestamptz`. */
export const recordColumns = <State, Event extends EventData>({
  columns,
}: Definition<State, Event>): string =>
  `, snapshot bigint${Object.values(columns)
    .map(({ type }, index) => `, c${index} ${type}`)
    .join('')}`;

/** What a state row is set to from a record `x`: column and value. */
export const recordAssignments = <State, Event extends EventData>({
  columns,
  snapshotEvents,
}: Definition<State, Event>): [column: string, value: string][] => [
  ['state', 'x.state'],
  ...(snapshotEvents ? snapshotAssignments('x.snapshot') : []),
  ...Object.keys(columns).map((column, index): [string, string] => [quoted(column), `x.c${index}`]),
];

/** `snapshotColumns` of a row, for the version of the event it names. */
export const snapshotAssignments = (version: string): [column: string, value: string][] => [
  ['snapshot_version', version],
  ['snapshot_at', `CASE WHEN ${version} IS NOT NULL THEN now() END`],
];

/** What the column `state` gets: nothing where the row names the event that holds it. */
export const storedState = <State, Event extends EventData>(
  { toRow }: Definition<State, Event>,
  state: State,
  snapshot: number | null,
): unknown => {
  if (snapshot !== null) return null;
  return toRow ? toRow(state) : state;
};

/** A state row as one JSON record for `jsonb_to_recordset`: what `head` says, `state` as the row stores it or the event that
 *  holds it, and the key columns as `c0`, `c1`, …. */
export const encodeRow = <State, Event extends EventData>(
  definition: Definition<State, Event>,
  head: Record<string, string | number>,
  { state, snapshot }: { state: State; snapshot: number | null },
): string => {
  const record: Record<string, unknown> = { ...head, state: storedState(definition, state, snapshot) };
  if (snapshot !== null) record['snapshot'] = snapshot;
  for (const [index, { of }] of Object.values(definition.columns).entries()) {
    const value = of(state) ?? null;
    record[`c${index}`] = typeof value === 'bigint' ? value.toString() : value;
  }
  return JSON.stringify(record);
};
