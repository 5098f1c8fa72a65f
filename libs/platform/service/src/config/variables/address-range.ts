import { isIP } from 'node:net';

/** An address with the number of its fixed bits. */
export const isAddressRange = (text: string): boolean => {
  const [address = '', bits = '', ...rest] = text.split('/');
  const version = isIP(address);
  return (
    rest.length === 0 && version !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)
  );
};

// A range of all addresses is refused: every caller could then choose its own address.
export const isProxy = (text: string): boolean =>
  !text.includes('%') && (isIP(text) !== 0 || (isAddressRange(text) && !/\/0+$/.test(text)));
