import { IsOptional } from 'class-validator';
import { readInput } from './input.pipe';
import { IsImageUrl } from './is-image-url';

class PictureBody {
  @IsOptional() @IsImageUrl() image_url?: string | null;
}

const read = (image_url: unknown) => readInput(PictureBody, { image_url }, 'body').image_url;

it.each([
  'https://shop.example.com/shirt.png',
  'https://shop.example.com/a/b.JPG?w=200#top',
  'HTTPS://shop.example.com/shirt.jpeg',
  null,
])('%s is the URL of a picture', (url) => {
  expect(read(url)).toBe(url);
});

it.each([
  ['http://shop.example.com/shirt.png'],
  ['https://shop.example.com/shirt.gif'],
  ['https://shop.example.com/shirt?file=a.png'],
  ['https://shop.example.com/shirt#a.png'],
  ['https://shop.png'],
  ['https://[/shirt.png'],
  ['shirt.png'],
  [''],
])('"%s" is none', (url) => {
  expect(() => read(url)).toThrow('must be an HTTPS URL whose path ends in .png, .jpg or .jpeg');
});

it('is a text of 2048 characters at most', () => {
  expect(() => read(5)).toThrow('must be string');
  const longest = `https://a.example/${'a'.repeat(2_026)}.png`;
  expect(read(longest)).toHaveLength(2_048);
  expect(() => read(`${longest}a.png`)).toThrow('should NOT be longer than 2048 characters');
});
