/** What runs statements: a DataSource, for example. */
interface Runs {
  query(text: string, values: unknown[]): Promise<unknown>;
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}

/** How a statement read a table: indexes by their names, other scans by their kind; and how many rows it read, those that it
 *  dropped included. */
export interface TouchedRows {
  scans: string[];
  rows: number;
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** Runs a statement and tells how it read `table`. */
export const touchedRows = async (
  database: Runs,
  { text, values }: { text: string; values: unknown[] },
  table: string,
): Promise<TouchedRows> => {
  const [row] = (await database.query(`EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`, values)) as {
    'QUERY PLAN': { Plan: PlanNode }[];
  }[];
  const nodes = nodesOf(row!['QUERY PLAN'][0]!.Plan).filter(
    (node) => node['Relation Name'] === table || (node['Index Name'] ?? '').startsWith(`${table}_`),
  );
  const ran = nodes.filter((node) => node['Actual Loops'] > 0);
  const counted = ran.map(
    (node) =>
      (node['Actual Rows'] +
        (node['Rows Removed by Filter'] ?? 0) +
        (node['Rows Removed by Index Recheck'] ?? 0)) *
      node['Actual Loops'],
  );
  return {
    scans: ran
      .map((node) => node['Index Name'] ?? node['Node Type'])
      .filter((scan) => scan !== 'Bitmap Heap Scan'),
    rows: Math.max(0, ...counted),
  };
};
