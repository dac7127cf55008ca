/** The languages of texts that the service writes: pages and mails. */

export const LANGUAGES = ['en', 'zh-TW'] as const;
export type Language = (typeof LANGUAGES)[number];

/**
 * The best match of an `Accept-Language` header; undefined when it names neither English nor Chinese. Every Chinese is
 * Traditional Chinese, the only one there is.
 */
export function acceptedLanguage(header: string): Language | undefined {
  const ranges = header.split(',').map((range) => {
    const [tag = '', ...parameters] = range.trim().toLowerCase().split(';');
    const quality = parameters.map((each) => /^\s*q=([\d.]+)/.exec(each)?.[1]).find((each) => each !== undefined);
    return { tag: tag.trim(), quality: quality === undefined ? 1 : Number(quality) };
  });
  const known = ranges.filter(({ tag, quality }) => quality > 0 && /^(?:en|zh)(?:-|$)/.test(tag));
  const [best] = known.toSorted((a, b) => b.quality - a.quality);
  return best && (best.tag.startsWith('zh') ? 'zh-TW' : 'en');
}
