import { sentKinds, webhookKinds } from '@scrip/webhooks';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../types/source-program';

const page = readFileSync(join(repositoryRoot, 'docs/webhooks.md'), 'utf8');

describe('docs/webhooks.md', () => {
  it('lists the kinds that are sent with what they mean', () => {
    const rows = [...page.matchAll(/^\| `([a-z_.]+)`\s*\| ([^|]+?)\s*\|/gm)].map(([, kind, meaning]) => ({
      kind,
      meaning,
    }));
    expect(rows).toEqual(sentKinds.map(({ kind, meaning }) => ({ kind, meaning })));
  });

  it.each(['webhook-receiver.mjs', 'webhook_receiver.py'])(
    'shows the receiver that a test runs: %s',
    (file) => {
      const source = readFileSync(join(repositoryRoot, 'docs/examples', file), 'utf8');
      expect(page).toContain(source);
    },
  );

  it('says how many kinds there are', () => {
    expect(page).toContain(`${webhookKinds.length} kinds`);
  });
});
