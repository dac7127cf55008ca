/** Bytes of files that tests write by hand. */

/** Joins parts: a string is its Latin-1 bytes, a number that many zeros. */
export const bytesOf = (
  ...parts: readonly (string | readonly number[] | Uint8Array | number)[]
): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(
    parts.flatMap((part) => {
      if (typeof part === 'number') return Array.from({ length: part }, () => 0);
      return typeof part === 'string' ? [...Buffer.from(part, 'latin1')] : [...part];
    }),
  );

/** A number in some bytes, the lowest first. */
export const little = (value: number, bytes = 4): number[] =>
  Array.from({ length: bytes }, (_, index) => Math.floor(value / 256 ** index) % 256);

/** A number in some bytes, the highest first. */
export const big = (value: number, bytes = 4): number[] => little(value, bytes).reverse();
