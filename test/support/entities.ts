/** The characters that HTML of the service writes as entities. */

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** The text of some HTML without elements. */
export const decodeEntities = (html: string): string =>
  html.replaceAll(/&([^;]+);/g, (entity, name: string) => ENTITIES[name] ?? entity);
