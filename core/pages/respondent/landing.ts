/** The landing page of a form: what it is about, until when, and start, continue or view. */
import type { Form } from '#core/forms/model.ts';
import { MAX_GUEST_RESPONSES } from '#core/responses/model.ts';
import { formatReference } from '#core/responses/reference.ts';
import { renderHtml } from '#core/rich-text/html.ts';
import { GUEST_DRAFT_DAYS } from '#core/schema/limits.ts';
import type { PageContext } from '../shell/context.ts';
import { renderTime } from '../shell/context.ts';
import { type Html, html, trusted } from '../shell/html.ts';
import { type IconName, icon } from '../shell/icons.ts';
import { FORM_KIND, layout } from '../shell/layout.ts';
import { closedNotice, describeClosed } from './closed.ts';
import { guestSection, privacyLine } from './guest-link.ts';
import type { Preview } from './section.ts';
import { visitFields } from './waiting.ts';

type OwnResponse = {
  id: string;
  progress: 'DRAFT' | 'SUBMITTED';
  createdAt: string;
  submittedAt: string | null;
  /** Submitted elsewhere: only that, and when. */
  isHidden?: boolean;
};

/** The fields of the answers in a link. */
type Prefill = readonly (readonly [string, string])[] | 'too-large';

type LandingPage = {
  form: Form;
  /** The name of the organization that owns the form, if it was read. */
  organization?: string | undefined;
  /** How many sections the form has, also those that rules leave out, if it was read. */
  sectionCount?: number | undefined;
  /** Newest first. */
  responses: readonly OwnResponse[];
  mayStart: boolean;
  /** How many responses can still be submitted; undefined without a cap. */
  placesLeft?: number | undefined;
  /** The hidden field `id` of the button that starts a response. */
  newId?: string;
  /** The reader has just deleted a draft. */
  hasDeletedDraft?: boolean;
  /** The answers of the link, for a new response; `too-large` for a link that is too long. */
  prefill?: Prefill;
  /** For readers without an account: `link`, to continue elsewhere, once they have a response; until then `visit`, the signed time. */
  guest?:
    | {
        signIn: string | undefined;
        /** The address of the guest, if it is known. */
        email?: string | null | undefined;
        link: string | undefined;
        visit: string | undefined;
        isForgotten: boolean;
      }
    | undefined;
  /** Where readers type the code of an invitation or their address, without which they cannot start. */
  entry?: { href: string; asksForAddress: boolean } | undefined;
  /** The reader has just left a draft, to finish it later. */
  hasSaved?: boolean;
  /** The link to continue later was mailed. */
  hasMailedLink?: boolean;
  /** The address of the cover, if it is not that of the API. */
  coverUrl?: string | undefined;
  preview?: Preview;
};

/** Renders the first page of a form: what it is, and a button that starts or continues a response if it is open. */
export function renderLandingPage(context: PageContext, data: LandingPage): Html {
  const { form, organization, responses, mayStart, newId, prefill = [], guest, preview } = data;
  const closed = describeClosed(context, form);
  const isFull = closed === undefined && data.placesLeft === 0;
  const draft = responses.find(({ progress }) => progress === 'DRAFT');
  const draftDays = form.draftDays ?? GUEST_DRAFT_DAYS;
  const { t } = context;
  return layout(context, {
    title: form.title,
    dressing: form.dressing,
    kind: FORM_KIND,
    main: html`${preview?.banner}${data.hasSaved && draft && savedNotice(context, data)}<article class="landing card">
${form.coverImage === null ? html`<div class="landing-band" aria-hidden="true"></div>` : html`<div class="cover"><img src="${data.coverUrl ?? `/api/forms/${form.id}/cover`}" alt="" width="1200" height="400"></div>`}
${organization !== undefined && html`<p class="landing-by"><span class="monogram" aria-hidden="true">${[...organization][0] ?? ''}</span><bdi>${organization}</bdi></p>`}
<h1 dir="auto">${form.title}</h1>
${data.hasDeletedDraft && html`<div class="notice" role="status"><p>${t.draftDeletion.done}</p></div>`}
${data.hasMailedLink && html`<div class="notice" role="status"><p>${t.guest.linkMailed}</p></div>`}
${guest?.isForgotten && html`<div class="notice" role="status"><p>${t.guest.forgotten}</p></div>`}
${form.description !== null && html`<div class="prose" dir="auto">${trusted(renderHtml(form.description))}</div>`}
${closed && closedNotice(closed)}
${/* Only members see a draft. */ closed?.state === 'draft' && html`<p class="actions"><a class="button" href="/build/${form.id}">${t.home.build}</a></p>`}
${isFull && html`<div class="notice"><h2>${t.landing.full}</h2>${fullMessage(context, form)}</div>`}
${facts(context, data, closed !== undefined)}
${
  !closed &&
  !isFull &&
  html`${mayStart && prefillNotice(context, prefill)}<div class="actions">${
    draft
      ? html`<a class="button large" href="/r/${draft.id}">${t.landing.continue}</a>`
      : data.entry === undefined &&
        mayStart &&
        startButton(
          preview?.action ?? `/f/${form.id}/start`,
          responses.length === 0 ? t.landing.start : t.landing.startAnother,
          responses.length === 0 ? 'large' : 'large secondary',
          { newId, prefill, guest: guest?.visit === undefined ? undefined : visitFields(context, guest.visit) },
        )
  }${data.entry && html`<a class="button large${draft && ' secondary'}" href="${data.entry.href}">${data.entry.asksForAddress ? t.guest.address.title : t.guest.code.title}</a>`}${data.entry === undefined && draft && mayStart && startButton(`/f/${form.id}/start`, t.landing.startAnother, 'secondary', { newId, prefill })}</div>
<p class="muted small">${startHint(context, data, draft !== undefined)}</p>
${
  guest &&
  html`<p class="muted small">${guest.signIn === undefined ? (guest.email ? t.guest.storedAddress(guest.email, draftDays) : t.guest.storedInvited(draftDays)) : html`${t.guest.stored(draftDays)} <a href="${guest.signIn}">${t.guest.signIn}</a>`}</p>
${guest.link === undefined && privacyLine(context, form.id)}`
}`
}
</article>
${responses.length > 0 && ownResponses(context, responses, !closed)}
${guest?.link !== undefined && !(data.hasSaved && draft) && guestSection(context, { formId: form.id, link: guest.link, email: guest.email })}`,
  });
}

/** Says that a draft is saved, and to somebody without an account with which link it is found again. */
const savedNotice = (context: PageContext, { form, guest }: LandingPage): Html =>
  html`<div class="notice" role="status"><p>${context.t.landing.draftSaved}</p></div>
${guest?.link !== undefined && guestSection(context, { formId: form.id, link: guest.link, email: guest.email })}`;

/** What a form says when all its places are taken, in the words of its authors if they have any. */
export const fullMessage = ({ t }: PageContext, { closedMessage }: Pick<Form, 'closedMessage'>): Html =>
  closedMessage === null
    ? html`<p>${t.landing.fullHint}</p>`
    : html`<p class="pre-line" dir="auto">${closedMessage}</p>`;

/** What the reader should know of starting: that answers are saved, or why nothing more is started. */
function startHint({ t }: PageContext, data: LandingPage, hasDraft: boolean): string {
  const { form, responses, mayStart, entry } = data;
  if (mayStart || hasDraft || entry) return data.guest ? t.guest.saved : t.landing.saved;
  if (form.oncePerPerson && responses.length > 0) return t.landing.once;
  return responses.length >= MAX_GUEST_RESPONSES ? t.landing.tooMany : t.landing.noNew;
}

/** How long the form is, until when it takes responses, and who reads the answers. */
function facts(
  context: PageContext,
  { form, organization, responses, sectionCount, placesLeft }: LandingPage,
  isClosed: boolean,
) {
  const { landing } = context.t;
  const rows: [IconName, Html][] = [];
  if (!isClosed && sectionCount !== undefined && sectionCount > 0)
    rows.push(['list', html`${landing.sections(sectionCount)}`]);
  if (!isClosed && placesLeft !== undefined && placesLeft > 0)
    rows.push(['person', html`${landing.places(placesLeft)}`]);
  if (!isClosed && form.deadline !== null) {
    const words = relativeDays(context, form.deadline);
    rows.push([
      'clock',
      html`${landing.closes} ${words && html`<strong>${words}</strong>, `}${renderTime(context, form.deadline, 'zone')}`,
    ]);
  }
  if (form.retentionDays !== null && (!isClosed || responses.length > 0))
    rows.push(['clock', html`${landing.kept(form.retentionDays)}`]);
  if (!isClosed || responses.length > 0) rows.push(['eye', html`${landing.readers(organization)}`]);
  return html`<ul class="landing-facts">${rows.map(([name, text]) => html`<li>${icon(name)}<span>${text}</span></li>`)}</ul>`;
}

const DAY_MS = 86_400_000;
/** Beyond that a date says more than a number of days. */
const MAX_DAYS_IN_WORDS = 60;

/** How far away a moment is, in days, such as "in 3 days"; undefined if it is hours or months. */
function relativeDays({ language, now }: PageContext, moment: string): string | undefined {
  const days = Math.floor((Date.parse(moment) - now.getTime()) / DAY_MS);
  return days >= 2 && days <= MAX_DAYS_IN_WORDS
    ? new Intl.RelativeTimeFormat(language === 'en' ? 'en-GB' : language).format(days, 'day')
    : undefined;
}

function prefillNotice({ t }: PageContext, prefill: Prefill): Html | undefined {
  if (prefill === 'too-large') return html`<div class="notice warning"><p>${t.landing.prefillTooLarge}</p></div>`;
  return prefill.length === 0 ? undefined : html`<div class="notice"><p>${t.landing.prefilled}</p></div>`;
}

/** A button that starts a response; the answers of the link are sent with it. */
const startButton = (
  action: string,
  label: string,
  kind: string,
  { newId, prefill, guest }: { newId: string | undefined; prefill: Prefill; guest?: Html | undefined },
): Html =>
  html`<form method="post" action="${action}" data-once>${
    newId !== undefined && html`<input type="hidden" name="id" value="${newId}">`
  }${
    prefill !== 'too-large' &&
    prefill.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)
  }<button class="${kind}">${label}</button>${guest}</form>`;

const ownResponses = (context: PageContext, responses: readonly OwnResponse[], isOpen: boolean): Html => {
  const { landing } = context.t;
  return html`<section class="section-heading"><h2>${landing.yours}</h2>
<ul class="rows">${responses.map(({ id, progress, createdAt, submittedAt, isHidden }) => {
    if (isHidden) return hiddenResponse(context, id, submittedAt ?? createdAt);
    const isDraft = progress === 'DRAFT';
    const label = isDraft && isOpen ? landing.continue : landing.view;
    return html`<li><div class="row-text"><h3><a class="row-link" href="${isDraft ? `/r/${id}` : `/r/${id}/done`}"><span class="visually-hidden">${label}: </span>${renderTime(context, submittedAt ?? createdAt)}</a></h3></div>
<div class="row-side"><span class="tag ${isDraft ? 'active' : 'good'}">${isDraft ? landing.draftLabel : landing.submittedLabel}</span>${isDraft && html`<a class="button quiet" href="/r/${id}/delete">${context.t.draftDeletion.short}<span class="visually-hidden">: ${renderTime(context, createdAt)}</span></a>`}</div></li>`;
  })}</ul></section>`;
};

/** Renders a response that was submitted before the reader typed a code: its reference and time. */
const hiddenResponse = (context: PageContext, id: string, time: string): Html =>
  html`<li><div class="row-text"><h3>${renderTime(context, time)}</h3><p class="muted small">${context.t.done.reference} ${formatReference(id)}. ${context.t.guest.hiddenResponse}</p></div>
<div class="row-side"><span class="tag good">${context.t.landing.submittedLabel}</span></div></li>`;
