import type { CompiledGroup, CompiledLeaf } from './compile-group';

/** Every rule that logic names, those below others after them. */
export const leavesIn = function* (group: CompiledGroup): Generator<CompiledLeaf> {
  for (const leaf of group.leaves) {
    yield leaf;
    if (leaf.group) yield* leavesIn(leaf.group);
  }
};

/** Whether any rule looks at what the incentive did. */
export const needsResultIn = (root: CompiledGroup): boolean =>
  [...leavesIn(root)].some(({ entry }) => entry.needsResult);

/** The names of rules whose values are counted over time. */
export const countersIn = (root: CompiledGroup): string[] => [
  ...new Set([...leavesIn(root)].filter(({ entry }) => entry.isCounted).map(({ entry }) => entry.name)),
];

/** Whether a mode leaves out the rule, or one below it. */
const omits = ({ modes, group }: CompiledLeaf, mode: number): boolean =>
  (modes & mode) === 0 || (group?.leaves.some((leaf) => omits(leaf, mode)) ?? false);

/** The top-level keys of rules that a mode leaves out. */
export const omittedKeysIn = (root: CompiledGroup, mode: number): string[] =>
  root.leaves.filter((leaf) => omits(leaf, mode)).map(({ key }) => key);
