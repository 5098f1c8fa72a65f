// npm run new:feature -- <library folder> <feature>: makes the skeleton of a feature folder, with its first failing spec.
// Example: npm run new:feature -- libs/campaigns publication
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

const [library = '', feature = ''] = process.argv.slice(2);
const folder = resolve(library, 'src', feature);

const fail = (message) => {
  process.stderr.write(`${message}\nusage: npm run new:feature -- libs/campaigns publication\n`);
  process.exit(1);
};

if (!existsSync(resolve(library, 'package.json'))) fail(`${library || '(nothing)'} is not a library`);
if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(feature)) fail(`"${feature}" is not a kebab-case name`);
if (existsSync(folder)) fail(`${folder} exists already`);

const name = feature.replace(/(^|-)([a-z0-9])/g, (_match, _dash, letter) => letter.toUpperCase());
const value = name[0].toLowerCase() + name.slice(1);
const context = basename(library);

const files = {
  events: `/** Stream \`${feature}\` (service ${context}). Events are shared with others: move this union to \`@scrip/contracts\`. */
export type ${name}Event = ${name}Created;

export interface ${name}Created {
  type: '${name}Created';
  data: { id: string; created_at: string };
}
`,
  commands: `/** What a caller may ask of a ${feature}. */
export interface Create${name} {
  type: 'Create${name}';
  id: string;
  /** When the command is decided, ISO. */
  now: string;
}
`,
  decider: `import { type Refusal, refuse } from '@scrip/kernel';
import type { Create${name} } from './${feature}.commands';
import type { ${name}Event } from './${feature}.events';

/** What the stream's events fold to. */
export interface ${name} {
  id: string;
  created_at: string;
}

/** Refuses \`duplicate_found\`. */
export const create${name} =
  (command: Create${name}) =>
  (${value}: ${name} | undefined): ${name}Event[] | Refusal => {
    if (${value}) return refuse('duplicate_found', \`Duplicated ${feature} exists with id \${${value}.id}\`);
    return [{ type: '${name}Created', data: { id: command.id, created_at: command.now } }];
  };

/** Total: never throws, never decides. */
export const evolve${name} = (_${value}: ${name} | undefined, event: ${name}Event): ${name} => event.data;
`,
  'decider.unit.spec': `import { create${name}, evolve${name} } from './${feature}.decider';

const now = '2026-03-31T00:00:00.000Z';

describe('a ${feature}', () => {
  it('is created once', () => {
    const decide = create${name}({ type: 'Create${name}', id: '${feature}_1', now });
    const created = { type: '${name}Created' as const, data: { id: '${feature}_1', created_at: now } };
    expect(decide(undefined)).toEqual([created]);
    expect(decide(evolve${name}(undefined, created))).toMatchObject({ refused: 'duplicate_found' });
  });

  it('follows the first rule of its chapter', () => {
    expect('the rule').toBe('written here, then decided in ${feature}.decider.ts');
  });
});
`,
};

mkdirSync(folder, { recursive: true });
for (const [suffix, text] of Object.entries(files))
  writeFileSync(join(folder, `${feature}.${suffix}.ts`), text);

process.stdout.write(`${folder}
  ${Object.keys(files)
    .map((suffix) => `${feature}.${suffix}.ts`)
    .join('\n  ')}

Next: write the rule that fails, then ${feature}.handlers.ts, ${feature}.http.ts and a row in the edge's route table.
`);
