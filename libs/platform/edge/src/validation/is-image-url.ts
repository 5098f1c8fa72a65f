import { rule } from './rules';

const longest = 2_048;
const form = /^https:\/\/[^?#]+\.(?:png|jpe?g)(?:[?#].*)?$/i;

const isImageUrl = (value: string): boolean => {
  if (!form.test(value) || !URL.canParse(value)) return false;
  const { protocol, pathname } = new URL(value);
  return protocol === 'https:' && /\.(?:png|jpe?g)$/i.test(pathname);
};

/** An HTTPS URL of a picture: its path ends in .png, .jpg or .jpeg. Source: reference 07 §6. */
export const IsImageUrl = (): PropertyDecorator =>
  rule({
    name: 'isImageUrl',
    problem: (value) => {
      if (typeof value !== 'string') return 'must be string';
      if (value.length > longest) return `should NOT be longer than ${longest} characters`;
      return isImageUrl(value) ? null : 'must be an HTTPS URL whose path ends in .png, .jpg or .jpeg';
    },
    schema: {
      type: 'string',
      maxLength: longest,
      pattern: '^[hH][tT][tT][pP][sS]://.+',
      description: 'An HTTPS URL whose path ends in .png, .jpg or .jpeg.',
      examples: ['https://shop.example.com/shirt.png'],
    },
  });
