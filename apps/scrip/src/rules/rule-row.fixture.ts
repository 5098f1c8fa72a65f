export type Verdict = 'HOLDS' | 'FAILS';

/** A rule by itself, or below a rule about lines. */
export interface RuleLeaf {
  readonly name: string;
  readonly property?: string;
  readonly conditions: object;
  /** What becomes of it with the request that is made for the table, and with the other one. Absent: it holds, and fails. */
  readonly verdicts?: readonly [met: Verdict, unmet: Verdict];
}

/** One row of a table: a rule, and those below it. */
export interface RuleRow extends RuleLeaf {
  readonly below?: readonly RuleLeaf[];
}

/** A leaf with the place that an explanation gives it. */
export interface PlacedLeaf {
  readonly title: string;
  readonly path: string;
  readonly verdicts: readonly [met: Verdict, unmet: Verdict];
}

/** What holds, or fails, with any request. */
export const always = { verdicts: ['HOLDS', 'HOLDS'] } as const;
export const never = { verdicts: ['FAILS', 'FAILS'] } as const;

const titleOf = ({ name, property, conditions }: RuleLeaf): string =>
  `${name}${property === undefined ? '' : ` ${property}`} ${JSON.stringify(conditions)}`;

/** The leaves of a table whose rows are the rules of one object, each under its number. */
export const leavesOf = (rows: readonly RuleRow[]): PlacedLeaf[] =>
  rows.flatMap((row, index) =>
    [row, ...(row.below ?? [])].map((leaf, place) => ({
      title: place === 0 ? titleOf(leaf) : `${titleOf(leaf)} below ${row.name}`,
      path: place === 0 ? `${index + 1}` : `${index + 1}.rules.${place}`,
      verdicts: leaf.verdicts ?? (['HOLDS', 'FAILS'] as const),
    })),
  );

const definitionOf = ({ name, property, conditions }: RuleLeaf, rules: object): object => ({
  ...{ name, conditions, rules },
  ...(property === undefined ? {} : { property }),
});

const numbered = (definitions: readonly object[], junction: 'and' | 'or'): object => {
  const entries = definitions.map((definition, index) => [`${index + 1}`, definition] as const);
  return { ...Object.fromEntries(entries), logic: entries.map(([key]) => key).join(` ${junction} `) };
};

/** The `rules` of an object that holds where any of the rows does. */
export const rulesOf = (rows: readonly RuleRow[]): object =>
  numbered(
    rows.map((row) =>
      definitionOf(
        row,
        row.below
          ? numbered(
              row.below.map((leaf) => definitionOf(leaf, {})),
              'and',
            )
          : {},
      ),
    ),
    'or',
  );
