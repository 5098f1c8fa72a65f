import { type Pages, problemsOf } from './repository';
import { anchorsOf, sectionsOf } from './sections';

const chapter = ['# 04', '## 4. Campaigns', '### 4.6 Add', '1. one', '2. two', '## 15. Decisions'].join('\n');

const pages: Pages = {
  sections: new Map([
    ['04', sectionsOf(chapter)],
    ['architecture', sectionsOf('## 8. Redeeming\n\n1. _Evaluate._\n2. _Claim._\n')],
  ]),
  decisions: new Set([3]),
  exists: (path) => ['docs/page.md', 'libs/domain'].includes(path),
  text: () => '# Page\n\n## What it does, and why',
};

const inCode = (text: string) => problemsOf('libs/x.ts', text, pages);
const inPage = (text: string) => problemsOf('docs/other.md', text, pages);

describe('citations', () => {
  it.each([
    'Source: reference 04 §4.6.',
    'Source: reference 04 §4, §15.',
    'Source: reference 04 §4–§15, architecture §8 step 2.',
    'Source: reference 04 §4.6 step 2.',
    'Source: reference\n *  04 §4.6.',
    'Source: RFC 9110 §7.6.1.',
    'Source: docs/page.md#what-it-does-and-why.',
    'as ADR 3 says',
    'Source: ADR 3.',
  ])('%j resolves', (text) => {
    expect(inCode(`/** ${text} */`)).toEqual([]);
  });

  it.each([
    ['Source: reference 04 §4.7.', 'reference 04 §4.7: no such section'],
    ['reference 04 §4, §16', 'reference 04 §16: no such section'],
    ['architecture §8.2', 'architecture §8.2: no such section'],
    ['Architecture §9', 'architecture §9: no such section'],
    ['architecture §8 step 3', 'architecture §8 step 3: no such item in the section'],
    ['reference 04\n// §16', 'reference 04 §16: no such section'],
    ['reference 01 §1', 'reference 01 §1: no such section'],
    ['Spec 04 §4', 'Spec 04 §4: cite it as "reference 0N §x"'],
    ['Source: the founder.', 'Source: the founder.: not a section, page or standard'],
    ['docs/page.md#nothing', 'docs/page.md#nothing: no such heading'],
    ['docs/nothing.md', 'docs/nothing.md: no such file or folder'],
    ['ADR 4', 'ADR 4: no such decision'],
  ])('%j: %s', (text, problem) => {
    expect(inCode(`/** ${text} */`)).toContain(problem);
  });

  it.each([
    '`libs/domain/`',
    '`libs/<context>/src`',
    '[page](page.md#what-it-does-and-why)',
    'docs/nothing.md',
  ])('a page may say %s', (text) => {
    expect(inPage(text)).toEqual([]);
  });

  it.each([
    ['`libs/nothing`', 'libs/nothing: no such file or folder'],
    ['[page](nothing.md)', 'nothing.md: no such file or folder'],
    ['[page](page.md#nothing)', 'page.md#nothing: no such heading'],
    ['04 §4.7', 'reference 04 §4.7: no such section'],
  ])('a page may not say %s: %s', (text, problem) => {
    expect(inPage(text)).toEqual([problem]);
  });
});

describe('sections of a page', () => {
  it('have the items of their lists, up to the next numbered heading', () => {
    const sections = sectionsOf('## 1 One\n1. a\n### Sub\n2. b\n## 2. Two\n1. c');
    expect([...sections].map(([number, steps]) => [number, [...steps]])).toEqual([
      ['1', [1, 2]],
      ['2', [1]],
    ]);
  });

  it('have anchors without punctuation', () => {
    expect([...anchorsOf('# A `b`, c\n\n## Ü–d')]).toEqual(['a-b-c', 'üd']);
  });
});
