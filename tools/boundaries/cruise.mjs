// Checks folders against a configuration and prints the findings as JSON.
// Argument: { configuration: './<file>.cjs', folders: [...] } as JSON.
import { createRequire } from 'node:module';
import { cruise } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';

const { configuration, folders } = JSON.parse(process.argv[2]);
const { forbidden, options } = createRequire(import.meta.url)(configuration);
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
