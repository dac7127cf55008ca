/** The ways through a form as a drawing, and the same as a list. The layout is made by dagre, loaded at its first use. */
import { readOutline } from '#core/structure/gates.ts';
import { sectionsInOrder } from '#core/structure/path.ts';
import { buildRuleGraph, type GraphLink, type RuleGraph } from '#core/structure/rule-graph.ts';
import { findNode, type Structure, sectionTitle } from '#core/structure/structure.ts';
import type { WorkflowNode } from '#core/structure/workflow-model.ts';
import type { PageContext } from '../shell/context.ts';
import { selectField } from '../shell/controls.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import { getQuestionsTexts } from '../text/questions.ts';
import { buildHref } from './frame.ts';
import { conditionName, describeGate, describeGateOf, nameAnswers, nameGate } from './rule-words.ts';
import { rulesHref } from './rules.ts';

const WIDTH = 168;
const HEIGHT = 44;
const GAP = 24;
/** The room for the answers of a link. */
const ANSWERS = { width: 132, height: 18, labelpos: 'c' };
/** The most characters of a title in a node; wide ones, as of Chinese, count as two. */
const MAX_TITLE_WIDTH = 20;
/** Of the smaller text below it, which says when a section is shown. */
const MAX_GATE_WIDTH = 24;

type Point = { x: number; y: number };
/** Where the nodes of a graph are drawn and how its links run, both in the order of the graph; in pixels. */
type Layout = {
  width: number;
  height: number;
  places: readonly Point[];
  lines: readonly (readonly Point[])[];
  /** Where the answers of a link are written. */
  answers: readonly Point[];
};

/**
 * The layouts of the graphs drawn last, by shape: nodes are of one size, so titles and ids change none. One of 32 nodes with
 * 131 links takes a tenth of a second to compute.
 */
const layouts = new Map<string, Layout>();
const MAX_LAYOUTS = 50;

/** Returns where the nodes of a graph are drawn: as computed for a graph of the same shape, or else computes it. */
async function layOut({ nodes, links }: Pick<RuleGraph, 'nodes' | 'links'>): Promise<Layout> {
  const positions = new Map(nodes.map(({ id }, index) => [id, String(index)]));
  const joined = links.map(({ from, to, rules }) => ({
    from: positions.get(from) ?? '',
    to: positions.get(to) ?? '',
    hasAnswers: rules.length > 0,
  }));
  const shape = [
    nodes.length,
    ...joined.map(({ from, to, hasAnswers }) => `${from}${hasAnswers ? '=' : '-'}${to}`),
  ].join(' ');
  const layout = layouts.get(shape) ?? (await computeLayout(nodes.length, joined));
  // Those that were not used for the longest time go first.
  layouts.delete(shape);
  layouts.set(shape, layout);
  for (const [oldest] of layouts) if (layouts.size > MAX_LAYOUTS) layouts.delete(oldest);
  return layout;
}

type Joined = { from: string; to: string; hasAnswers: boolean };

async function computeLayout(count: number, links: readonly Joined[]): Promise<Layout> {
  const { Graph, layout } = await import('@dagrejs/dagre');
  const graph = new Graph();
  graph.setGraph({ rankdir: 'TB', nodesep: GAP, ranksep: 2 * GAP, marginx: 8, marginy: 8 });
  graph.setDefaultEdgeLabel(() => ({}));
  const names = Array.from({ length: count }, (_, index) => String(index));
  for (const name of names) graph.setNode(name, { width: WIDTH, height: HEIGHT });
  for (const { from, to, hasAnswers } of links) graph.setEdge(from, to, hasAnswers ? { ...ANSWERS } : {});
  layout(graph);
  const { width = 0, height = 0 } = graph.graph();
  return {
    width: Math.ceil(width),
    height: Math.ceil(height),
    places: names.map((name) => {
      const { x = 0, y = 0 } = graph.node(name);
      return { x, y };
    }),
    lines: links.map(({ from, to }) => graph.edge(from, to).points ?? []),
    answers: links.map(({ from, to }) => {
      const { x = 0, y = 0 } = graph.edge(from, to);
      return { x, y };
    }),
  };
}

/** Renders the ways through a form; of a large one the part around a node. Nothing for a form without sections. */
export async function drawRules(
  context: PageContext,
  structure: Structure,
  around: string | undefined,
): Promise<Html | undefined> {
  if (structure.sections.length === 0) return undefined;
  const { rules: texts } = getQuestionsTexts(context);
  const graph = buildRuleGraph(structure, around);
  const { gates } = readOutline(structure);
  const { width, height, places, lines, answers } = await layOut(graph);
  const place = (node: WorkflowNode): string | undefined => {
    const anchor = { SECTION: `#s-${node.id}`, CONDITION: `#c-${node.id}`, START: undefined, END: undefined }[
      node.type
    ];
    return anchor && (graph.isPart ? `${rulesHref(structure.formId)}?around=${node.id}${anchor}` : anchor);
  };
  /** A press opens a section in the editor; of a large form, the part around it is drawn. */
  const open = (node: WorkflowNode): string | undefined =>
    node.type === 'SECTION' && !graph.isPart ? `${buildHref(structure.formId)}?s=${node.id}#s-${node.id}` : place(node);
  const gateOf = ({ id }: WorkflowNode): Label['gate'] => {
    const gate = gates.get(id);
    return gate && { short: nameGate(context, structure, gate), sentence: describeGate(context, structure, gate) };
  };
  // Readers of the list and the keyboard have its links; those of the drawing are for pointers.
  return html`<div class="card section-heading"><h2>${texts.drawing}</h2>
<p class="muted small">${texts.drawingHint}${graph.isPart && html` ${texts.drawingPart}`}</p>
${graph.isPart && chooseSection(context, structure, around)}
<label class="actual-size small"><input type="checkbox"> ${texts.actualSize}</label>
<div class="drawing" role="region" aria-label="${texts.drawing}" tabindex="0"><svg width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" aria-hidden="true" focusable="false">
<defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse"><path class="head" d="M0 0 8 4 0 8z"/></marker></defs>
${graph.links.map(({ isOtherwise }, index) => html`<path class="${isOtherwise ? 'link otherwise' : 'link'}" d="${toPath(lines[index] ?? [])}" marker-end="url(#arrow)"/>`)}
${graph.links.map((link, index) => link.rules.length > 0 && renderAnswers(nameAnswers(context, structure, link.rules), answers[index]))}
${graph.nodes.map((node, index) => renderNode(node, places[index], { name: nameNode(context, structure, node), href: open(node), gate: gateOf(node) }))}
</svg></div>
<details><summary>${texts.asList}</summary><ul>${graph.nodes
    .filter(({ type }) => type !== 'END')
    .map((node) =>
      listItem(context, structure, { node, href: place(node), links: graph.links }),
    )}</ul></details></div>`;
}

/** Asks for the section around which a large form is drawn. */
function chooseSection(context: PageContext, structure: Structure, around = ''): Html {
  const { rules: texts, list } = getQuestionsTexts(context);
  const options = sectionsInOrder(structure).map(({ id }) => ({
    value: id,
    label: sectionTitle(structure, id) || list.untitled,
  }));
  return html`<form method="get" action="${rulesHref(structure.formId)}" class="with-button">
${selectField(context, { name: 'around', label: texts.around, value: around, options })}
<button class="secondary">${texts.drawPart}</button></form>`;
}

function nameNode(context: PageContext, structure: Structure, { id, type, label }: WorkflowNode): string {
  const { rules: texts, list } = getQuestionsTexts(context);
  switch (type) {
    case 'START':
      return texts.start;
    case 'END':
      return texts.endName;
    case 'CONDITION':
      return conditionName(context, structure, id, true);
    case 'SECTION':
      return label || list.untitled;
  }
}

/** `gate`: when a section is shown that is not always, as short as its node, and in a sentence. */
type Label = { name: string; href: string | undefined; gate: { short: string; sentence: string } | undefined };

function renderNode({ type }: WorkflowNode, { x, y }: Point = { x: 0, y: 0 }, { name, href, gate }: Label): Html {
  const line = (text: string, shift: number, kind?: string): Html =>
    html`<text${attribute('class', kind)} x="${round(x)}" y="${round(y + shift)}">${text}</text>`;
  const lines = gate
    ? html`${line(shorten(name), -9)}${line(shorten(gate.short, MAX_GATE_WIDTH), 10, 'gate')}`
    : line(shorten(name), 0);
  const box = html`<title>${name}${gate && html` – ${gate.sentence}`}</title><rect x="${round(x - WIDTH / 2)}" y="${round(y - HEIGHT / 2)}" width="${WIDTH}" height="${HEIGHT}" rx="8"/>${lines}`;
  const kind = `${type.toLowerCase()}${gate ? ' gated' : ''}`;
  return href === undefined
    ? html`<g class="node ${kind}">${box}</g>`
    : html`<a class="node ${kind}" href="${href}" tabindex="-1">${box}</a>`;
}

const renderAnswers = (names: string, { x, y }: Point = { x: 0, y: 0 }): Html =>
  html`<text class="answers" x="${round(x)}" y="${round(y)}"><title>${names}</title>${shorten(names)}</text>`;

type Item = { node: WorkflowNode; href: string | undefined; links: readonly GraphLink[] };

/** A node of the list with the names of what follows it, those by rules first. */
function listItem(context: PageContext, structure: Structure, { node, href, links }: Item): Html {
  const { rules: texts } = getQuestionsTexts(context);
  const outgoing = links.filter(({ from }) => from === node.id);
  const nameTargets = (isOtherwise: boolean): string[] =>
    outgoing.flatMap((link) => {
      const target = findNode(structure, link.to);
      return target && link.isOtherwise === isOtherwise ? [nameNode(context, structure, target)] : [];
    });
  const name = nameNode(context, structure, node);
  return html`<li>${href === undefined ? name : html`<a dir="auto"${attribute('href', href)}>${name}</a>`}${texts.leads(nameTargets(false), nameTargets(true))}${describeGateOf(context, structure, node.id).map((sentence) => ` – ${sentence}`)}</li>`;
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** Draws a line through points with round corners: straight to the middle of each part, curved around the points. */
function toPath(points: readonly Point[]): string {
  const [first, ...rest] = points;
  const last = rest.at(-1);
  if (!first || !last) return '';
  const at = ({ x, y }: Point): string => `${round(x)} ${round(y)}`;
  const curves = rest.slice(0, -1).map((point, index) => {
    const next = rest[index + 1] ?? last;
    return `Q${at(point)} ${at({ x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 })}`;
  });
  return `M${at(first)}${curves.join('')}L${at(last)}`;
}

/** Cuts a text to what fits a node. */
function shorten(title: string, maxWidth = MAX_TITLE_WIDTH): string {
  let width = 0;
  let kept = '';
  for (const { segment } of new Intl.Segmenter().segment(title)) {
    // From the Hangul Jamo on, nearly all scripts of these titles are as wide as high.
    width += (segment.codePointAt(0) ?? 0) >= 0x1100 ? 2 : 1;
    if (width > maxWidth) return `${kept.trimEnd()}…`;
    kept += segment;
  }
  return kept;
}
