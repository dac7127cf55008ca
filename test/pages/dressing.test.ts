/** The colour of a form stays readable, whatever was chosen, and only names of our own list reach the style sheet. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contrastRatio, ensureContrast } from '#core/forms/colors.ts';
import { renderDressing } from '#core/pages/shell/dressing.ts';

const byte = fc.integer({ min: 0, max: 255 });
type Rgb = Parameters<typeof ensureContrast>[0];

test('a colour has a contrast of 4.5 to the background after it was corrected, and stays as it is if it had', () => {
  const backgrounds: Rgb[] = [
    [247, 246, 243],
    [29, 33, 38],
  ];
  fc.assert(
    fc.property(fc.tuple(byte, byte, byte), fc.constantFrom(...backgrounds), (color, background) => {
      const corrected = ensureContrast(color, background);
      expect(contrastRatio(corrected, background)).toBeGreaterThanOrEqual(4.5);
      if (contrastRatio(color, background) >= 4.5) expect(corrected).toEqual(color);
    }),
  );
});

test('white and black have the contrast of WCAG', () => {
  expect(contrastRatio([255, 255, 255], [0, 0, 0])).toBeCloseTo(21, 5);
});

test('a dressing becomes one style element with a nonce; unknown fonts and no dressing become nothing', () => {
  const style = renderDressing({ color: '#f00', headerFont: 'lora', textFont: 'noto-sans-tc' }, 'abc').toString();
  expect(style).toContain('<style nonce="abc">');
  expect(style).toContain('--font-header:"Lora",var(--serif)');
  expect(style).toMatch(/url\(\/assets\/lora-400\.\w+\.woff2\)/);
  expect(style).toContain('--font-text:"Noto Sans TC",var(--sans)');
  expect(renderDressing({}, 'abc').toString()).toBe('');
  expect(renderDressing({ textFont: '"};*{}' }, 'abc').toString()).toBe('');
});
