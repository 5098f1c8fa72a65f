// Checks folders against .dependency-cruiser.cjs and prints the findings as JSON. Argument: the folders as JSON.
import { createRequire } from 'node:module';
import { cruise } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';

const { forbidden, options } = createRequire(import.meta.url)('../../.dependency-cruiser.cjs');
const folders = JSON.parse(process.argv[2]);
// The planted violations lie in an excluded folder; asking for it by name shows them.
const asked = (excluded) => folders.some((folder) => new RegExp(excluded).test(`${folder}/`));
const exclude = { path: options.exclude.path.filter((excluded) => !asked(excluded)) };

const { output } = await cruise(
  folders,
  { ...options, exclude, ruleSet: { forbidden }, validate: true },
  options.enhancedResolveOptions,
  { tsConfig: extractTSConfig(options.tsConfig.fileName) },
);
console.log(
  JSON.stringify(
    output.summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, message: `${from} → ${to}` })),
  ),
);
