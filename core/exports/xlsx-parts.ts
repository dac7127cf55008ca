/**
 * The fixed parts of a workbook: styles, properties, the list of sheets, and the start and end of a sheet. Written by
 * hand because exceljs cannot write `quotePrefix` (text that stays text when it is edited), needs the number of sheets
 * before the rows, and takes 160 ms to load. The tests read the files with exceljs.
 */
import { STYLE, xmlText } from './xlsx-cells.ts';

/** The main content of a column; determines its default width and number format. */
type ColumnKind = 'text' | 'longText' | 'number' | 'date' | 'datetime';

/** A column: its title (need not be unique), its kind, and its width in characters in place of the default. */
export type Column = { title: string; kind?: ColumnKind; width?: number };

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** The paths of the parts in the package; sheets are numbered from 1. */
export const PATHS = {
  contentTypes: '[Content_Types].xml',
  relations: '_rels/.rels',
  properties: 'docProps/core.xml',
  styles: 'xl/styles.xml',
  workbook: 'xl/workbook.xml',
  workbookRelations: 'xl/_rels/workbook.xml.rels',
  sheet: (index: number) => `xl/worksheets/sheet${index}.xml`,
  sheetRelations: (index: number) => `xl/worksheets/_rels/sheet${index}.xml.rels`,
} as const;

/** Renders the relations of the package: the workbook and its properties. */
export const relationsXml = (): string =>
  `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships">` +
  `<Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/>` +
  `<Relationship Id="rId2" Type="${PACKAGE}/relationships/metadata/core-properties" Target="docProps/core.xml"/>` +
  '</Relationships>';

/** Renders the document's title and creation time. */
export const propertiesXml = (title: string, createdAt: Date): string =>
  `${DECLARATION}<cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties" ` +
  'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" ' +
  'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">' +
  `<dc:title>${xmlText(title)}</dc:title>` +
  `<dcterms:created xsi:type="dcterms:W3CDTF">${createdAt.toISOString()}</dcterms:created></cp:coreProperties>`;

/** Renders the cell formats in the order of `STYLE`. */
export const stylesXml = (): string =>
  `${DECLARATION}<styleSheet xmlns="${MAIN}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/>` +
  '<numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss\\ &quot;UTC&quot;"/></numFmts>' +
  '<fonts count="3"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font>' +
  '<font><b/><sz val="11"/><name val="Calibri"/><family val="2"/></font>' +
  '<font><u/><sz val="11"/><color rgb="FF0563C1"/><name val="Calibri"/><family val="2"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  `<cellXfs count="9">${format(0, 0)}${format(0, 1)}${format(164, 0)}${format(165, 0)}` +
  `${format(0, 0, QUOTED)}${format(0, 1, QUOTED)}` +
  `${format(0, 0, ' applyAlignment="1"', WRAPPED)}${format(0, 0, `${QUOTED} applyAlignment="1"`, WRAPPED)}${format(0, 2)}</cellXfs>` +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>';

const QUOTED = ' quotePrefix="1"';
const WRAPPED = '<alignment wrapText="1"/>';

const format = (numberFormat: number, font: number, more = '', content = ''): string =>
  `<xf numFmtId="${numberFormat}" fontId="${font}" fillId="0" borderId="0" xfId="0"${more}` +
  `${numberFormat === 0 ? '' : ' applyNumberFormat="1"'}${font === 0 ? '' : ' applyFont="1"'}${content === '' ? '/>' : `>${content}</xf>`}`;

/** Renders the list of sheets, in order. */
export const workbookXml = (sheetNames: readonly string[]): string =>
  `${DECLARATION}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><bookViews><workbookView activeTab="0"/></bookViews><sheets>` +
  sheetNames.map((name, i) => `<sheet name="${xmlText(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`).join('') +
  '</sheets></workbook>';

/** Renders the relations of the workbook: its sheets, then its styles. */
export const workbookRelationsXml = (sheetCount: number): string =>
  `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships">` +
  upTo(sheetCount, (i) => `<Relationship Id="rId${i}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${i}.xml"/>`) +
  `<Relationship Id="rId${sheetCount + 1}" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`;

/** Renders the content types of all parts. */
export const contentTypesXml = (sheetCount: number): string => {
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  return (
    `${DECLARATION}<Types xmlns="${PACKAGE}/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Default Extension="xml" ContentType="application/xml"/>' +
    `<Override PartName="/${PATHS.workbook}" ContentType="${type}.sheet.main+xml"/>` +
    upTo(sheetCount, (i) => `<Override PartName="/${PATHS.sheet(i)}" ContentType="${type}.worksheet+xml"/>`) +
    `<Override PartName="/${PATHS.styles}" ContentType="${type}.styles+xml"/>` +
    `<Override PartName="/${PATHS.properties}" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/>` +
    '</Types>'
  );
};

const upTo = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, i) => text(i + 1)).join('');

/** Renders the XML before the rows of a sheet: the frozen first row, the selection, and the columns. */
export const sheetStart = (columns: readonly Column[], selected: boolean): string =>
  `${DECLARATION}<worksheet xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheetViews><sheetView${selected ? ' tabSelected="1"' : ''} workbookViewId="0">` +
  '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/><selection pane="bottomLeft"/>' +
  `</sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/>${columnsXml(columns)}<sheetData>`;

/** A cell that leads to a web address. */
export type SheetLink = { reference: string; address: string };

/** Renders the XML after the rows of a sheet: a filter of these cells, header included, and the cells that are links. */
export const sheetEnd = (cells: string | undefined, links: readonly SheetLink[]): string =>
  `</sheetData>${cells === undefined ? '' : `<autoFilter ref="${cells}"/>`}${
    links.length === 0
      ? ''
      : `<hyperlinks>${links.map(({ reference }, i) => `<hyperlink ref="${reference}" r:id="rId${i + 1}"/>`).join('')}</hyperlinks>`
  }</worksheet>`;

/** Renders the relations of a sheet: where its links lead. */
export const sheetRelationsXml = (links: readonly SheetLink[]): string =>
  `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships">${links
    .map(
      ({ address }, i) =>
        `<Relationship Id="rId${i + 1}" Type="${OFFICE}/hyperlink" Target="${xmlText(address)}" TargetMode="External"/>`,
    )
    .join('')}</Relationships>`;

const columnsXml = (columns: readonly Column[]): string => {
  if (columns.length === 0) return '';
  const column = (one: Column, i: number) =>
    `<col min="${i + 1}" max="${i + 1}" width="${width(one)}" style="${COLUMN_STYLE[one.kind ?? 'text']}" customWidth="1"/>`;
  return `<cols>${columns.map(column).join('')}</cols>`;
};

const COLUMN_STYLE: Record<ColumnKind, number> = {
  text: STYLE.plain,
  longText: STYLE.wrapped,
  number: STYLE.plain,
  date: STYLE.date,
  datetime: STYLE.datetime,
};
const LEAST_WIDTH: Record<ColumnKind, number> = { text: 16, longText: 60, number: 10, date: 12, datetime: 24 };
const MOST_WIDTH = 40;
const WIDEST_COLUMN = 255;

/** The width in characters: as given, otherwise fitted to the title; East Asian characters count twice. */
function width(column: Column): number {
  if (column.width !== undefined) return Math.min(WIDEST_COLUMN, Math.max(1, column.width));
  const wide = column.title.replace(/[^\u1100-\uffff]/g, '').length;
  const fitting = Math.min(MOST_WIDTH, column.title.length + wide + 2);
  return Math.max(LEAST_WIDTH[column.kind ?? 'text'], fitting);
}
